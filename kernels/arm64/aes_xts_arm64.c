/* SPDX-License-Identifier: MIT */
/* XTS by the AES instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_ARM64

#include "dialect.h"

CMK_TARGET_AES_ARM64

#include "aes_core.h"
#include "aes_xts_core.h"

#include "../portable/aes_xts_frontend.h"

cmk_status cmk_aes_xts_set_key_arm64(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length)
{
    return aes_xts_set_key(key, bytes, length);
}

cmk_status cmk_aes_xts_encrypt_arm64(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                     const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_xts_encrypt(key, tweak, in, out, length);
}

cmk_status cmk_aes_xts_decrypt_arm64(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                     const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_xts_decrypt(key, tweak, in, out, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_xts_arm64_not_built;

#endif
