/* SPDX-License-Identifier: MIT */
/* The functions of a variant of GCM, for its source to end with. AES_GCM_NAME(set_key) is the name of its
 * cmk_aes_gcm_set_key, and so on. */
#ifndef CMK_PORTABLE_AES_GCM_FUNCTIONS_H
#define CMK_PORTABLE_AES_GCM_FUNCTIONS_H

#include "aes_gcm_frontend.h"

cmk_status AES_GCM_NAME(set_key)(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length)
{
    return aes_gcm_set_key(key, bytes, length);
}

cmk_status AES_GCM_NAME(encrypt)(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                                 size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag,
                                 size_t tag_length)
{
    return aes_gcm_encrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status AES_GCM_NAME(decrypt)(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                                 size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                 const uint8_t *tag, size_t tag_length)
{
    return aes_gcm_decrypt(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
}

cmk_status AES_GCM_NAME(init)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                              size_t iv_length)
{
    return aes_gcm_init(state, key, iv, iv_length);
}

cmk_status AES_GCM_NAME(aad_update)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                    size_t aad_length)
{
    return aes_gcm_aad_update(state, key, aad, aad_length);
}

cmk_status AES_GCM_NAME(encrypt_update)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                        uint8_t *out, size_t length)
{
    return aes_gcm_encrypt_update(state, key, in, out, length);
}

cmk_status AES_GCM_NAME(encrypt_final)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                       size_t tag_length)
{
    return aes_gcm_encrypt_final(state, key, tag, tag_length);
}

cmk_status AES_GCM_NAME(decrypt_update)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                        uint8_t *out, size_t length)
{
    return aes_gcm_decrypt_update(state, key, in, out, length);
}

cmk_status AES_GCM_NAME(decrypt_final)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *tag,
                                       size_t tag_length)
{
    return aes_gcm_decrypt_final(state, key, tag, tag_length);
}

#endif
