/* SPDX-License-Identifier: MIT */
/* GCM, the same for all variants: argument checks, counter, padding, partial blocks, tag. */
#ifndef CMK_PORTABLE_AES_GCM_FRONTEND_H
#define CMK_PORTABLE_AES_GCM_FRONTEND_H

#include "aes_checks.h"
#include "aes_key_frontend.h"
#include "cmk/aes_gcm.h"

/* aes_core.h. */
static void variant_encrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
/* ghash_core.h: the powers of H, as cmk_aes_gcm_key has them; and `hash` and whole blocks, at least one, into a new
 * `hash`. */
static void variant_ghash_powers(uint8_t *powers, const uint8_t *h);
static void variant_ghash(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t blocks);
/* aes_gcm_core.h: CTR on whole blocks, at least one, where the counter is the last 32 bits, big endian, and wraps;
 * leaves in `counter` that of the block after the last. The other two do GHASH of the ciphertext as well. */
static void variant_ctr32_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                                 uint8_t *out, size_t blocks);
static void variant_gcm_encrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                size_t blocks);
static void variant_gcm_decrypt(const uint8_t *schedule, unsigned rounds, const uint8_t *powers,
                                uint8_t *counter, uint8_t *hash, const uint8_t *in, uint8_t *out,
                                size_t blocks);

enum { GCM_AAD = 1, GCM_ENCRYPT = 2, GCM_DECRYPT = 3 };

#define GCM_MAX_LENGTH ((UINT64_C(1) << 36) - 32)    /* of a message, in bytes */
#define GCM_MAX_OTHER_LENGTH ((UINT64_C(1) << 61) - 1) /* of an IV and of additional data */

/* ---- parts of the standard, for other front ends too -------------------------------------------------- */

/* inc32 of section 6.2. */
static inline void gcm_count(uint8_t *counter)
{
    store32_be(counter + 12, load32_be(counter + 12) + 1);
}

/* The product of `hash` and H. */
static inline void gcm_multiply(uint8_t *hash, const uint8_t *powers)
{
    static const uint8_t zero[CMK_AES_BLOCK_SIZE] = {0};
    variant_ghash(hash, powers, zero, 1);
}

/* `length` bytes and zeros up to a whole block; nothing for 0. */
static inline void gcm_absorb(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t length)
{
    size_t blocks = length / CMK_AES_BLOCK_SIZE;
    size_t tail = length % CMK_AES_BLOCK_SIZE;
    if (blocks != 0) {
        variant_ghash(hash, powers, data, blocks);
    }
    if (tail != 0) {
        xor_bytes(hash, hash, data + (length - tail), tail);
        gcm_multiply(hash, powers);
    }
}

/* The block with which a hash ends: two lengths, here in bytes. */
static inline void gcm_absorb_lengths(uint8_t *hash, const uint8_t *powers, uint64_t first, uint64_t second)
{
    uint8_t block[CMK_AES_BLOCK_SIZE];
    store64_be(block, first * 8);
    store64_be(block + 8, second * 8);
    variant_ghash(hash, powers, block, 1);
}

/* J0 of section 7.1: the counter before that of the first block. */
static inline void gcm_first_counter(uint8_t *counter, const uint8_t *powers, const uint8_t *iv, size_t iv_length)
{
    memset(counter, 0, CMK_AES_BLOCK_SIZE);
    if (iv_length == 12) {
        memcpy(counter, iv, 12);
        counter[15] = 1;
    } else {
        gcm_absorb(counter, powers, iv, iv_length);
        gcm_absorb_lengths(counter, powers, 0, iv_length);
    }
}

/* ---- a message ------------------------------------------------------------------------------------------ */

static inline void gcm_start(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                             size_t iv_length)
{
    memset(state, 0, sizeof *state);
    gcm_first_counter(state->counter, key->powers, iv, iv_length);
    variant_encrypt_blocks(key->schedule, key->rounds, state->counter, state->mask, 1);
    gcm_count(state->counter);
    state->stage = GCM_AAD;
}

