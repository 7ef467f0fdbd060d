/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of AES contexts, the same for all variants. */
#include "bytes.h"
#include "cmk/aes.h"

cmk_status cmk_aes_ctr_init(cmk_aes_ctr_state *state, const uint8_t counter[CMK_AES_BLOCK_SIZE])
{
    if (state == NULL || counter == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(state, 0, sizeof *state);
    memcpy(state->counter, counter, CMK_AES_BLOCK_SIZE);
    return CMK_OK;
}

void cmk_aes_key_wipe(cmk_aes_key *key)
{
    if (key != NULL) {
        wipe(key, sizeof *key);
    }
}

void cmk_aes_ctr_wipe(cmk_aes_ctr_state *state)
{
    if (state != NULL) {
        wipe(state, sizeof *state);
    }
}
