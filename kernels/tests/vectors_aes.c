/* SPDX-License-Identifier: MIT */
/* Vectors of AES's modes. Where splits are given, those of GCM are of additional data and message, one after the other;
 * without them the message goes into one call. aes_gcm_refuse is a decryption whose tag is wrong; it has no OUT. */
#include <string.h>

#include "vectors.h"

int is_aes_vector(const known_vector *vector)
{
    return vector->algorithm <= GCM_REFUSE;
}

int is_gcm_vector(const known_vector *vector)
{
    return vector->algorithm >= GCM_ENCRYPT && vector->algorithm <= GCM_REFUSE;
}

static int is_xts_vector(const known_vector *vector)
{
    return vector->algorithm == XTS_ENCRYPT || vector->algorithm == XTS_DECRYPT;
}

static int splits_are_blocks(const known_vector *vector)
{
    for (size_t i = 0; i < vector->split_count; i++) {
        if (vector->splits[i] % CMK_AES_BLOCK_SIZE != 0) {
            return 0;
        }
    }
    return 1;
}

int aes_vector_is_well_formed(const known_vector *vector)
{
    const size_t key = vector->key.length, iv = vector->iv.length;
    const int aes_key = key == 16 || key == 24 || key == 32;
    const int same = vector->in.length == vector->out.length;
    const int blocks = same && vector->in.length % CMK_AES_BLOCK_SIZE == 0;
    switch (vector->algorithm) {
    case CTR:
        return aes_key && iv == CMK_AES_BLOCK_SIZE && same;
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        return aes_key && iv == CMK_AES_BLOCK_SIZE && blocks && splits_are_blocks(vector);
    case XTS_ENCRYPT:
    case XTS_DECRYPT:
        return (key == 32 || key == 64) && iv == CMK_AES_BLOCK_SIZE && same && vector->split_count == 0;
    case GCM_ENCRYPT:
    case GCM_DECRYPT:
        return aes_key && iv != 0 && same && vector->tag.length >= 4 && vector->tag.length <= 16;
    case GCM_REFUSE:
        return aes_key && iv != 0 && vector->out.length == 0 && vector->tag.length >= 4 && vector->tag.length <= 16;
    default:
        return aes_key && iv == 0 && blocks && vector->split_count == 0;
    }
}

int has_aes_vector(const known_vector *vector, const char *variant)
{
    return is_gcm_vector(vector)   ? find_gcm(variant) != NULL
           : is_xts_vector(vector) ? find_xts(variant) != NULL
                                   : find_aes(variant) != NULL;
}

static cmk_status run_ecb(known_vector *vector, const aes_variant *variant)
{
    cmk_aes_key key;
    cmk_status status = variant->set_key(&key, vector->key.bytes, vector->key.length);
    aes_ecb_function *function = vector->algorithm == ECB_ENCRYPT ? variant->ecb_encrypt : variant->ecb_decrypt;
    return status != CMK_OK ? status : function(&key, vector->from, vector->to, vector->in.length);
}

static cmk_status run_cbc(known_vector *vector, const aes_variant *variant)
{
    size_t done = 0;
    cmk_aes_key key;
    uint8_t iv[CMK_AES_BLOCK_SIZE];
    aes_cbc_function *function = vector->algorithm == CBC_ENCRYPT ? variant->cbc_encrypt : variant->cbc_decrypt;
    cmk_status status = variant->set_key(&key, vector->key.bytes, vector->key.length);
    memcpy(iv, vector->iv.bytes, sizeof iv);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = function(&key, iv, vector->from + done, vector->to + done, part);
        done += part;
    }
    return status;
}

static cmk_status run_ctr(known_vector *vector, const aes_variant *variant)
{
    size_t done = 0;
    cmk_aes_key key;
    cmk_aes_ctr_state state;
    cmk_status status = variant->set_key(&key, vector->key.bytes, vector->key.length);
    (void)cmk_aes_ctr_init(&state, vector->iv.bytes);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = variant->ctr(&state, &key, vector->from + done, vector->to + done, part);
        done += part;
    }
    return status;
}

