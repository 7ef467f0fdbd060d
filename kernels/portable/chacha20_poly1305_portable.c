/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305 in plain C. */
#include "chacha20_core.h"
#include "chacha20_poly1305_frontend.h"
#include "poly1305_core.h"

static void variant_chacha20(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length)
{
    chacha20_plain(words, in, out, length);
}

static void variant_poly1305_blocks(cmk_poly1305_context *context, const uint8_t *in, size_t blocks)
{
    poly1305_plain_blocks(context->sum, context->r, in, blocks, POLY1305_BIT_128);
}

cmk_status cmk_chacha20_poly1305_encrypt_portable(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE])
{
    return aead_encrypt(key, nonce, aad, aad_length, in, out, length, tag);
}

cmk_status cmk_chacha20_poly1305_decrypt_portable(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, const uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE])
{
    return aead_decrypt(key, nonce, aad, aad_length, in, out, length, tag);
}
