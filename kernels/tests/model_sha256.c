/* SPDX-License-Identifier: MIT */
/* FIPS 180-4 sections 6.2 and 6.3 in their own words. The constants are computed as sections 4.2.2, 5.3.2 and 5.3.3
 * define them. */
#include <string.h>

#include "model.h"

static uint32_t constants[64];
static uint32_t initial_224[8], initial_256[8];

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void make_constants(void)
{
    for (unsigned i = 0; constants[63] == 0 && i < 64; i++) {
        constants[i] = (uint32_t)(model_root_fraction(3, model_prime(i)) >> 32);
        if (i < 8) {
            initial_256[i] = (uint32_t)(model_root_fraction(2, model_prime(i)) >> 32);
            initial_224[i] = (uint32_t)model_root_fraction(2, model_prime(8 + i)); /* the second 32 bits */
        }
    }
}

static void compress(uint32_t *state, const uint8_t *block)
{
    uint32_t w[64], v[8];
    for (int t = 0; t < 64; t++) {
        if (t < 16) {
            w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
                   (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
        } else {
            uint32_t s0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
            uint32_t s1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
            w[t] = s1 + w[t - 7] + s0 + w[t - 16];
        }
    }
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = rotr(v[4], 6) ^ rotr(v[4], 11) ^ rotr(v[4], 25);
        uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + constants[t] + w[t];
        uint32_t s0 = rotr(v[0], 2) ^ rotr(v[0], 13) ^ rotr(v[0], 22);
        uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

static void hash(const uint8_t *data, size_t length, const uint32_t *initial, uint8_t *digest, size_t size)
{
    uint32_t state[8];
    uint8_t last[128] = {0};
    size_t whole = length - length % 64;
    size_t padded = length % 64 < 56 ? 64 : 128;
    make_constants();
    memcpy(state, initial, sizeof state);
    if (length != whole) {
        memcpy(last, data + whole, length - whole);
    }
    last[length - whole] = 0x80;
    for (unsigned i = 0; i < 8; i++) {
        last[padded - 1 - i] = (uint8_t)((uint64_t)length * 8 >> 8 * i);
    }
    for (size_t i = 0; i < whole; i += 64) {
        compress(state, data + i);
    }
    for (size_t i = 0; i < padded; i += 64) {
        compress(state, last + i);
    }
    for (size_t i = 0; i < size; i++) {
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}

void model_sha256(const uint8_t *data, size_t length, uint8_t *digest)
{
    hash(data, length, initial_256, digest, 32);
}

void model_sha224(const uint8_t *data, size_t length, uint8_t *digest)
{
    hash(data, length, initial_224, digest, 28);
}
