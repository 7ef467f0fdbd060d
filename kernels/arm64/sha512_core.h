/* SPDX-License-Identifier: MIT */
/* SHA-512's compression by the SHA512H, SHA512H2, SHA512SU0 and SHA512SU1 instructions, for front ends to include
 * where the target attribute of the feature sha512 is pushed and after dialect.h. SHA512H and SHA512H2 do two rounds on
 * the state, which is in four vectors of two numbers; SHA512SU0 and SHA512SU1 make the next two words of the schedule
 * from the last sixteen. It serves SHA-384 too.
 *
 * sha512_compress(state, data, blocks): FIPS 180-4 section 6.4.2 on `blocks` blocks of 128 bytes at `data`, which
 * needs no alignment; `state` is H(i) as numbers, in and out. 0 blocks change nothing. */
#ifndef CMK_ARM64_SHA512_CORE_H
#define CMK_ARM64_SHA512_CORE_H

#include <stddef.h>

#include "../portable/sha512_constants.h"
#include "dialect.h"

/* Two words of the block, big endian in memory. */
static inline uint64x2_t load_words(const uint8_t *data)
{
    return vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8(data)));
}

/* Words t and t + 1 from words t - 16 on, where w0 has the first two of those, w1 the next, w4 and w5 words t - 8 to
 * t - 5, w7 the last two. */
#define SCHEDULE(w0, w1, w4, w5, w7)                                                                                  \
    w0 = vsha512su1q_u64(vsha512su0q_u64(w0, w1), w7, vextq_u64(w4, w5, 1));

/* Two rounds with the words `w` and their constants `k`, on a state whose numbers a to h are in ab, cd, ef and gh, the
 * first of two in the low half. SHA512H gets h and g with what the two rounds add to them, (f, g) and (d, e), and
 * answers what they come to up to Sigma0 and Maj; SHA512H2 adds these. In the next two rounds gh is ab, ab is cd and
 * so on: cd is added to here, and gh is the new (a, b). SHA512H2 overwrites the sum, so it comes last. */
#define TWO_ROUNDS(w, k, ab, cd, ef, gh)                                                                              \
    sum = vaddq_u64(w, k);                                                                                            \
    sum = vaddq_u64(gh, vextq_u64(sum, sum, 1));                                                                      \
    sum = vsha512hq_u64(sum, vextq_u64(ef, gh, 1), vextq_u64(cd, ef, 1));                                             \
    before = cd;                                                                                                      \
    cd = vaddq_u64(cd, sum);                                                                                          \
    CMK_NOW(sum);                                                                                                     \
    gh = vsha512h2q_u64(sum, before, ab);

/* Constants for four rounds, by one instruction. */
#define LOAD_CONSTANTS(n)                                                                                             \
    k0 = vld1q_u64(k + 4 * (n));                                                                                      \
    k1 = vld1q_u64(k + 4 * (n) + 2);                                                                                  \
    CMK_BOTH_NOW(k0, k1);

#define SIXTEEN_ROUNDS(n, NEXT)                                                                                       \
    LOAD_CONSTANTS(n)                                                                                                 \
    TWO_ROUNDS(w0, k0, ab, cd, ef, gh) NEXT(w0, w1, w4, w5, w7)                                                       \
    TWO_ROUNDS(w1, k1, gh, ab, cd, ef) NEXT(w1, w2, w5, w6, w0)                                                       \
    LOAD_CONSTANTS(n + 1)                                                                                             \
    TWO_ROUNDS(w2, k0, ef, gh, ab, cd) NEXT(w2, w3, w6, w7, w1)                                                       \
    TWO_ROUNDS(w3, k1, cd, ef, gh, ab) NEXT(w3, w4, w7, w0, w2)                                                       \
    LOAD_CONSTANTS(n + 2)                                                                                             \
    TWO_ROUNDS(w4, k0, ab, cd, ef, gh) NEXT(w4, w5, w0, w1, w3)                                                       \
    TWO_ROUNDS(w5, k1, gh, ab, cd, ef) NEXT(w5, w6, w1, w2, w4)                                                       \
    LOAD_CONSTANTS(n + 3)                                                                                             \
    TWO_ROUNDS(w6, k0, ef, gh, ab, cd) NEXT(w6, w7, w2, w3, w5)                                                       \
    TWO_ROUNDS(w7, k1, cd, ef, gh, ab) NEXT(w7, w0, w3, w4, w6)

#define NO_SCHEDULE(w0, w1, w4, w5, w7)

static inline void sha512_compress(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    const uint64_t *k = sha512_constants;
    uint64x2_t ab = vld1q_u64(state);
    uint64x2_t cd = vld1q_u64(state + 2);
    uint64x2_t ef = vld1q_u64(state + 4);
    uint64x2_t gh = vld1q_u64(state + 6);

    for (; blocks != 0; blocks--, data += 128) {
        const uint64x2_t ab_start = ab, cd_start = cd, ef_start = ef, gh_start = gh;
        uint64x2_t before, sum, k0, k1;
        CMK_KEEP_POINTER(k);
        uint64x2_t w0 = load_words(data), w1 = load_words(data + 16);
        uint64x2_t w2 = load_words(data + 32), w3 = load_words(data + 48);
        uint64x2_t w4 = load_words(data + 64), w5 = load_words(data + 80);
        uint64x2_t w6 = load_words(data + 96), w7 = load_words(data + 112);
        SIXTEEN_ROUNDS(0, SCHEDULE)
        SIXTEEN_ROUNDS(4, SCHEDULE)
        SIXTEEN_ROUNDS(8, SCHEDULE)
        SIXTEEN_ROUNDS(12, SCHEDULE)
        SIXTEEN_ROUNDS(16, NO_SCHEDULE)
        ab = vaddq_u64(ab, ab_start);
        cd = vaddq_u64(cd, cd_start);
        ef = vaddq_u64(ef, ef_start);
        gh = vaddq_u64(gh, gh_start);
    }
    vst1q_u64(state, ab);
    vst1q_u64(state + 2, cd);
    vst1q_u64(state + 4, ef);
    vst1q_u64(state + 6, gh);
}

#endif
