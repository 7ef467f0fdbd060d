/* SPDX-License-Identifier: MIT */
/* SHA-256's compression in plain C (FIPS 180-4 sections 4.1.2 and 6.2), for front ends to include.
 *
 * sha256_compress(state, data, blocks): FIPS 180-4 section 6.2.2 on `blocks` blocks of 64 bytes at `data`, which needs
 * no alignment; `state` is H(i) as numbers, in and out. 0 blocks change nothing. */
#ifndef CMK_PORTABLE_SHA256_CORE_H
#define CMK_PORTABLE_SHA256_CORE_H

#include "bytes.h"
#include "sha256_constants.h"

static inline uint32_t rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Ch and Maj in forms with one operation less than the standard's. */
static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) | (z & (x | y));
}

static inline uint32_t big_sigma0(uint32_t x)
{
    return rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22);
}

static inline uint32_t big_sigma1(uint32_t x)
{
    return rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25);
}

static inline uint32_t small_sigma0(uint32_t x)
{
    return rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
}

static inline uint32_t small_sigma1(uint32_t x)
{
    return rotate(x, 17) ^ rotate(x, 19) ^ x >> 10;
}

/* Word t of the schedule from those before it; the last sixteen are kept. */
static inline uint32_t schedule(uint32_t w[16], unsigned t)
{
    w[t % 16] += small_sigma1(w[(t + 14) % 16]) + w[(t + 9) % 16] + small_sigma0(w[(t + 1) % 16]);
    return w[t % 16];
}

/* One round. Instead of moving the eight variables along, each of eight rounds names them differently. */
#define ROUND(a, b, c, d, e, f, g, h, word, t)                                                                        \
    h += big_sigma1(e) + choose(e, f, g) + sha256_constants[t] + (word);                                              \
    d += h;                                                                                                           \
    h += big_sigma0(a) + majority(a, b, c);

#define EIGHT_ROUNDS(WORD, t)                                                                                         \
    ROUND(a, b, c, d, e, f, g, h, WORD(t), t)                                                                         \
    ROUND(h, a, b, c, d, e, f, g, WORD(t + 1), t + 1)                                                                 \
    ROUND(g, h, a, b, c, d, e, f, WORD(t + 2), t + 2)                                                                 \
    ROUND(f, g, h, a, b, c, d, e, WORD(t + 3), t + 3)                                                                 \
    ROUND(e, f, g, h, a, b, c, d, WORD(t + 4), t + 4)                                                                 \
    ROUND(d, e, f, g, h, a, b, c, WORD(t + 5), t + 5)                                                                 \
    ROUND(c, d, e, f, g, h, a, b, WORD(t + 6), t + 6)                                                                 \
    ROUND(b, c, d, e, f, g, h, a, WORD(t + 7), t + 7)

#define FROM_BLOCK(t) (w[t] = load32_be(data + 4 * (t)))
#define FROM_SCHEDULE(t) schedule(w, t)

static inline void sha256_compress(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    uint32_t w[16];
    for (; blocks != 0; blocks--, data += 64) {
        uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
        EIGHT_ROUNDS(FROM_BLOCK, 0)
        EIGHT_ROUNDS(FROM_BLOCK, 8)
        for (unsigned t = 16; t < 64; t += 16) {
            EIGHT_ROUNDS(FROM_SCHEDULE, t)
            EIGHT_ROUNDS(FROM_SCHEDULE, t + 8)
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
    wipe(w, sizeof w);
}

#endif
