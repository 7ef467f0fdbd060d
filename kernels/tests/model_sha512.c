/* SPDX-License-Identifier: MIT */
/* FIPS 180-4 sections 6.4 and 6.5 in their own words. The constants are computed as sections 4.2.3, 5.3.4 and 5.3.5
 * define them. */
#include <string.h>

#include "model.h"

static uint64_t constants[80];
static uint64_t initial_384[8], initial_512[8];

static uint64_t rotr(uint64_t x, unsigned n)
{
    return x >> n | x << (64 - n);
}

static void make_constants(void)
{
    for (unsigned i = 0; constants[79] == 0 && i < 80; i++) {
        constants[i] = model_root_fraction(3, model_prime(i));
        if (i < 8) {
            initial_512[i] = model_root_fraction(2, model_prime(i));
            initial_384[i] = model_root_fraction(2, model_prime(8 + i));
        }
    }
}

static void compress(uint64_t *state, const uint8_t *block)
{
    uint64_t w[80], v[8];
    for (int t = 0; t < 80; t++) {
        if (t < 16) {
            w[t] = 0;
            for (int i = 0; i < 8; i++) {
                w[t] = w[t] << 8 | block[8 * t + i];
            }
        } else {
            uint64_t s0 = rotr(w[t - 15], 1) ^ rotr(w[t - 15], 8) ^ w[t - 15] >> 7;
            uint64_t s1 = rotr(w[t - 2], 19) ^ rotr(w[t - 2], 61) ^ w[t - 2] >> 6;
            w[t] = s1 + w[t - 7] + s0 + w[t - 16];
        }
    }
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 80; t++) {
        uint64_t s1 = rotr(v[4], 14) ^ rotr(v[4], 18) ^ rotr(v[4], 41);
        uint64_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[t] + w[t];
        uint64_t s0 = rotr(v[0], 28) ^ rotr(v[0], 34) ^ rotr(v[0], 39);
        uint64_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

static void hash(const uint8_t *data, size_t length, uint64_t before, const uint64_t *initial, uint8_t *digest,
                 size_t size)
{
    uint64_t state[8], total = before + length;
    uint8_t last[256] = {0};
    size_t whole = length - length % 128;
    size_t padded = length % 128 < 112 ? 128 : 256;
    make_constants();
    memcpy(state, initial, sizeof state);
    if (length != whole) {
        memcpy(last, data + whole, length - whole);
    }
    last[length - whole] = 0x80;
    for (unsigned i = 0; i < 9; i++) { /* total * 8, of which the ninth byte has what eight do not hold */
        last[padded - 1 - i] = (uint8_t)(i == 0 ? total << 3 : total >> (8 * i - 3));
    }
    for (size_t i = 0; i < whole; i += 128) {
        compress(state, data + i);
    }
    for (size_t i = 0; i < padded; i += 128) {
        compress(state, last + i);
    }
    for (size_t i = 0; i < size; i++) {
        digest[i] = (uint8_t)(state[i / 8] >> (56 - 8 * (i % 8)));
    }
}

void model_sha512(const uint8_t *data, size_t length, uint64_t before, uint8_t *digest)
{
    hash(data, length, before, initial_512, digest, 64);
}

void model_sha384(const uint8_t *data, size_t length, uint64_t before, uint8_t *digest)
{
    hash(data, length, before, initial_384, digest, 48);
}