static cmk_status run_xts(known_vector *vector, const xts_variant *variant)
{
    cmk_aes_xts_key key;
    cmk_status status = variant->set_key(&key, vector->key.bytes, vector->key.length);
    aes_xts_function *function = vector->algorithm == XTS_ENCRYPT ? variant->encrypt : variant->decrypt;
    return status != CMK_OK ? status
                            : function(&key, vector->iv.bytes, vector->from, vector->to, vector->in.length);
}

static cmk_status run_gcm_at_once(known_vector *vector, const gcm_variant *variant, const cmk_aes_gcm_key *key,
                                  uint8_t *tag)
{
    if (vector->algorithm == GCM_ENCRYPT) {
        return variant->encrypt(key, vector->iv.bytes, vector->iv.length, vector->aad.bytes, vector->aad.length,
                                vector->from, vector->to, vector->in.length, tag, vector->tag.length);
    }
    return variant->decrypt(key, vector->iv.bytes, vector->iv.length, vector->aad.bytes, vector->aad.length,
                            vector->from, vector->to, vector->in.length, tag, vector->tag.length);
}

/* The part of `length` bytes that begins `done` bytes after the beginning of the additional data. */
static cmk_status gcm_part(known_vector *vector, const gcm_variant *variant, const cmk_aes_gcm_key *key,
                           cmk_aes_gcm_state *state, size_t done, size_t length)
{
    aes_gcm_update_function *update =
        vector->algorithm == GCM_ENCRYPT ? variant->encrypt_update : variant->decrypt_update;
    cmk_status status = CMK_OK;
    if (done < vector->aad.length) {
        size_t aad = vector->aad.length - done < length ? vector->aad.length - done : length;
        status = variant->aad_update(state, key, vector->aad.bytes + done, aad);
        done += aad;
        length -= aad;
    }
    if (status == CMK_OK && done >= vector->aad.length && length != 0) {
        done -= vector->aad.length;
        status = update(state, key, vector->from + done, vector->to + done, length);
    }
    return status;
}

static cmk_status run_gcm_in_parts(known_vector *vector, const gcm_variant *variant, const cmk_aes_gcm_key *key,
                                   uint8_t *tag)
{
    size_t done = 0;
    cmk_aes_gcm_state state;
    cmk_status status = variant->init(&state, key, vector->iv.bytes, vector->iv.length);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = gcm_part(vector, variant, key, &state, done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return vector->algorithm == GCM_ENCRYPT ? variant->encrypt_final(&state, key, tag, vector->tag.length)
                                           : variant->decrypt_final(&state, key, tag, vector->tag.length);
}

/* What is compared has the tag at its end. */
static cmk_status run_gcm(known_vector *vector, const gcm_variant *variant)
{
    uint8_t tag[16];
    cmk_aes_gcm_key key;
    cmk_status status = variant->set_key(&key, vector->key.bytes, vector->key.length);
    memcpy(tag, vector->tag.bytes, vector->tag.length);
    if (status == CMK_OK) {
        status = (vector->split_count == 0 ? run_gcm_at_once : run_gcm_in_parts)(vector, variant, &key, tag);
    }
    if (vector->algorithm == GCM_REFUSE) {
        return status == CMK_ERROR_TAG ? CMK_OK : CMK_ERROR_STATE;
    }
    memcpy(vector->to + vector->in.length, tag, vector->tag.length);
    memcpy(vector->out.bytes + vector->in.length, vector->tag.bytes, vector->tag.length);
    vector->out.length += vector->tag.length;
    return status;
}

static cmk_status run(known_vector *vector, const char *variant)
{
    switch (vector->algorithm) {
    case CTR:
        return run_ctr(vector, find_aes(variant));
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        return run_cbc(vector, find_aes(variant));
    case XTS_ENCRYPT:
    case XTS_DECRYPT:
        return run_xts(vector, find_xts(variant));
    case GCM_ENCRYPT:
    case GCM_DECRYPT:
    case GCM_REFUSE:
        return run_gcm(vector, find_gcm(variant));
    default:
        return run_ecb(vector, find_aes(variant));
    }
}

cmk_status run_aes_vector(known_vector *vector, const char *variant)
{
    cmk_status status = run(vector, variant);
    memcpy(vector->got.bytes, vector->to, vector->out.length);
    return status;
}
