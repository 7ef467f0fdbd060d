/* SPDX-License-Identifier: MIT */
/* FIPS 180-4 section 6.2 in its own words. The constants are computed as sections 4.2.2 and 5.3.3 define them:
 * 32 bits of the fraction of the cube and square roots of the first primes. */
#include <string.h>

#include "model.h"

static uint32_t constants[64];
static uint32_t initial[8];

static uint32_t rotr(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

/* Whether root^power <= prime 2^(32 power), for root < 2^36 and power 2 or 3: in 32-bit digits. */
static int at_most(uint64_t root, unsigned power, unsigned prime)
{
    uint64_t digits[6] = {1, 0, 0, 0, 0, 0};
    for (unsigned i = 0; i < power; i++) {
        uint64_t low = root & 0xffffffff, high = root >> 32;
        uint64_t product[6] = {0, 0, 0, 0, 0, 0};
        for (unsigned j = 0; j < 5; j++) {
            product[j] += digits[j] * low;
            product[j + 1] += product[j] >> 32;
            product[j] &= 0xffffffff;
            product[j + 1] += digits[j] * high;
        }
        memcpy(digits, product, sizeof digits);
    }
    return digits[power] + (digits[power + 1] << 32) < prime;
}

/* The first 32 bits of the fraction of the root. */
static uint32_t root_fraction(unsigned power, unsigned prime)
{
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 36; bit != 0; bit >>= 1) {
        if (at_most(root + bit, power, prime)) {
            root += bit;
        }
    }
    return (uint32_t)root;
}

static void make_constants(void)
{
    unsigned count = 0;
    if (constants[0] != 0) {
        return;
    }
    for (unsigned number = 2; count < 64; number++) {
        unsigned divisor = 2;
        while (number % divisor != 0) {
            divisor++;
        }
        if (divisor == number) {
            if (count < 8) {
                initial[count] = root_fraction(2, number);
            }
            constants[count++] = root_fraction(3, number);
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

void model_sha256(const uint8_t *data, size_t length, uint8_t *digest)
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
    for (int i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
