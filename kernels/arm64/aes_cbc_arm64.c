/* SPDX-License-Identifier: MIT */
/* CBC by the AES instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_ARM64

#include "dialect.h"

CMK_TARGET_AES_ARM64

#include "aes_cbc_core.h"

#include "../portable/aes_cbc_frontend.h"

cmk_status cmk_aes_cbc_encrypt_arm64(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                     uint8_t *out, size_t length)
{
    return aes_cbc_encrypt(key, iv, in, out, length);
}

cmk_status cmk_aes_cbc_decrypt_arm64(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                     uint8_t *out, size_t length)
{
    return aes_cbc_decrypt(key, iv, in, out, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_cbc_arm64_not_built;

#endif
