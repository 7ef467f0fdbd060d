/* SPDX-License-Identifier: MIT */
/* SHA-256's compression by the SHA256H, SHA256H2, SHA256SU0 and SHA256SU1 instructions of the Armv8-A Cryptographic
 * Extension, for front ends to include where the target attribute of the feature sha2 is pushed and after dialect.h.
 * SHA256H and SHA256H2 do four rounds on the halves abcd and efgh of the state; SHA256SU0 and SHA256SU1 make the next
 * four words of the schedule from the last sixteen.
 *
 * sha256_compress(state, data, blocks): FIPS 180-4 section 6.2.2 on `blocks` blocks of 64 bytes at `data`, which needs
 * no alignment; `state` is H(i) as numbers, in and out. 0 blocks change nothing. */
#ifndef CMK_ARM64_SHA256_CORE_H
#define CMK_ARM64_SHA256_CORE_H

#include <stddef.h>

#include "../portable/sha256_constants.h"
#include "dialect.h"

/* Four words of the block, big endian in memory. */
static inline uint32x4_t load_words(const uint8_t *data)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data)));
}

/* Words t to t + 3 from words t - 16 on, where w0 has the first four of those and w3 the last. */
static inline uint32x4_t schedule(uint32x4_t w0, uint32x4_t w1, uint32x4_t w2, uint32x4_t w3)
{
    return vsha256su1q_u32(vsha256su0q_u32(w0, w1), w2, w3);
}

/* Rounds 4 n to 4 n + 3, with the words `w`. SHA256H overwrites what SHA256H2 needs too. That is copied, and SHA256H
 * works in place: were it the other way round, every step would wait for a copy. */
#define FOUR_ROUNDS(n, w)                                                                                             \
    sum = vaddq_u32(w, k##n);                                                                                         \
    before = abcd;                                                                                                    \
    CMK_KEEP(before);                                                                                                 \
    abcd = vsha256hq_u32(abcd, efgh, sum);                                                                            \
    efgh = vsha256h2q_u32(efgh, before, sum);

/* The same, and the words needed sixteen rounds later in place of w0. */
#define FOUR_ROUNDS_AND_SCHEDULE(n, w0, w1, w2, w3)                                                                   \
    FOUR_ROUNDS(n, w0)                                                                                                \
    w0 = schedule(w0, w1, w2, w3);

#define LOAD_CONSTANTS(n) const uint32x4_t k##n = vld1q_u32(sha256_constants + 4 * n);

static inline void sha256_compress(uint32_t state[8], const uint8_t *data, size_t blocks)
{
    uint32x4_t abcd = vld1q_u32(state);
    uint32x4_t efgh = vld1q_u32(state + 4);
    LOAD_CONSTANTS(0) LOAD_CONSTANTS(1) LOAD_CONSTANTS(2) LOAD_CONSTANTS(3)
    LOAD_CONSTANTS(4) LOAD_CONSTANTS(5) LOAD_CONSTANTS(6) LOAD_CONSTANTS(7)
    LOAD_CONSTANTS(8) LOAD_CONSTANTS(9) LOAD_CONSTANTS(10) LOAD_CONSTANTS(11)
    LOAD_CONSTANTS(12) LOAD_CONSTANTS(13) LOAD_CONSTANTS(14) LOAD_CONSTANTS(15)

    for (; blocks != 0; blocks--, data += 64) {
        uint32x4_t abcd_start = abcd, efgh_start = efgh;
        uint32x4_t before, sum;
        uint32x4_t w0 = load_words(data);
        uint32x4_t w1 = load_words(data + 16);
        uint32x4_t w2 = load_words(data + 32);
        uint32x4_t w3 = load_words(data + 48);
        CMK_KEEP(abcd_start);
        CMK_KEEP(efgh_start);
        FOUR_ROUNDS_AND_SCHEDULE(0, w0, w1, w2, w3)
        FOUR_ROUNDS_AND_SCHEDULE(1, w1, w2, w3, w0)
        FOUR_ROUNDS_AND_SCHEDULE(2, w2, w3, w0, w1)
        FOUR_ROUNDS_AND_SCHEDULE(3, w3, w0, w1, w2)
        FOUR_ROUNDS_AND_SCHEDULE(4, w0, w1, w2, w3)
        FOUR_ROUNDS_AND_SCHEDULE(5, w1, w2, w3, w0)
        FOUR_ROUNDS_AND_SCHEDULE(6, w2, w3, w0, w1)
        FOUR_ROUNDS_AND_SCHEDULE(7, w3, w0, w1, w2)
        FOUR_ROUNDS_AND_SCHEDULE(8, w0, w1, w2, w3)
        FOUR_ROUNDS_AND_SCHEDULE(9, w1, w2, w3, w0)
        FOUR_ROUNDS_AND_SCHEDULE(10, w2, w3, w0, w1)
        FOUR_ROUNDS_AND_SCHEDULE(11, w3, w0, w1, w2)
        FOUR_ROUNDS(12, w0)
        FOUR_ROUNDS(13, w1)
        FOUR_ROUNDS(14, w2)
        FOUR_ROUNDS(15, w3)
        abcd = vaddq_u32(abcd, abcd_start);
        efgh = vaddq_u32(efgh, efgh_start);
    }
    vst1q_u32(state, abcd);
    vst1q_u32(state + 4, efgh);
}

#endif
