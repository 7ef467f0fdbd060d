/* SPDX-License-Identifier: MIT */
/* XTS in plain C. */
#include "aes_core.h"
#include "aes_xts_core.h"
#include "aes_xts_frontend.h"

cmk_status cmk_aes_xts_set_key_portable(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length)
{
    return aes_xts_set_key(key, bytes, length);
}

cmk_status cmk_aes_xts_encrypt_portable(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                        const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_xts_encrypt(key, tweak, in, out, length);
}

cmk_status cmk_aes_xts_decrypt_portable(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                        const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_xts_decrypt(key, tweak, in, out, length);
}
