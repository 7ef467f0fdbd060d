/* SPDX-License-Identifier: MIT */
/* GCM on whole blocks by the AES and PMULL instructions.
 *
 * In the wide loop GHASH of eight blocks goes on beside the rounds of eight others: in encryption the eight that came
 * before, in decryption the same. Round keys and powers of H are loaded where they are used, as blocks and sums need
 * the registers. The order of the text is kept (see dialect.h). */
#ifndef CMK_ARM64_AES_GCM_CORE_H
#define CMK_ARM64_AES_GCM_CORE_H

#include "aes_core.h"
#include "ghash_core.h"

/* ---- the counter, whose last 32 bits count ------------------------------------------------------------- */

static inline uint32x4_t load_counter32(const uint8_t *counter)
{
    return vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(counter)));
}

static inline uint8x16_t counter32_block(uint32x4_t counter)
{
    return vrev32q_u8(vreinterpretq_u8_u32(counter));
}

/* 1 for the last 32 bits, and the sum. */
static inline uint32x4_t counter32_one(void)
{
    return vsetq_lane_u32(1, vdupq_n_u32(0), 3);
}

static inline uint32x4_t counter32_add(uint32x4_t counter, uint32x4_t one)
{
    return vaddq_u32(counter, one);
}

#define COUNTER32_LANE(n)                                                                                             \
    uint8x16_t b##n = counter32_block(next);                                                                          \
    next = counter32_add(next, one);

/* ---- CTR alone ------------------------------------------------------------------------------------------ */

