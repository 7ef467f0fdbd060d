/* SPDX-License-Identifier: MIT */
/* CBC by the AES instructions. */
#ifndef CMK_ARM64_AES_CBC_CORE_H
#define CMK_ARM64_AES_CBC_CORE_H

#include "aes_core.h"

/* Encryption is one chain: what a block takes is what its rounds wait for one another. So nothing else may be on
 * the chain. `b` is a block before its last round key is added; that key, the next plaintext and the next first
 * round key are added to one another beforehand, and to `b` by AESE. */
#define CBC_ENCRYPT_ONE(n)                                                                                            \
    {                                                                                                                 \
        const uint8x16_t joined = veorq_u8(vld1q_u8(in + n * CMK_AES_BLOCK_SIZE), last_and_first);                    \
        ENCRYPT_ROUND(b, joined)                                                                                      \
        EACH_INNER_ROUND(ENCRYPT_ONE)                                                                                 \
        b = vaeseq_u8(b, k[13]);                                                                                      \
        vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, veorq_u8(b, k[14]));                                                   \
    }

CMK_APART void variant_cbc_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                   uint8_t *out, size_t blocks)
{
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    const uint8x16_t last_and_first = veorq_u8(k[14], vld1q_u8(schedule));
    uint8x16_t b = veorq_u8(vld1q_u8(iv), k[14]);
    for (; blocks >= 4; blocks -= 4, in += 4 * CMK_AES_BLOCK_SIZE, out += 4 * CMK_AES_BLOCK_SIZE) {
        CBC_ENCRYPT_ONE(0)
        CBC_ENCRYPT_ONE(1)
        CBC_ENCRYPT_ONE(2)
        CBC_ENCRYPT_ONE(3)
    }
    for (; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        CBC_ENCRYPT_ONE(0)
    }
    vst1q_u8(iv, veorq_u8(b, k[14]));
}

/* The last round of two lanes. The ciphertext before them is read again, so the lanes go from the last to the
 * first: in place it is overwritten only when it is no more needed. */
#define CBC_DECRYPT_LANES(m, n)                                                                                       \
    {                                                                                                                 \
        const uint8x16_t before##m = veorq_u8(vld1q_u8(in + (m - 1) * CMK_AES_BLOCK_SIZE), k[14]);                    \
        const uint8x16_t before##n = veorq_u8(vld1q_u8(in + m * CMK_AES_BLOCK_SIZE), k[14]);                          \
        vst1q_u8(out + m * CMK_AES_BLOCK_SIZE, veorq_u8(vaesdq_u8(b##m, k[13]), before##m));                          \
        vst1q_u8(out + n * CMK_AES_BLOCK_SIZE, veorq_u8(vaesdq_u8(b##n, k[13]), before##n));                          \
    }

CMK_APART void variant_cbc_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                   uint8_t *out, size_t blocks)
{
    uint8x16_t before = vld1q_u8(iv);
    uint8x16_t k[CMK_AES_MAX_ROUNDS + 1];
    load_key(k, schedule, rounds);
    for (size_t batches = blocks / LANES; batches != 0; batches--, in += LANES_SIZE, out += LANES_SIZE) {
        EACH_LANE(LOAD_LANE)
        const uint8x16_t next = b7;
        EACH_ROUND(DECRYPT_LANES)
        CBC_DECRYPT_LANES(6, 7)
        CBC_DECRYPT_LANES(4, 5)
        CBC_DECRYPT_LANES(2, 3)
        before = veorq_u8(before, k[14]);
        const uint8x16_t first = veorq_u8(vld1q_u8(in), k[14]);
        vst1q_u8(out, veorq_u8(vaesdq_u8(b0, k[13]), before));
        vst1q_u8(out + CMK_AES_BLOCK_SIZE, veorq_u8(vaesdq_u8(b1, k[13]), first));
        before = next;
    }
    for (blocks %= LANES; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        uint8x16_t b = vld1q_u8(in);
        const uint8x16_t next = b;
        EACH_ROUND(DECRYPT_ONE)
        DECRYPT_LAST(b)
        vst1q_u8(out, veorq_u8(b, before));
        before = next;
    }
    vst1q_u8(iv, before);
}

#endif
