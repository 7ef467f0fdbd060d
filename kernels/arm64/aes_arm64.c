/* SPDX-License-Identifier: MIT */
/* Key expansion, ECB and CTR by the AES instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_ARM64

#include "dialect.h"

CMK_TARGET_AES_ARM64

#include "aes_core.h"
#include "aes_ctr_core.h"

#include "../portable/aes_frontend.h"
#include "../portable/aes_key_frontend.h"

cmk_status cmk_aes_set_key_arm64(cmk_aes_key *key, const uint8_t *bytes, size_t length)
{
    return aes_set_key(key, bytes, length);
}

cmk_status cmk_aes_ecb_encrypt_arm64(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_ecb_encrypt(key, in, out, length);
}

cmk_status cmk_aes_ecb_decrypt_arm64(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_ecb_decrypt(key, in, out, length);
}

cmk_status cmk_aes_ctr_arm64(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                             size_t length)
{
    return aes_ctr(state, key, in, out, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_arm64_not_built;

#endif
