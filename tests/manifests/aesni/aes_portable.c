/* SPDX-License-Identifier: MIT */
/* No tables: the S-box is computed, as FIPS 197 defines it. */
#include <string.h>

#include "aesni.h"

static unsigned char twice(unsigned char a)
{
    return (unsigned char)((a << 1) ^ (0x1b & -(a >> 7)));
}

static unsigned char multiply(unsigned char a, unsigned char b)
{
    unsigned char product = 0;
    for (int i = 0; i < 8; i++) {
        product = (unsigned char)(product ^ (a & -(b >> i & 1)));
        a = twice(a);
    }
    return product;
}

/* The inverse is the power 254, then the affine transformation. */
static unsigned char substitute(unsigned char a)
{
    unsigned char power = a;
    for (int i = 0; i < 6; i++) {
        power = multiply(multiply(power, power), a);
    }
    power = multiply(power, power);
    unsigned int twofold = power * 0x101u;
    return (unsigned char)(0x63 ^ power ^ twofold >> 7 ^ twofold >> 6 ^ twofold >> 5 ^ twofold >> 4);
}

static void substitute_and_shift(unsigned char state[16])
{
    unsigned char old[16];
    memcpy(old, state, 16);
    for (int i = 0; i < 16; i++) {
        state[i] = substitute(old[(i + 4 * (i % 4)) % 16]);
    }
}

static void mix_columns(unsigned char state[16])
{
    for (unsigned char *c = state; c < state + 16; c += 4) {
        unsigned char first = c[0], all = (unsigned char)(c[0] ^ c[1] ^ c[2] ^ c[3]);
        for (int i = 0; i < 4; i++) {
            unsigned char next = i < 3 ? c[i + 1] : first;
            c[i] = (unsigned char)(c[i] ^ all ^ twice((unsigned char)(c[i] ^ next)));
        }
    }
}

static void next_key(unsigned char key[16], unsigned char constant)
{
    for (int i = 0; i < 4; i++) {
        key[i] = (unsigned char)(key[i] ^ substitute(key[12 + (i + 1) % 4]));
    }
    key[0] ^= constant;
    for (int i = 4; i < 16; i++) {
        key[i] ^= key[i - 4];
    }
}

static void add(unsigned char state[16], const unsigned char key[16])
{
    for (int i = 0; i < 16; i++) {
        state[i] ^= key[i];
    }
}

void aesni_encrypt_portable(const unsigned char bytes[16], const unsigned char in[16], unsigned char out[16])
{
    unsigned char key[16], state[16], constant = 1;
    memcpy(key, bytes, 16);
    memcpy(state, in, 16);
    add(state, key);
    for (int round = 1; round <= 10; round++) {
        substitute_and_shift(state);
        if (round < 10) {
            mix_columns(state);
        }
        next_key(key, constant);
        constant = twice(constant);
        add(state, key);
    }
    memcpy(out, state, 16);
}
