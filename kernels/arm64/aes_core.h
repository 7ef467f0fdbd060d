/* SPDX-License-Identifier: MIT */
/* AES by the AESE, AESD, AESMC and AESIMC instructions of the Armv8-A Cryptographic Extension.
 *
 * AESE adds a round key, then substitutes and shifts rows, so a round of FIPS 197 is AESE with the round key
 * before it and AESMC; the last has no AESMC and ends by adding the last round key. AESD and AESIMC do the same
 * for the equivalent inverse cipher. Eight blocks are in flight, as one chain of rounds waits on itself.
 *
 * Round keys and blocks have no place in memory that could be wiped: in optimised code they are in registers only.
 * A build without optimisation leaves them on the dead stack.
 *
 * This and the other core headers define what the front ends in ../portable ask for; the contracts are there. A
 * source includes dialect.h, opens its target attribute, and then includes them. */
#ifndef CMK_ARM64_AES_CORE_H
#define CMK_ARM64_AES_CORE_H

#include "cmk/aes.h"

#define LANES 8
#define LANES_SIZE (LANES * CMK_AES_BLOCK_SIZE)
#define EACH_LANE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
/* Loads and stores of neighbours are done together, as there are instructions for two. */
#define EACH_PAIR(DO) DO(0, 1) DO(2, 3) DO(4, 5) DO(6, 7)

/* ---- rounds ------------------------------------------------------------------------------------------- */

/* The round keys, the last always in k[14], so that most rounds use the same registers for all key sizes:
 * AES-192 begins with k[2], AES-128 with k[4]. */
CMK_INLINE void load_key(uint8x16_t k[CMK_AES_MAX_ROUNDS + 1], const uint8_t *schedule, unsigned rounds)
{
    const uint8_t *last = schedule + rounds * CMK_AES_BLOCK_SIZE;
    k[14] = vld1q_u8(last);
    k[13] = vld1q_u8(last - 16);
    k[12] = vld1q_u8(last - 32);
    k[11] = vld1q_u8(last - 48);
    k[10] = vld1q_u8(last - 64);
    k[9] = vld1q_u8(last - 80);
    k[8] = vld1q_u8(last - 96);
    k[7] = vld1q_u8(last - 112);
    k[6] = vld1q_u8(last - 128);
    k[5] = vld1q_u8(last - 144);
    k[4] = vld1q_u8(last - 160);
    k[3] = k[2] = k[1] = k[0] = k[4];
    if (rounds > 10) {
        k[3] = vld1q_u8(last - 176);
        k[2] = vld1q_u8(last - 192);
    }
    if (rounds > 12) {
        k[1] = vld1q_u8(last - 208);
        k[0] = vld1q_u8(last - 224);
    }
}

#define ENCRYPT_ROUND(block, key) block = vaesmcq_u8(vaeseq_u8(block, key));
#define ENCRYPT_LAST(block) block = veorq_u8(vaeseq_u8(block, k[13]), k[14]);
#define DECRYPT_ROUND(block, key) block = vaesimcq_u8(vaesdq_u8(block, key));
#define DECRYPT_LAST(block) block = veorq_u8(vaesdq_u8(block, k[13]), k[14]);

/* All rounds but the last, each done by ROUND(key). The bits of `rounds` are tested, which takes one instruction
 * a bit: 4 is set in 12 and 14, then 2 in 14 alone. */
#define EACH_ROUND(ROUND)                                                                                             \
    if (rounds & 4) {                                                                                                 \
        if (rounds & 2) {                                                                                             \
            ROUND(k[0])                                                                                               \
            ROUND(k[1])                                                                                               \
        }                                                                                                             \
        ROUND(k[2])                                                                                                   \
        ROUND(k[3])                                                                                                   \
    }                                                                                                                 \
    ROUND(k[4])                                                                                                       \
    ROUND(k[5])                                                                                                       \
    ROUND(k[6])                                                                                                       \
    ROUND(k[7])                                                                                                       \
    ROUND(k[8])                                                                                                       \
    ROUND(k[9])                                                                                                       \
    ROUND(k[10])                                                                                                      \
    ROUND(k[11])                                                                                                      \
    ROUND(k[12])

