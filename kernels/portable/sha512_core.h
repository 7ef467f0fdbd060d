/* SPDX-License-Identifier: MIT */
/* SHA-512's compression in plain C (FIPS 180-4 sections 4.1.3 and 6.4), for front ends to include.
 *
 * sha512_compress(state, data, blocks): FIPS 180-4 section 6.4.2 on `blocks` blocks of 128 bytes at `data`, which
 * needs no alignment; `state` is H(i) as numbers, in and out. 0 blocks change nothing. It serves SHA-384 too. */
#ifndef CMK_PORTABLE_SHA512_CORE_H
#define CMK_PORTABLE_SHA512_CORE_H

#include "bytes.h"
#include "sha512_constants.h"

static inline uint64_t sha512_rotate(uint64_t word, unsigned bits)
{
    return word >> bits | word << (64 - bits);
}

/* Ch and Maj in forms with one operation less than the standard's. */
static inline uint64_t sha512_choose(uint64_t x, uint64_t y, uint64_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint64_t sha512_majority(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) | (z & (x | y));
}

static inline uint64_t sha512_big_sigma0(uint64_t x)
{
    return sha512_rotate(x, 28) ^ sha512_rotate(x, 34) ^ sha512_rotate(x, 39);
}

static inline uint64_t sha512_big_sigma1(uint64_t x)
{
    return sha512_rotate(x, 14) ^ sha512_rotate(x, 18) ^ sha512_rotate(x, 41);
}

static inline uint64_t sha512_small_sigma0(uint64_t x)
{
    return sha512_rotate(x, 1) ^ sha512_rotate(x, 8) ^ x >> 7;
}

static inline uint64_t sha512_small_sigma1(uint64_t x)
{
    return sha512_rotate(x, 19) ^ sha512_rotate(x, 61) ^ x >> 6;
}

/* Word t of the schedule from those before it; the last sixteen are kept. */
static inline uint64_t sha512_schedule(uint64_t w[16], unsigned t)
{
    w[t % 16] += sha512_small_sigma1(w[(t + 14) % 16]) + w[(t + 9) % 16] + sha512_small_sigma0(w[(t + 1) % 16]);
    return w[t % 16];
}

/* One round. Instead of moving the eight variables along, each of eight rounds names them differently. */
#define SHA512_ROUND(a, b, c, d, e, f, g, h, word, t)                                                                 \
    h += sha512_big_sigma1(e) + sha512_choose(e, f, g) + sha512_constants[t] + (word);                                \
    d += h;                                                                                                           \
    h += sha512_big_sigma0(a) + sha512_majority(a, b, c);

#define SHA512_EIGHT_ROUNDS(WORD, t)                                                                                  \
    SHA512_ROUND(a, b, c, d, e, f, g, h, WORD(t), t)                                                                  \
    SHA512_ROUND(h, a, b, c, d, e, f, g, WORD(t + 1), t + 1)                                                          \
    SHA512_ROUND(g, h, a, b, c, d, e, f, WORD(t + 2), t + 2)                                                          \
    SHA512_ROUND(f, g, h, a, b, c, d, e, WORD(t + 3), t + 3)                                                          \
    SHA512_ROUND(e, f, g, h, a, b, c, d, WORD(t + 4), t + 4)                                                          \
    SHA512_ROUND(d, e, f, g, h, a, b, c, WORD(t + 5), t + 5)                                                          \
    SHA512_ROUND(c, d, e, f, g, h, a, b, WORD(t + 6), t + 6)                                                          \
    SHA512_ROUND(b, c, d, e, f, g, h, a, WORD(t + 7), t + 7)

#define SHA512_FROM_BLOCK(t) (w[t] = load64_be(data + 8 * (t)))
#define SHA512_FROM_SCHEDULE(t) sha512_schedule(w, t)

static inline void sha512_compress(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    uint64_t w[16];
    for (; blocks != 0; blocks--, data += 128) {
        uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
        SHA512_EIGHT_ROUNDS(SHA512_FROM_BLOCK, 0)
        SHA512_EIGHT_ROUNDS(SHA512_FROM_BLOCK, 8)
        for (unsigned t = 16; t < 80; t += 16) {
            SHA512_EIGHT_ROUNDS(SHA512_FROM_SCHEDULE, t)
            SHA512_EIGHT_ROUNDS(SHA512_FROM_SCHEDULE, t + 8)
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
