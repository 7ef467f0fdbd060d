/* SPDX-License-Identifier: MIT */
/* Key expansion, ECB and CTR in plain C. */
#include "aes_core.h"
#include "aes_ctr_core.h"
#include "aes_frontend.h"
#include "aes_key_frontend.h"

cmk_status cmk_aes_set_key_portable(cmk_aes_key *key, const uint8_t *bytes, size_t length)
{
    return aes_set_key(key, bytes, length);
}

cmk_status cmk_aes_ecb_encrypt_portable(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_ecb_encrypt(key, in, out, length);
}

cmk_status cmk_aes_ecb_decrypt_portable(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    return aes_ecb_decrypt(key, in, out, length);
}

cmk_status cmk_aes_ctr_portable(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                                size_t length)
{
    return aes_ctr(state, key, in, out, length);
}