/* The same without the first. */
#define EACH_INNER_ROUND(ROUND)                                                                                       \
    if (rounds & 4) {                                                                                                 \
        if (rounds & 2) {                                                                                             \
            ROUND(k[1])                                                                                               \
            ROUND(k[2])                                                                                               \
        }                                                                                                             \
        ROUND(k[3])                                                                                                   \
        ROUND(k[4])                                                                                                   \
    }                                                                                                                 \
    ROUND(k[5])                                                                                                       \
    ROUND(k[6])                                                                                                       \
    ROUND(k[7])                                                                                                       \
    ROUND(k[8])                                                                                                       \
    ROUND(k[9])                                                                                                       \
    ROUND(k[10])                                                                                                      \
    ROUND(k[11])                                                                                                      \
    ROUND(k[12])

/* One block, `b`. */
#define ENCRYPT_ONE(key) ENCRYPT_ROUND(b, key)
#define DECRYPT_ONE(key) DECRYPT_ROUND(b, key)

/* Eight blocks, `b0` to `b7`. */
#define ENCRYPT_LANES(key)                                                                                            \
    ENCRYPT_ROUND(b0, key)                                                                                            \
    ENCRYPT_ROUND(b1, key)                                                                                            \
    ENCRYPT_ROUND(b2, key)                                                                                            \
    ENCRYPT_ROUND(b3, key)                                                                                            \
    ENCRYPT_ROUND(b4, key)                                                                                            \
    ENCRYPT_ROUND(b5, key)                                                                                            \
    ENCRYPT_ROUND(b6, key)                                                                                            \
    ENCRYPT_ROUND(b7, key)
#define DECRYPT_LANES(key)                                                                                            \
    DECRYPT_ROUND(b0, key)                                                                                            \
    DECRYPT_ROUND(b1, key)                                                                                            \
    DECRYPT_ROUND(b2, key)                                                                                            \
    DECRYPT_ROUND(b3, key)                                                                                            \
    DECRYPT_ROUND(b4, key)                                                                                            \
    DECRYPT_ROUND(b5, key)                                                                                            \
    DECRYPT_ROUND(b6, key)                                                                                            \
    DECRYPT_ROUND(b7, key)

#define ENCRYPT_LANE_LAST(n) ENCRYPT_LAST(b##n)
#define DECRYPT_LANE_LAST(n) DECRYPT_LAST(b##n)
#define LOAD_LANE(n) uint8x16_t b##n = vld1q_u8(in + n * CMK_AES_BLOCK_SIZE);
#define STORE_LANE(n) vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, b##n);

/* ---- what the front ends ask for ---------------------------------------------------------------------- */

/* With equal columns, and a round key of zero, AESE is SubWord in each column: ShiftRows moves each byte onto
 * its equal. */
static inline uint32_t variant_sub_word(uint32_t word)
{
    uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

static inline void variant_inverse_mix_columns(const uint8_t *in, uint8_t *out)
{
    vst1q_u8(out, vaesimcq_u8(vld1q_u8(in)));
}

CMK_APART void variant_encrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                      size_t blocks)
{
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    for (size_t batches = blocks / LANES; batches != 0; batches--, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(LOAD_LANE)
        EACH_ROUND(ENCRYPT_LANES)
        EACH_LANE(ENCRYPT_LANE_LAST)
        EACH_LANE(STORE_LANE)
    }
    for (blocks %= LANES; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        uint8x16_t b = vld1q_u8(in);
        EACH_ROUND(ENCRYPT_ONE)
        ENCRYPT_LAST(b)
        vst1q_u8(out, b);
    }
}

CMK_APART void variant_decrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                      size_t blocks)
{
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    for (size_t batches = blocks / LANES; batches != 0; batches--, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(LOAD_LANE)
        EACH_ROUND(DECRYPT_LANES)
        EACH_LANE(DECRYPT_LANE_LAST)
        EACH_LANE(STORE_LANE)
    }
    for (blocks %= LANES; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        uint8x16_t b = vld1q_u8(in);
        EACH_ROUND(DECRYPT_ONE)
        DECRYPT_LAST(b)
        vst1q_u8(out, b);
    }
}

#endif
