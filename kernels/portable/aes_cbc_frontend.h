/* SPDX-License-Identifier: MIT */
/* CBC, the same for all variants: argument checks. */
#ifndef CMK_PORTABLE_AES_CBC_FRONTEND_H
#define CMK_PORTABLE_AES_CBC_FRONTEND_H

#include "aes_checks.h"

/* aes_cbc_core.h: whole blocks, at least one. `iv` is added to the first block, and left as the last block of
 * ciphertext. Decryption takes the keys of the equivalent inverse cipher. */
static void variant_cbc_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                uint8_t *out, size_t blocks);
static void variant_cbc_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *iv, const uint8_t *in,
                                uint8_t *out, size_t blocks);

static inline cmk_status aes_cbc_encrypt(const cmk_aes_key *key, uint8_t *iv, const uint8_t *in, uint8_t *out,
                                         size_t length)
{
    cmk_status status = iv == NULL ? CMK_ERROR_NULL : check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_cbc_encrypt(key->encrypt, key->rounds, iv, in, out, length / CMK_AES_BLOCK_SIZE);
    }
    return status;
}

static inline cmk_status aes_cbc_decrypt(const cmk_aes_key *key, uint8_t *iv, const uint8_t *in, uint8_t *out,
                                         size_t length)
{
    cmk_status status = iv == NULL ? CMK_ERROR_NULL : check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_cbc_decrypt(key->decrypt, key->rounds, iv, in, out, length / CMK_AES_BLOCK_SIZE);
    }
    return status;
}

#endif
