/* SPDX-License-Identifier: MIT */
/* CBC in plain C. */
#include "aes_cbc_core.h"
#include "aes_cbc_frontend.h"

cmk_status cmk_aes_cbc_encrypt_portable(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                        uint8_t *out, size_t length)
{
    return aes_cbc_encrypt(key, iv, in, out, length);
}

cmk_status cmk_aes_cbc_decrypt_portable(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                        uint8_t *out, size_t length)
{
    return aes_cbc_decrypt(key, iv, in, out, length);
}
