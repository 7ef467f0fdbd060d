/* SPDX-License-Identifier: MIT */
/* No tables: the S-box is computed, as FIPS 197 defines it. */
#include "both.h"

#include <string.h>

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

static void encrypt_round(const unsigned char state[16], const unsigned char key[16], unsigned char out[16])
{
    unsigned char s[16];
    for (int i = 0; i < 16; i++) {
        s[i] = substitute(state[(i + 4 * (i % 4)) % 16]);
    }
    for (int i = 0; i < 16; i++) {
        const unsigned char *column = s + i / 4 * 4;
        unsigned char all = (unsigned char)(column[0] ^ column[1] ^ column[2] ^ column[3]);
        unsigned char next = column[(i + 1) % 4];
        out[i] = (unsigned char)(s[i] ^ all ^ twice((unsigned char)(s[i] ^ next)) ^ key[i]);
    }
}

static void add_product(const unsigned char a[8], const unsigned char b[8], unsigned char sum[16])
{
    for (int i = 0; i < 64; i++) {
        for (int j = 0; j < 64; j++) {
            int bit = a[i / 8] >> i % 8 & b[j / 8] >> j % 8 & 1;
            sum[(i + j) / 8] = (unsigned char)(sum[(i + j) / 8] ^ bit << (i + j) % 8);
        }
    }
}

void both_mix_portable(const unsigned char state[16], const unsigned char key[16], unsigned char out[16])
{
    unsigned char sum[16];
    encrypt_round(state, key, sum);
    add_product(state, key, sum);
    memcpy(out, sum, 16);
}
