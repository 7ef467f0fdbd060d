/* SPDX-License-Identifier: MIT */
/* GCM in plain C. */
#include "aes_core.h"
#include "aes_gcm_core.h"
#include "ghash_core.h"

#include "aes_gcm_frontend.h"

cmk_status cmk_aes_gcm_set_key_portable(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length)
{
    return aes_gcm_set_key(key, bytes, length);
}

cmk_status cmk_aes_gcm_encrypt_portable(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                        const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                        size_t length, uint8_t *tag, size_t tag_length)
{
    return aes_gcm_encrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status cmk_aes_gcm_decrypt_portable(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                        const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                        size_t length, const uint8_t *tag, size_t tag_length)
{
    return aes_gcm_decrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status cmk_aes_gcm_init_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                     size_t iv_length)
{
    return aes_gcm_init(state, key, iv, iv_length);
}

cmk_status cmk_aes_gcm_aad_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                           size_t aad_length)
{
    return aes_gcm_aad_update(state, key, aad, aad_length);
}

cmk_status cmk_aes_gcm_encrypt_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                               const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_gcm_encrypt_update(state, key, in, out, length);
}

cmk_status cmk_aes_gcm_encrypt_final_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                              size_t tag_length)
{
    return aes_gcm_encrypt_final(state, key, tag, tag_length);
}

cmk_status cmk_aes_gcm_decrypt_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                               const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_gcm_decrypt_update(state, key, in, out, length);
}

cmk_status cmk_aes_gcm_decrypt_final_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                              const uint8_t *tag, size_t tag_length)
{
    return aes_gcm_decrypt_final(state, key, tag, tag_length);
}