/* Adds bytes to the hash at `filled` bytes in a block, and answers how many: no more than belong to this block. */
static inline size_t gcm_fill(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t length, size_t filled)
{
    size_t count = CMK_AES_BLOCK_SIZE - filled < length ? CMK_AES_BLOCK_SIZE - filled : length;
    xor_bytes(hash + filled, hash + filled, data, count);
    if (filled + count == CMK_AES_BLOCK_SIZE) {
        gcm_multiply(hash, powers);
    }
    return count;
}

static inline void gcm_add(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad, size_t length)
{
    size_t filled = (size_t)(state->aad_length % CMK_AES_BLOCK_SIZE);
    state->aad_length += length;
    if (filled != 0 && length != 0) {
        size_t count = gcm_fill(state->hash, key->powers, aad, length, filled);
        aad += count;
        length -= count;
    }
    if (length >= CMK_AES_BLOCK_SIZE) {
        size_t blocks = length / CMK_AES_BLOCK_SIZE;
        variant_ghash(state->hash, key->powers, aad, blocks);
        aad += blocks * CMK_AES_BLOCK_SIZE;
        length -= blocks * CMK_AES_BLOCK_SIZE;
    }
    if (length != 0) {
        (void)gcm_fill(state->hash, key->powers, aad, length, 0);
    }
}

/* After the last of the additional data. */
static inline void gcm_begin_text(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint32_t stage)
{
    if (state->stage == GCM_AAD && state->aad_length % CMK_AES_BLOCK_SIZE != 0) {
        gcm_multiply(state->hash, key->powers);
    }
    state->stage = stage;
}

/* Keystream for the next block. */
static inline void gcm_next_keystream(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key)
{
    variant_encrypt_blocks(key->schedule, key->rounds, state->counter, state->keystream, 1);
    gcm_count(state->counter);
}

/* A part of a block, of which state->length says how much is done. Used keystream is forgotten. */
static inline size_t gcm_part(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in, uint8_t *out,
                              size_t length)
{
    size_t filled = (size_t)(state->length % CMK_AES_BLOCK_SIZE);
    size_t count = CMK_AES_BLOCK_SIZE - filled < length ? CMK_AES_BLOCK_SIZE - filled : length;
    if (state->stage == GCM_DECRYPT) {
        (void)gcm_fill(state->hash, key->powers, in, count, filled);
    }
    xor_bytes(out, in, state->keystream + filled, count);
    memset(state->keystream + filled, 0, count);
    if (state->stage == GCM_ENCRYPT) {
        (void)gcm_fill(state->hash, key->powers, out, count, filled);
    }
    state->length += count;
    return count;
}

static inline void gcm_text(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in, uint8_t *out,
                            size_t length)
{
    size_t blocks;
    if (state->length % CMK_AES_BLOCK_SIZE != 0 && length != 0) {
        size_t count = gcm_part(state, key, in, out, length);
        in += count;
        out += count;
        length -= count;
    }
    blocks = length / CMK_AES_BLOCK_SIZE;
    if (blocks != 0) {
        if (state->stage == GCM_ENCRYPT) {
            variant_gcm_encrypt(key->schedule, key->rounds, key->powers, state->counter, state->hash, in, out, blocks);
        } else {
            variant_gcm_decrypt(key->schedule, key->rounds, key->powers, state->counter, state->hash, in, out, blocks);
        }
        in += blocks * CMK_AES_BLOCK_SIZE;
        out += blocks * CMK_AES_BLOCK_SIZE;
        length -= blocks * CMK_AES_BLOCK_SIZE;
        state->length += blocks * CMK_AES_BLOCK_SIZE;
    }
    if (length != 0) {
        gcm_next_keystream(state, key);
        (void)gcm_part(state, key, in, out, length);
    }
}

/* The whole tag. */
static inline void gcm_tag(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag)
{
    gcm_begin_text(state, key, state->stage); /* if there was none */
    if (state->length % CMK_AES_BLOCK_SIZE != 0) {
        gcm_multiply(state->hash, key->powers);
    }
    gcm_absorb_lengths(state->hash, key->powers, state->aad_length, state->length);
    xor_bytes(tag, state->hash, state->mask, CMK_AES_BLOCK_SIZE);
}

/* ---- checks --------------------------------------------------------------------------------------------- */

