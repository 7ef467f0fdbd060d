/* SPDX-License-Identifier: MIT */
/* GCM on whole blocks in plain C. */
#ifndef CMK_PORTABLE_AES_GCM_CORE_H
#define CMK_PORTABLE_AES_GCM_CORE_H

#include "aes_core.h"
#include "ghash_core.h"

static inline void variant_ctr32_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                                        uint8_t *out, size_t blocks)
{
    key_planes planes;
    uint8_t batch[BATCH_SIZE];
    uint32_t next = load32_be(counter + 12);
    load_key(&planes, schedule, rounds);
    while (blocks != 0) {
        size_t count = blocks < BATCH ? blocks : BATCH;
        for (unsigned block = 0; block < BATCH; block++) {
            memcpy(batch + block * CMK_AES_BLOCK_SIZE, counter, 12);
            store32_be(batch + block * CMK_AES_BLOCK_SIZE + 12, next + block);
        }
        encrypt_batch(&planes, rounds, batch, batch);
        xor_bytes(out, in, batch, count * CMK_AES_BLOCK_SIZE);
        next += (uint32_t)count;
        in += count * CMK_AES_BLOCK_SIZE;
        out += count * CMK_AES_BLOCK_SIZE;
        blocks -= count;
    }
    store32_be(counter + 12, next);
    wipe(batch, sizeof batch);
    wipe(&planes, sizeof planes);
}

static inline void variant_gcm_encrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                       uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                       size_t blocks)
{
    variant_ctr32_blocks(schedule, rounds, counter, in, out, blocks);
    variant_ghash(hash, powers, out, blocks);
}

static inline void variant_gcm_decrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                       uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                       size_t blocks)
{
    variant_ghash(hash, powers, in, blocks);
    variant_ctr32_blocks(schedule, rounds, counter, in, out, blocks);
}

#endif
