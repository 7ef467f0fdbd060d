/* SPDX-License-Identifier: MIT */
/* CTR by the AES instructions, with a counter of 128 bits. */
#ifndef CMK_ARM64_AES_CTR_CORE_H
#define CMK_ARM64_AES_CTR_CORE_H

#include "../portable/aes_counter.h"
#include "aes_core.h"

/* A counter as the two halves of a vector, and the block of its bytes. */
static inline uint64x2_t counter_lanes(counter128 counter)
{
    return pair_u64(counter.high, counter.low);
}

static inline uint8x16_t counter_block(uint64x2_t lanes)
{
    return vrev64q_u8(vreinterpretq_u8_u64(lanes));
}

#define COUNTER_LANE(n)                                                                                               \
    uint8x16_t b##n = counter_block(lanes);                                                                           \
    lanes = vaddq_u64(lanes, one);

/* The last round of two lanes, whose last round key and input are added off the chain. */
#define XOR_LANES(m, n)                                                                                               \
    {                                                                                                                 \
        const uint8x16_t input##m = veorq_u8(vld1q_u8(in + m * CMK_AES_BLOCK_SIZE), k[14]);                           \
        const uint8x16_t input##n = veorq_u8(vld1q_u8(in + n * CMK_AES_BLOCK_SIZE), k[14]);                           \
        vst1q_u8(out + m * CMK_AES_BLOCK_SIZE, veorq_u8(vaeseq_u8(b##m, k[13]), input##m));                           \
        vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, veorq_u8(vaeseq_u8(b##n, k[13]), input##n));                           \
    }

/* The lanes do not carry from the low half of the counter to the high: the few blocks around such a carry go one
 * by one. Counters are public, so that branch is too. */
CMK_APART void variant_ctr_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                                  uint8_t *out, size_t blocks)
{
    uint64x2_t one = pair_u64(0, 1);
    counter128 next = counter_load(counter);
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    CMK_KEEP(one);
    load_key(k, schedule, rounds);
    while (blocks != 0) {
        for (; blocks >= LANES && next.low <= UINT64_MAX - LANES; blocks -= LANES) {
            uint64x2_t lanes = counter_lanes(next);
            EACH_LANE(COUNTER_LANE)
            EACH_ROUND(ENCRYPT_LANES)
            EACH_PAIR(XOR_LANES)
            next.low += LANES;
            in += LANES_SIZE;
            out += LANES_SIZE;
        }
        if (blocks != 0) {
            uint8x16_t b = counter_block(counter_lanes(next));
            EACH_ROUND(ENCRYPT_ONE)
            ENCRYPT_LAST(b)
            vst1q_u8(out, veorq_u8(b, vld1q_u8(in)));
            next = counter_add(next, 1);
            in += CMK_AES_BLOCK_SIZE;
            out += CMK_AES_BLOCK_SIZE;
            blocks--;
        }
    }
    vst1q_u8(counter, counter_block(counter_lanes(next)));
}

#endif
