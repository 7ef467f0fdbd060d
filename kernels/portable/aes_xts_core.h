/* SPDX-License-Identifier: MIT */
/* XTS on whole blocks in plain C. */
#ifndef CMK_PORTABLE_AES_XTS_CORE_H
#define CMK_PORTABLE_AES_XTS_CORE_H

#include "aes_core.h"
#include "aes_tweak.h"

/* Tweaks, and blocks with their tweaks added, of one batch. */
typedef struct xts_batch {
    uint8_t tweaks[BATCH_SIZE];
    uint8_t blocks[BATCH_SIZE];
} xts_batch;

/* Prepares the next blocks, up to four, and answers how many bytes they have. */
static inline size_t xts_begin(xts_batch *batch, tweak128 *tweak, const uint8_t *in, size_t blocks)
{
    size_t count = blocks < BATCH ? blocks : BATCH;
    for (size_t i = 0; i < count; i++) {
        tweak_store(batch->tweaks + i * CMK_AES_BLOCK_SIZE, *tweak);
        *tweak = tweak_next(*tweak);
    }
    xor_bytes(batch->blocks, in, batch->tweaks, count * CMK_AES_BLOCK_SIZE);
    return count * CMK_AES_BLOCK_SIZE;
}

static inline void xts_blocks(batch_cipher *cipher, const uint8_t *schedule, unsigned rounds, uint8_t *tweak,
                              const uint8_t *in, uint8_t *out, size_t blocks)
{
    key_planes planes;
    xts_batch batch = {{0}, {0}};
    tweak128 next = tweak_load(tweak);
    load_key(&planes, schedule, rounds);
    while (blocks != 0) {
        size_t size = xts_begin(&batch, &next, in, blocks);
        cipher(&planes, rounds, batch.blocks, batch.blocks);
        xor_bytes(out, batch.blocks, batch.tweaks, size);
        in += size;
        out += size;
        blocks -= size / CMK_AES_BLOCK_SIZE;
    }
    tweak_store(tweak, next);
    wipe(&batch, sizeof batch);
    wipe(&planes, sizeof planes);
}

static inline void variant_xts_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                       uint8_t *out, size_t blocks)
{
    xts_blocks(encrypt_batch, schedule, rounds, tweak, in, out, blocks);
}

static inline void variant_xts_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                       uint8_t *out, size_t blocks)
{
    xts_blocks(decrypt_batch, schedule, rounds, tweak, in, out, blocks);
}

#endif
