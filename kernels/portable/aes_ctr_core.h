/* SPDX-License-Identifier: MIT */
/* CTR in plain C, with a counter of 128 bits. */
#ifndef CMK_PORTABLE_AES_CTR_CORE_H
#define CMK_PORTABLE_AES_CTR_CORE_H

#include "aes_core.h"
#include "aes_counter.h"

static inline void variant_ctr_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                                      uint8_t *out, size_t blocks)
{
    key_planes planes;
    uint8_t batch[BATCH_SIZE];
    counter128 next = counter_load(counter);
    load_key(&planes, schedule, rounds);
    while (blocks != 0) {
        size_t count = blocks < BATCH ? blocks : BATCH;
        for (unsigned block = 0; block < BATCH; block++) {
            counter_store(batch + block * CMK_AES_BLOCK_SIZE, counter_add(next, block));
        }
        encrypt_batch(&planes, rounds, batch, batch);
        xor_bytes(out, in, batch, count * CMK_AES_BLOCK_SIZE);
        next = counter_add(next, count);
        in += count * CMK_AES_BLOCK_SIZE;
        out += count * CMK_AES_BLOCK_SIZE;
        blocks -= count;
    }
    counter_store(counter, next);
    wipe(batch, sizeof batch);
    wipe(&planes, sizeof planes);
}

#endif
