/* SPDX-License-Identifier: MIT */
/* XTS on whole blocks by the AES instructions.
 *
 * Tweaks are made in plain registers, where they take three instructions each and none of the vector units' time,
 * and wait in memory for their two uses, since there are not registers for them beside eight blocks and the keys. */
#ifndef CMK_ARM64_AES_XTS_CORE_H
#define CMK_ARM64_AES_XTS_CORE_H

#include "../portable/aes_tweak.h"
#include "aes_core.h"

/* Little endian is what the guard of the kernels asks for, so a tweak's halves are its bytes. */
#define TWEAK_LANE(n)                                                                                                 \
    tweaks[2 * n] = next.low;                                                                                         \
    tweaks[2 * n + 1] = next.high;                                                                                    \
    next = tweak_next(next);
#define LOAD_TWEAK(n) vreinterpretq_u8_u64(vld1q_u64(tweaks + 2 * n))
#define LOAD_TWEAKED(n) uint8x16_t b##n = veorq_u8(vld1q_u8(in + n * CMK_AES_BLOCK_SIZE), LOAD_TWEAK(n));
/* The last round of two lanes. */
#define STORE_TWEAKED(CIPHER, m, n)                                                                                   \
    {                                                                                                                 \
        const uint8x16_t tweak##m = veorq_u8(LOAD_TWEAK(m), k[14]);                                                   \
        const uint8x16_t tweak##n = veorq_u8(LOAD_TWEAK(n), k[14]);                                                   \
        vst1q_u8(out + m * CMK_AES_BLOCK_SIZE, veorq_u8(CIPHER(b##m, k[13]), tweak##m));                              \
        vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, veorq_u8(CIPHER(b##n, k[13]), tweak##n));                              \
    }
#define STORE_ENCRYPTED(m, n) STORE_TWEAKED(vaeseq_u8, m, n)
#define STORE_DECRYPTED(m, n) STORE_TWEAKED(vaesdq_u8, m, n)

static inline uint8x16_t tweak_block(tweak128 tweak)
{
    return vreinterpretq_u8_u64(pair_u64(tweak.low, tweak.high));
}

CMK_APART void variant_xts_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                   uint8_t *out, size_t blocks)
{
    uint64_t tweaks[2 * LANES];
    tweak128 next = tweak_load(tweak);
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    for (; blocks >= LANES; blocks -= LANES, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(TWEAK_LANE)
        CMK_IN_MEMORY(tweaks);
        EACH_LANE(LOAD_TWEAKED)
        EACH_ROUND(ENCRYPT_LANES)
        CMK_IN_MEMORY(tweaks);
        EACH_PAIR(STORE_ENCRYPTED)
    }
    for (; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        const uint8x16_t mask = tweak_block(next);
        uint8x16_t b = veorq_u8(vld1q_u8(in), mask);
        EACH_ROUND(ENCRYPT_ONE)
        ENCRYPT_LAST(b)
        vst1q_u8(out, veorq_u8(b, mask));
        next = tweak_next(next);
    }
    tweak_store(tweak, next);
    wipe(tweaks, sizeof tweaks); /* last: a call while keys are in registers would put them on the stack */
}

CMK_APART void variant_xts_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                   uint8_t *out, size_t blocks)
{
    uint64_t tweaks[2 * LANES];
    tweak128 next = tweak_load(tweak);
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    for (; blocks >= LANES; blocks -= LANES, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(TWEAK_LANE)
        CMK_IN_MEMORY(tweaks);
        EACH_LANE(LOAD_TWEAKED)
        EACH_ROUND(DECRYPT_LANES)
        CMK_IN_MEMORY(tweaks);
        EACH_PAIR(STORE_DECRYPTED)
    }
    for (; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        const uint8x16_t mask = tweak_block(next);
        uint8x16_t b = veorq_u8(vld1q_u8(in), mask);
        EACH_ROUND(DECRYPT_ONE)
        DECRYPT_LAST(b)
        vst1q_u8(out, veorq_u8(b, mask));
        next = tweak_next(next);
    }
    tweak_store(tweak, next);
    wipe(tweaks, sizeof tweaks); /* last: a call while keys are in registers would put them on the stack */
}

#endif
