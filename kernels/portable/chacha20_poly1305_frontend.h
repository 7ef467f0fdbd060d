/* SPDX-License-Identifier: MIT */
/* What the variants of ChaCha20-Poly1305 share: all but the two algorithms.
 *
 * A variant's source includes this file once, defines variant_chacha20 and variant_poly1305_blocks, and wraps the
 * functions at the end under its own external names. */
#ifndef CMK_PORTABLE_CHACHA20_POLY1305_FRONTEND_H
#define CMK_PORTABLE_CHACHA20_POLY1305_FRONTEND_H

#include "bytes.h"
#include "chacha20_frontend.h"
#include "chacha20_words.h"
#include "cmk/chacha20_poly1305.h"
#include "poly1305_ends.h"
#include "poly1305_frontend.h"

static inline cmk_status aead_check(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                                    const uint8_t *in, const uint8_t *out, size_t length, const uint8_t *tag)
{
    if (key == NULL || nonce == NULL || tag == NULL || (aad_length != 0 && aad == NULL) ||
        (length != 0 && (in == NULL || out == NULL))) {
        return CMK_ERROR_NULL;
    }
    return (uint64_t)length > CMK_CHACHA20_POLY1305_MAX_LENGTH ? CMK_ERROR_LENGTH : CMK_OK;
}

/* Block 0 of the keystream begins with the key of Poly1305 (section 2.6). `words` is left at block 1. */
static inline void aead_begin(uint32_t words[16], cmk_poly1305_context *mac, const uint8_t *key, const uint8_t *nonce)
{
    uint8_t block[CMK_CHACHA20_BLOCK_SIZE] = {0};
    chacha20_fill(words, key, nonce, 0);
    variant_chacha20(words, block, block, sizeof block);
    poly1305_begin(mac, block);
    wipe(block, sizeof block);
}

/* The data, and zeros up to a whole block. */
static inline void aead_absorb(cmk_poly1305_context *mac, const uint8_t *data, size_t length)
{
    static const uint8_t zeros[CMK_POLY1305_BLOCK_SIZE];
    if (length != 0) {
        poly1305_absorb(mac, data, length);
        poly1305_absorb(mac, zeros, (0 - length) % CMK_POLY1305_BLOCK_SIZE);
    }
}

/* Ends the message of `mac`, which is not begun otherwise: additional data, ciphertext, and their lengths. */
static inline void aead_tag(cmk_poly1305_context *mac, const uint8_t *aad, size_t aad_length, const uint8_t *text,
                            size_t length, uint8_t *tag)
{
    uint8_t lengths[CMK_POLY1305_BLOCK_SIZE];
    store64_le(lengths, aad_length);
    store64_le(lengths + 8, length);
    aead_absorb(mac, aad, aad_length);
    aead_absorb(mac, text, length);
    poly1305_absorb(mac, lengths, sizeof lengths);
    poly1305_end(mac, tag);
}

static inline cmk_status aead_encrypt(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                                      const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag)
{
    cmk_status status = aead_check(key, nonce, aad, aad_length, in, out, length, tag);
    if (status == CMK_OK) {
        uint32_t words[16];
        cmk_poly1305_context mac;
        aead_begin(words, &mac, key, nonce);
        variant_chacha20(words, in, out, length);
        aead_tag(&mac, aad, aad_length, out, length, tag);
        wipe(words, sizeof words);
    }
    return status;
}

static inline cmk_status aead_decrypt(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                                      const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag)
{
    cmk_status status = aead_check(key, nonce, aad, aad_length, in, out, length, tag);
    if (status == CMK_OK) {
        uint32_t words[16];
        uint8_t right[CMK_CHACHA20_POLY1305_TAG_SIZE];
        cmk_poly1305_context mac;
        aead_begin(words, &mac, key, nonce);
        aead_tag(&mac, aad, aad_length, in, length, right);
        if (differ(right, tag, sizeof right) != 0) {
            status = CMK_ERROR_TAG;
        } else {
            variant_chacha20(words, in, out, length);
        }
        wipe(words, sizeof words);
        wipe(right, sizeof right);
    }
    return status;
}

#endif