static inline cmk_status gcm_check_tag(const uint8_t *tag, size_t tag_length)
{
    if (tag == NULL) {
        return CMK_ERROR_NULL;
    }
    return tag_length < CMK_AES_GCM_MIN_TAG_SIZE || tag_length > CMK_AES_GCM_MAX_TAG_SIZE ? CMK_ERROR_LENGTH : CMK_OK;
}

static inline cmk_status gcm_check_start(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length)
{
    if (key == NULL || (iv == NULL && iv_length != 0)) {
        return CMK_ERROR_NULL;
    }
    if (check_rounds(key->rounds) != CMK_OK) {
        return CMK_ERROR_KEY;
    }
    return iv_length == 0 || (uint64_t)iv_length > GCM_MAX_OTHER_LENGTH ? CMK_ERROR_LENGTH : CMK_OK;
}

static inline cmk_status gcm_check_message(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                           const uint8_t *aad, size_t aad_length, const uint8_t *in,
                                           const uint8_t *out, size_t length, const uint8_t *tag, size_t tag_length)
{
    cmk_status status = gcm_check_start(key, iv, iv_length);
    if (status == CMK_ERROR_NULL || check_buffers(in, out, length) != CMK_OK ||
        check_buffers(aad, aad, aad_length) != CMK_OK || tag == NULL) {
        return CMK_ERROR_NULL;
    }
    if (status == CMK_OK && ((uint64_t)aad_length > GCM_MAX_OTHER_LENGTH || (uint64_t)length > GCM_MAX_LENGTH)) {
        status = CMK_ERROR_LENGTH;
    }
    return status == CMK_OK ? gcm_check_tag(tag, tag_length) : status;
}

/* Whether a call may come now: in `stage`, or, if that is of the message, right after the additional data too. */
static inline cmk_status gcm_check_state(const cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint32_t stage)
{
    if (state == NULL || key == NULL) {
        return CMK_ERROR_NULL;
    }
    if (check_rounds(key->rounds) != CMK_OK) {
        return CMK_ERROR_KEY;
    }
    if ((state->stage != stage && state->stage != GCM_AAD) || state->aad_length > GCM_MAX_OTHER_LENGTH ||
        state->length > GCM_MAX_LENGTH) {
        return CMK_ERROR_STATE;
    }
    return CMK_OK;
}

/* ---- the functions -------------------------------------------------------------------------------------- */

static inline cmk_status aes_gcm_set_key(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length)
{
    cmk_status status = check_key(key, bytes, length);
    if (status == CMK_OK) {
        uint8_t h[CMK_AES_BLOCK_SIZE] = {0};
        memset(key, 0, sizeof *key);
        key->rounds = rounds_of(length);
        expand_encrypt(key->schedule, bytes, length);
        variant_encrypt_blocks(key->schedule, key->rounds, h, h, 1);
        variant_ghash_powers(key->powers, h);
        wipe(h, sizeof h);
    }
    return status;
}

