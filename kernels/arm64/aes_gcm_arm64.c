/* SPDX-License-Identifier: MIT */
/* GCM by the AES and PMULL instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_GCM_ARM64

#include "dialect.h"

CMK_TARGET_AES_GCM_ARM64

#include "aes_core.h"
#include "aes_gcm_core.h"
#include "ghash_core.h"

#include "../portable/aes_gcm_frontend.h"

cmk_status cmk_aes_gcm_set_key_arm64(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length)
{
    return aes_gcm_set_key(key, bytes, length);
}

cmk_status cmk_aes_gcm_encrypt_arm64(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                     const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                     size_t length, uint8_t *tag, size_t tag_length)
{
    return aes_gcm_encrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status cmk_aes_gcm_decrypt_arm64(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                     const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                     size_t length, const uint8_t *tag, size_t tag_length)
{
    return aes_gcm_decrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status cmk_aes_gcm_init_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                  size_t iv_length)
{
    return aes_gcm_init(state, key, iv, iv_length);
}

cmk_status cmk_aes_gcm_aad_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                        size_t aad_length)
{
    return aes_gcm_aad_update(state, key, aad, aad_length);
}

cmk_status cmk_aes_gcm_encrypt_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                            uint8_t *out, size_t length)
{
    return aes_gcm_encrypt_update(state, key, in, out, length);
}

cmk_status cmk_aes_gcm_encrypt_final_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                           size_t tag_length)
{
    return aes_gcm_encrypt_final(state, key, tag, tag_length);
}

cmk_status cmk_aes_gcm_decrypt_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                            uint8_t *out, size_t length)
{
    return aes_gcm_decrypt_update(state, key, in, out, length);
}

cmk_status cmk_aes_gcm_decrypt_final_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *tag,
                                           size_t tag_length)
{
    return aes_gcm_decrypt_final(state, key, tag, tag_length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_gcm_arm64_not_built;

#endif
