/* SPDX-License-Identifier: MIT */
/* Wiping of GCM keys and states, the same for all variants. */
#include "bytes.h"
#include "cmk/aes_gcm.h"

void cmk_aes_gcm_key_wipe(cmk_aes_gcm_key *key)
{
    if (key != NULL) {
        wipe(key, sizeof *key);
    }
}

void cmk_aes_gcm_wipe(cmk_aes_gcm_state *state)
{
    if (state != NULL) {
        wipe(state, sizeof *state);
    }
}
