/* SPDX-License-Identifier: MIT */
/* Wiping of XTS keys, the same for all variants. */
#include "bytes.h"
#include "cmk/aes_xts.h"

void cmk_aes_xts_key_wipe(cmk_aes_xts_key *key)
{
    if (key != NULL) {
        wipe(key, sizeof *key);
    }
}
