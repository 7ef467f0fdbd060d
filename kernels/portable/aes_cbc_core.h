/* SPDX-License-Identifier: MIT */
/* CBC in plain C. Encryption has one block at a time, which takes as long as four. */
#ifndef CMK_PORTABLE_AES_CBC_CORE_H
#define CMK_PORTABLE_AES_CBC_CORE_H

#include "aes_core.h"

static inline void variant_cbc_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                       uint8_t *out, size_t blocks)
{
    key_planes planes;
    uint8_t batch[BATCH_SIZE] = {0};
    memcpy(batch, iv, CMK_AES_BLOCK_SIZE);
    load_key(&planes, schedule, rounds);
    for (; blocks != 0; blocks--, in += CMK_AES_BLOCK_SIZE, out += CMK_AES_BLOCK_SIZE) {
        xor_bytes(batch, batch, in, CMK_AES_BLOCK_SIZE);
        encrypt_batch(&planes, rounds, batch, batch);
        memcpy(out, batch, CMK_AES_BLOCK_SIZE);
    }
    memcpy(iv, batch, CMK_AES_BLOCK_SIZE);
    wipe(batch, sizeof batch);
    wipe(&planes, sizeof planes);
}

/* `before` is the ciphertext before the batch, and then the batch: in place it is gone from `in`. */
static inline void variant_cbc_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                       uint8_t *out, size_t blocks)
{
    key_planes planes;
    uint8_t batch[BATCH_SIZE] = {0}, before[CMK_AES_BLOCK_SIZE + BATCH_SIZE];
    memcpy(before, iv, CMK_AES_BLOCK_SIZE);
    load_key(&planes, schedule, rounds);
    while (blocks != 0) {
        size_t size = (blocks < BATCH ? blocks : BATCH) * CMK_AES_BLOCK_SIZE;
        memcpy(batch, in, size);
        memcpy(before + CMK_AES_BLOCK_SIZE, in, size);
        decrypt_batch(&planes, rounds, batch, batch);
        xor_bytes(out, batch, before, size);
        memcpy(before, before + size, CMK_AES_BLOCK_SIZE);
        in += size;
        out += size;
        blocks -= size / CMK_AES_BLOCK_SIZE;
    }
    memcpy(iv, before, CMK_AES_BLOCK_SIZE);
    wipe(batch, sizeof batch);
    wipe(&planes, sizeof planes);
}

#endif