/* The last round of two lanes. */
#define LAST_OF_LANES(m, n, key13, key14)                                                                             \
    {                                                                                                                 \
        const uint8x16_t input##m = vld1q_u8(in + m * CMK_AES_BLOCK_SIZE);                                            \
        const uint8x16_t input##n = vld1q_u8(in + n * CMK_AES_BLOCK_SIZE);                                            \
        vst1q_u8(out + m * CMK_AES_BLOCK_SIZE, xor3(vaeseq_u8(b##m, key13), input##m, key14));                        \
        vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, xor3(vaeseq_u8(b##n, key13), input##n, key14));                        \
    }
#define CTR32_LANES(m, n) LAST_OF_LANES(m, n, k[13], k[14])

CMK_APART void variant_ctr32_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                                    uint8_t *out, size_t blocks)
{
    uint32x4_t one = counter32_one();
    uint32x4_t next = load_counter32(counter);
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    CMK_KEEP(one);
    load_key(k, schedule, rounds);
    for (; blocks >= LANES; blocks -= LANES, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(COUNTER32_LANE)
        EACH_ROUND(ENCRYPT_LANES)
        EACH_PAIR(CTR32_LANES)
    }
    for (; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        uint8x16_t b = counter32_block(next);
        next = counter32_add(next, one);
        EACH_ROUND(ENCRYPT_ONE)
        vst1q_u8(out, xor3(vaeseq_u8(b, k[13]), vld1q_u8(in), k[14]));
    }
    vst1q_u8(counter, counter32_block(next));
}

/* ---- both in one loop ----------------------------------------------------------------------------------- */

/* Two rounds of all lanes. Keys are counted from the end, as in load_key. */
#define GCM_ROUND_KEY(n) vld1q_u8(last_key - (14 - n) * CMK_AES_BLOCK_SIZE)
#define GCM_TWO_ROUNDS(m, n)                                                                                          \
    {                                                                                                                 \
        uint8x16_t key##m = GCM_ROUND_KEY(m), key##n = GCM_ROUND_KEY(n);                                              \
        CMK_KEEP(key##m);                                                                                             \
        CMK_KEEP(key##n);                                                                                             \
        ENCRYPT_LANES(key##m)                                                                                         \
        CMK_IN_ORDER(b0, b3, b7, key##m);                                                                             \
        ENCRYPT_LANES(key##n)                                                                                         \
        CMK_IN_ORDER(b0, b3, b7, key##n);                                                                             \
    }

/* The products of two blocks of `hashed`; of the first two the first has the hash so far added. */
#define GCM_HASH(ADD, n, HASH_SO_FAR)                                                                                 \
    {                                                                                                                 \
        uint8x16_t x0 = vld1q_u8(hashed + 2 * (n) * CMK_AES_BLOCK_SIZE);                                              \
        uint8x16_t x1 = vld1q_u8(hashed + (2 * (n) + 1) * CMK_AES_BLOCK_SIZE);                                        \
        uint8x16_t halves = load_halves(powers, n);                                                                   \
        CMK_KEEP(x0);                                                                                                 \
        CMK_KEEP(x1);                                                                                                 \
        CMK_KEEP(halves);                                                                                             \
        x0 = HASH_SO_FAR(vrbitq_u8(x0));                                                                              \
        x1 = vrbitq_u8(x1);                                                                                           \
        GHASH_PAIR(ADD, n, x0, x1, halves)                                                                            \
        CMK_IN_ORDER(sum.low, sum.middle, sum.high, b0);                                                              \
    }
#define GCM_FIRST(x) veorq_u8(x, hash_so_far)
#define GCM_OTHER(x) (x)

#define GCM_STORE(m, n) LAST_OF_LANES(m, n, key13, key14)

/* CTR of eight blocks, and GHASH of the eight at `hashed`, which are read before anything is written. */
#define GCM_LANES                                                                                                     \
    {                                                                                                                 \
        ghash_sum sum;                                                                                                \
        EACH_LANE(COUNTER32_LANE)                                                                                     \
        if (rounds & 4) {                                                                                             \
            if (rounds & 2) {                                                                                         \
                GCM_TWO_ROUNDS(0, 1)                                                                                  \
            }                                                                                                         \
            GCM_TWO_ROUNDS(2, 3)                                                                                      \
        }                                                                                                             \
        GCM_TWO_ROUNDS(4, 5)                                                                                          \
        GCM_HASH(GHASH_SET, 0, GCM_FIRST)                                                                             \
        GCM_TWO_ROUNDS(6, 7)                                                                                          \
        GCM_HASH(GHASH_ADD, 1, GCM_OTHER)                                                                             \
        GCM_TWO_ROUNDS(8, 9)                                                                                          \
        GCM_HASH(GHASH_ADD, 2, GCM_OTHER)                                                                             \
        GCM_TWO_ROUNDS(10, 11)                                                                                        \
        GCM_HASH(GHASH_ADD, 3, GCM_OTHER)                                                                             \
        hash_so_far = ghash_reduce(sum, polynomial);                                                                  \
        const uint8x16_t key12 = GCM_ROUND_KEY(12), key13 = GCM_ROUND_KEY(13), key14 = GCM_ROUND_KEY(14);             \
        ENCRYPT_LANES(key12)                                                                                          \
        EACH_PAIR(GCM_STORE)                                                                                          \
    }

/* Batches at `in`, at least one, and GHASH from the batch before them on, whose ciphertext is before `out`. */
CMK_APART void gcm_encrypt_batches(const uint8_t *schedule, unsigned rounds, const uint8_t *powers, uint8_t *counter,
                                   uint8_t *hash, const uint8_t *in, uint8_t *out, size_t batches)
{
    const uint8_t *last_key = schedule + rounds * CMK_AES_BLOCK_SIZE;
    uint8x16_t polynomial = ghash_polynomial(), hash_so_far = load_reversed(hash);
    uint32x4_t one = counter32_one(), next = load_counter32(counter);
    CMK_KEEP(polynomial);
    CMK_KEEP(one);
    for (; batches != 0; batches--, in += LANES_SIZE, out += LANES_SIZE) {
        const uint8_t *hashed = out - LANES_SIZE;
        GCM_LANES
    }
    hash_so_far = ghash_batch(hash_so_far, powers, out - LANES_SIZE, polynomial);
    vst1q_u8(counter, counter32_block(next));
    vst1q_u8(hash, vrbitq_u8(hash_so_far));
}

/* Batches at `in`, and GHASH of them. */
CMK_APART void gcm_decrypt_batches(const uint8_t *schedule, unsigned rounds, const uint8_t *powers, uint8_t *counter,
                                   uint8_t *hash, const uint8_t *in, uint8_t *out, size_t batches)
{
    const uint8_t *last_key = schedule + rounds * CMK_AES_BLOCK_SIZE;
    uint8x16_t polynomial = ghash_polynomial(), hash_so_far = load_reversed(hash);
    uint32x4_t one = counter32_one(), next = load_counter32(counter);
    CMK_KEEP(polynomial);
    CMK_KEEP(one);
    for (; batches != 0; batches--, in += LANES_SIZE, out += LANES_SIZE) {
        const uint8_t *hashed = in;
        GCM_LANES
    }
    vst1q_u8(counter, counter32_block(next));
    vst1q_u8(hash, vrbitq_u8(hash_so_far));
}

/* ---- what the front end asks for ---------------------------------------------------------------------- */

static inline void variant_gcm_encrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                       uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                       size_t blocks)
{
    const size_t batches = blocks / LANES;
    if (batches >= 2) {
        variant_ctr32_blocks(schedule, rounds, counter, in, out, LANES);
        gcm_encrypt_batches(schedule, rounds, powers, counter, hash, in + LANES_SIZE, out + LANES_SIZE, batches - 1);
        in += batches * LANES_SIZE;
        out += batches * LANES_SIZE;
        blocks -= batches * LANES;
    }
    if (blocks != 0) {
        variant_ctr32_blocks(schedule, rounds, counter, in, out, blocks);
        variant_ghash(hash, powers, out, blocks);
    }
}

static inline void variant_gcm_decrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                       uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                       size_t blocks)
{
    const size_t batches = blocks / LANES;
    if (batches != 0) {
        gcm_decrypt_batches(schedule, rounds, powers, counter, hash, in, out, batches);
        in += batches * LANES_SIZE;
        out += batches * LANES_SIZE;
        blocks -= batches * LANES;
    }
    if (blocks != 0) {
        variant_ghash(hash, powers, in, blocks);
        variant_ctr32_blocks(schedule, rounds, counter, in, out, blocks);
    }
}

#endif
