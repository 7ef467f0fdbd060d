/* SPDX-License-Identifier: MIT */
/* Vectors of ChaCha20, Poly1305 and their AEAD.
 *
 *     chacha20                IV is the counter, little endian, and the nonce: 16 bytes
 *     poly1305                no IV; OUT is the tag
 *     chacha20_poly1305       IV is the nonce and the additional data; OUT is the ciphertext and the tag. Both
 *                             directions are tried
 *     chacha20_poly1305_open  IN is a ciphertext and a tag that does not belong to it; no OUT */
#include <string.h>

#include "vectors.h"

#define TAG CMK_CHACHA20_POLY1305_TAG_SIZE
#define NONCE CMK_CHACHA20_POLY1305_NONCE_SIZE

int is_chacha20_vector(const known_vector *vector)
{
    return vector->algorithm >= CHACHA20 && vector->algorithm <= CHACHA20_POLY1305_OPEN;
}

int chacha20_vector_is_well_formed(const known_vector *vector)
{
    const size_t iv = vector->iv.length, in = vector->in.length, out = vector->out.length;
    if (vector->key.length != CMK_CHACHA20_KEY_SIZE) {
        return 0;
    }
    switch (vector->algorithm) {
    case CHACHA20:
        return iv == 4 + CMK_CHACHA20_NONCE_SIZE && in == out;
    case POLY1305:
        return iv == 0 && out == CMK_POLY1305_TAG_SIZE;
    case CHACHA20_POLY1305:
        return iv >= NONCE && out == in + TAG && vector->split_count == 0;
    default:
        return iv >= NONCE && out == 0 && in >= TAG && vector->split_count == 0;
    }
}

int has_chacha20_vector(const known_vector *vector, const char *variant)
{
    return vector->algorithm == CHACHA20   ? find_chacha20(variant) != NULL
           : vector->algorithm == POLY1305 ? find_poly1305(variant) != NULL
                                           : find_chacha20_poly1305(variant) != NULL;
}

static cmk_status run_chacha20(known_vector *vector, const chacha20_variant *variant)
{
    const uint8_t *iv = vector->iv.bytes;
    const uint32_t counter = (uint32_t)iv[0] | (uint32_t)iv[1] << 8 | (uint32_t)iv[2] << 16 | (uint32_t)iv[3] << 24;
    size_t done = 0;
    cmk_chacha20_state state;
    cmk_status status = cmk_chacha20_init(&state, vector->key.bytes, iv + 4, counter);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        const size_t part = vector_part(vector, i, done);
        status = variant->stream(&state, vector->from + done, vector->to + done, part);
        done += part;
    }
    memcpy(vector->got.bytes, vector->to, vector->in.length);
    return status;
}

static cmk_status run_poly1305(known_vector *vector, const poly1305_variant *variant)
{
    size_t done = 0;
    cmk_poly1305_context context;
    cmk_status status = cmk_poly1305_init(&context, vector->key.bytes);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        const size_t part = vector_part(vector, i, done);
        status = variant->update(&context, vector->from + done, part);
        done += part;
    }
    return status != CMK_OK ? status : cmk_poly1305_final(&context, vector->got.bytes);
}

/* The ciphertext and the tag are what is answered, but only if they become the text again. */
static cmk_status run_both(known_vector *vector, const chacha20_poly1305_variant *variant)
{
    const uint8_t *key = vector->key.bytes, *nonce = vector->iv.bytes, *aad = vector->iv.bytes + NONCE;
    const size_t aad_length = vector->iv.length - NONCE, length = vector->in.length;
    uint8_t *in = vector->from, *out = vector->to, *tag = vector->got.bytes + length;
    cmk_status status = variant->encrypt(key, nonce, aad, aad_length, in, out, length, tag);
    memcpy(vector->got.bytes, out, length);
    if (status == CMK_OK) {
        memmove(in, out, length);
        status = variant->decrypt(key, nonce, aad, aad_length, in, out, length, tag);
        if (status == CMK_OK && memcmp(out, vector->in.bytes, length) != 0) {
            status = CMK_ERROR_TAG;
        }
    }
    return status;
}

static cmk_status run_open(known_vector *vector, const chacha20_poly1305_variant *variant)
{
    const size_t length = vector->in.length - TAG;
    const uint8_t *aad = vector->iv.bytes + NONCE;
    cmk_status status = variant->decrypt(vector->key.bytes, vector->iv.bytes, aad, vector->iv.length - NONCE,
                                         vector->from, vector->to, length, vector->from + length);
    if (status == CMK_OK) {
        return CMK_ERROR_TAG;
    }
    return status == CMK_ERROR_TAG ? CMK_OK : status;
}

cmk_status run_chacha20_vector(known_vector *vector, const char *variant)
{
    switch (vector->algorithm) {
    case CHACHA20:
        return run_chacha20(vector, find_chacha20(variant));
    case POLY1305:
        return run_poly1305(vector, find_poly1305(variant));
    case CHACHA20_POLY1305:
        return run_both(vector, find_chacha20_poly1305(variant));
    default:
        return run_open(vector, find_chacha20_poly1305(variant));
    }
}
