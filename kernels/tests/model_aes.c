/* SPDX-License-Identifier: MIT */
/* FIPS 197 in its own words: Cipher and InvCipher on a state of 16 bytes, column after column. */
#include <string.h>

#include "model.h"

#define BLOCK 16

static uint8_t sbox[256];
static uint8_t inverse_sbox[256];
static uint8_t product[16][256]; /* of a factor of MixColumns or InvMixColumns and a byte */

/* Section 4.2. */
static uint8_t times(uint8_t a, uint8_t b)
{
    unsigned sum = 0;
    unsigned shifted = a;
    for (; b != 0; b = (uint8_t)(b >> 1)) {
        if (b & 1) {
            sum ^= shifted;
        }
        shifted <<= 1;
        if (shifted & 0x100) {
            shifted ^= 0x11b;
        }
    }
    return (uint8_t)sum;
}

/* Section 5.1.1: 3 generates the field's units, so with 3^i runs 3^-i = (f6)^i. */
static void make_tables(void)
{
    uint8_t element = 1, inverse = 1;
    if (sbox[0] != 0) {
        return;
    }
    do {
        unsigned x = inverse | (unsigned)inverse << 8;
        uint8_t value = (uint8_t)(x ^ x >> 7 ^ x >> 6 ^ x >> 5 ^ x >> 4 ^ 0x63);
        sbox[element] = value;
        inverse_sbox[value] = element;
        element = times(element, 0x03);
        inverse = times(inverse, 0xf6);
    } while (element != 1);
    sbox[0] = 0x63;
    inverse_sbox[0x63] = 0;
    for (int factor = 0; factor < 16; factor++) {
        for (int byte = 0; byte < 256; byte++) {
            product[factor][byte] = times((uint8_t)byte, (uint8_t)factor);
        }
    }
}

/* Each column times a circulant matrix whose first row is given. */
static void mix(uint8_t *state, int m0, int m1, int m2, int m3)
{
    for (int c = 0; c < 4; c++) {
        uint8_t a[4];
        memcpy(a, state + 4 * c, 4);
        for (int r = 0; r < 4; r++) {
            state[4 * c + r] = product[m0][a[r]] ^ product[m1][a[(r + 1) % 4]] ^ product[m2][a[(r + 2) % 4]] ^
                               product[m3][a[(r + 3) % 4]];
        }
    }
}

static void substitute(uint8_t *state, const uint8_t *table)
{
    for (int i = 0; i < BLOCK; i++) {
        state[i] = table[state[i]];
    }
}

/* Row r to the left by `step` r columns. */
static void shift_rows(uint8_t *state, int step)
{
    uint8_t old[BLOCK];
    memcpy(old, state, BLOCK);
    for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++) {
            state[4 * c + r] = old[4 * ((c + step * r) % 4) + r];
        }
    }
}

static void add(uint8_t *state, const uint8_t *bytes)
{
    for (int i = 0; i < BLOCK; i++) {
        state[i] ^= bytes[i];
    }
}

unsigned model_aes_key(uint8_t *encrypt, uint8_t *decrypt, const uint8_t *key, size_t length)
{
    size_t words = length / 4;
    unsigned rounds = (unsigned)words + 6;
    uint8_t round_constant = 1;
    make_tables();
    memset(encrypt, 0, 240);
    memset(decrypt, 0, 240);
    memcpy(encrypt, key, length);
    for (size_t i = words; i < 4 * (rounds + 1); i++) {
        uint8_t t[4];
        memcpy(t, encrypt + 4 * (i - 1), 4);
        if (i % words == 0) {
            uint8_t first = t[0];
            t[0] = (uint8_t)(sbox[t[1]] ^ round_constant);
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            round_constant = times(round_constant, 2);
        } else if (words == 8 && i % 8 == 4) {
            for (int j = 0; j < 4; j++) {
                t[j] = sbox[t[j]];
            }
        }
        for (size_t j = 0; j < 4; j++) {
            encrypt[4 * i + j] = (uint8_t)(encrypt[4 * (i - words) + j] ^ t[j]);
        }
    }
    for (unsigned round = 0; round <= rounds; round++) {
        memcpy(decrypt + BLOCK * round, encrypt + BLOCK * (rounds - round), BLOCK);
        if (round != 0 && round != rounds) {
            mix(decrypt + BLOCK * round, 0x0e, 0x0b, 0x0d, 0x09);
        }
    }
    return rounds;
}

void model_aes_cipher(uint8_t *state, const uint8_t *schedule, unsigned rounds)
{
    add(state, schedule);
    for (unsigned round = 1; round <= rounds; round++) {
        substitute(state, sbox);
        shift_rows(state, 1);
        if (round != rounds) {
            mix(state, 2, 3, 1, 1);
        }
        add(state, schedule + BLOCK * round);
    }
}

void model_aes_inverse_cipher(uint8_t *state, const uint8_t *schedule, unsigned rounds)
{
    add(state, schedule + BLOCK * rounds);
    for (unsigned round = rounds; round-- != 0;) {
        shift_rows(state, 3);
        substitute(state, inverse_sbox);
        add(state, schedule + BLOCK * round);
        if (round != 0) {
            mix(state, 0x0e, 0x0b, 0x0d, 0x09);
        }
    }
}

void model_aes_ecb_encrypt(const uint8_t *key, size_t key_length, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t schedule[240], unused[240];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    memmove(out, in, length);
    for (size_t i = 0; i < length; i += BLOCK) {
        model_aes_cipher(out + i, schedule, rounds);
    }
}

void model_aes_ecb_decrypt(const uint8_t *key, size_t key_length, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t schedule[240], unused[240];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    memmove(out, in, length);
    for (size_t i = 0; i < length; i += BLOCK) {
        model_aes_inverse_cipher(out + i, schedule, rounds);
    }
}

void model_aes_ctr(const uint8_t *key, size_t key_length, const uint8_t *counter, const uint8_t *in, uint8_t *out,
                   size_t length)
{
    uint8_t schedule[240], unused[240], next[BLOCK], block[BLOCK];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    memcpy(next, counter, BLOCK);
    for (size_t i = 0; i < length; i++) {
        if (i % BLOCK == 0) {
            memcpy(block, next, BLOCK);
            model_aes_cipher(block, schedule, rounds);
            for (int place = BLOCK - 1; place >= 0 && ++next[place] == 0; place--) {
            }
        }
        out[i] = (uint8_t)(in[i] ^ block[i % BLOCK]);
    }
}