static inline cmk_status aes_gcm_encrypt(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                         const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                         size_t length, uint8_t *tag, size_t tag_length)
{
    cmk_status status = gcm_check_message(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
    if (status == CMK_OK) {
        cmk_aes_gcm_state state;
        uint8_t whole[CMK_AES_BLOCK_SIZE];
        gcm_start(&state, key, iv, iv_length);
        gcm_add(&state, key, aad, aad_length);
        gcm_begin_text(&state, key, GCM_ENCRYPT);
        gcm_text(&state, key, in, out, length);
        gcm_tag(&state, key, whole);
        memcpy(tag, whole, tag_length);
        wipe(&state, sizeof state);
        wipe(whole, sizeof whole);
    }
    return status;
}

/* The hash of all, then the comparison, then decryption. */
static inline cmk_status aes_gcm_decrypt(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                         const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                         size_t length, const uint8_t *tag, size_t tag_length)
{
    cmk_status status = gcm_check_message(key, iv, iv_length, aad, aad_length, in, out, length, tag, tag_length);
    if (status == CMK_OK) {
        cmk_aes_gcm_state state;
        size_t blocks = length / CMK_AES_BLOCK_SIZE;
        size_t tail = length % CMK_AES_BLOCK_SIZE;
        gcm_start(&state, key, iv, iv_length);
        gcm_absorb(state.hash, key->powers, aad, aad_length);
        gcm_absorb(state.hash, key->powers, in, length);
        gcm_absorb_lengths(state.hash, key->powers, aad_length, length);
        xor_bytes(state.hash, state.hash, state.mask, CMK_AES_BLOCK_SIZE);
        if (differ(state.hash, tag, tag_length) != 0) {
            status = CMK_ERROR_TAG;
        } else {
            if (blocks != 0) {
                variant_ctr32_blocks(key->schedule, key->rounds, state.counter, in, out, blocks);
            }
            if (tail != 0) {
                gcm_next_keystream(&state, key);
                xor_bytes(out + (length - tail), in + (length - tail), state.keystream, tail);
            }
        }
        wipe(&state, sizeof state);
    }
    return status;
}

static inline cmk_status aes_gcm_init(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                      size_t iv_length)
{
    cmk_status status = state == NULL ? CMK_ERROR_NULL : gcm_check_start(key, iv, iv_length);
    if (status == CMK_OK) {
        gcm_start(state, key, iv, iv_length);
    }
    return status;
}

static inline cmk_status aes_gcm_aad_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                            size_t aad_length)
{
    cmk_status status = gcm_check_state(state, key, GCM_AAD);
    if (status == CMK_ERROR_NULL || check_buffers(aad, aad, aad_length) != CMK_OK) {
        return CMK_ERROR_NULL;
    }
    if (status == CMK_OK && aad_length > GCM_MAX_OTHER_LENGTH - state->aad_length) {
        status = CMK_ERROR_LENGTH;
    }
    if (status == CMK_OK) {
        gcm_add(state, key, aad, aad_length);
    }
    return status;
}

static inline cmk_status gcm_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                    uint8_t *out, size_t length, uint32_t stage)
{
    cmk_status status = gcm_check_state(state, key, stage);
    if (status == CMK_ERROR_NULL || check_buffers(in, out, length) != CMK_OK) {
        return CMK_ERROR_NULL;
    }
    if (status == CMK_OK && length > GCM_MAX_LENGTH - state->length) {
        status = CMK_ERROR_LENGTH;
    }
    if (status == CMK_OK) {
        gcm_begin_text(state, key, stage);
        gcm_text(state, key, in, out, length);
    }
    return status;
}

static inline cmk_status aes_gcm_encrypt_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                                const uint8_t *in, uint8_t *out, size_t length)
{
    return gcm_update(state, key, in, out, length, GCM_ENCRYPT);
}

static inline cmk_status aes_gcm_decrypt_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                                const uint8_t *in, uint8_t *out, size_t length)
{
    return gcm_update(state, key, in, out, length, GCM_DECRYPT);
}

static inline cmk_status gcm_check_final(const cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                         const uint8_t *tag, size_t tag_length, uint32_t stage)
{
    cmk_status status = gcm_check_state(state, key, stage);
    if (status == CMK_ERROR_NULL || tag == NULL) {
        return CMK_ERROR_NULL;
    }
    return status == CMK_OK ? gcm_check_tag(tag, tag_length) : status;
}

static inline cmk_status aes_gcm_encrypt_final(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                               size_t tag_length)
{
    cmk_status status = gcm_check_final(state, key, tag, tag_length, GCM_ENCRYPT);
    if (status == CMK_OK) {
        uint8_t whole[CMK_AES_BLOCK_SIZE];
        gcm_tag(state, key, whole);
        memcpy(tag, whole, tag_length);
        wipe(state, sizeof *state);
        wipe(whole, sizeof whole);
    }
    return status;
}

static inline cmk_status aes_gcm_decrypt_final(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                               const uint8_t *tag, size_t tag_length)
{
    cmk_status status = gcm_check_final(state, key, tag, tag_length, GCM_DECRYPT);
    if (status == CMK_OK) {
        uint8_t whole[CMK_AES_BLOCK_SIZE];
        gcm_tag(state, key, whole);
        if (differ(whole, tag, tag_length) != 0) {
            status = CMK_ERROR_TAG;
        }
        wipe(state, sizeof *state);
        wipe(whole, sizeof whole);
    }
    return status;
}

#endif
