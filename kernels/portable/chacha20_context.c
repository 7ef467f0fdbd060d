/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of ChaCha20 streams, the same for all variants. */
#include "bytes.h"
#include "chacha20_words.h"
#include "cmk/chacha20.h"

cmk_status cmk_chacha20_init(cmk_chacha20_state *state, const uint8_t key[CMK_CHACHA20_KEY_SIZE],
                             const uint8_t nonce[CMK_CHACHA20_NONCE_SIZE], uint32_t counter)
{
    if (state == NULL || key == NULL || nonce == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(state, 0, sizeof *state);
    chacha20_fill(state->words, key, nonce, counter);
    return CMK_OK;
}

void cmk_chacha20_wipe(cmk_chacha20_state *state)
{
    if (state != NULL) {
        wipe(state, sizeof *state);
    }
}
