/* SPDX-License-Identifier: MIT */
/* XTS, the same for all variants: argument checks, keys, ciphertext stealing. */
#ifndef CMK_PORTABLE_AES_XTS_FRONTEND_H
#define CMK_PORTABLE_AES_XTS_FRONTEND_H

#include "aes_checks.h"
#include "aes_key_frontend.h"
#include "aes_tweak.h"
#include "cmk/aes_xts.h"

/* aes_core.h. */
static void variant_encrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
/* aes_xts_core.h: whole blocks, or none; leaves in `tweak` that of the block after the last. Decryption takes the
 * keys of the equivalent inverse cipher. */
static void variant_xts_encrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                uint8_t *out, size_t blocks);
static void variant_xts_decrypt(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                uint8_t *out, size_t blocks);

/* ---- one data unit -------------------------------------------------------------------------------------
 *
 * For other front ends too: `tweak` is the encrypted one and is used up; at least 16 bytes; `out` may be `in`. */

/* The last whole block of ciphertext, which is at `out - 16`, gives its end to the last, partial block of plaintext
 * and becomes the partial block of ciphertext itself. */
static inline void xts_encrypt_stolen(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                      uint8_t *out, size_t tail)
{
    uint8_t block[CMK_AES_BLOCK_SIZE];
    uint8_t *whole = out - CMK_AES_BLOCK_SIZE;
    memcpy(block, whole, CMK_AES_BLOCK_SIZE);
    memcpy(block, in, tail);
    memcpy(out, whole, tail);
    variant_xts_encrypt(schedule, rounds, tweak, block, whole, 1);
    wipe(block, sizeof block);
}

/* The last whole block and the partial one after it, which were encrypted in the other order. */
static inline void xts_decrypt_stolen(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                      uint8_t *out, size_t tail)
{
    uint8_t block[CMK_AES_BLOCK_SIZE], stolen[CMK_AES_BLOCK_SIZE], last[CMK_AES_BLOCK_SIZE];
    tweak_store(last, tweak_next(tweak_load(tweak)));
    variant_xts_decrypt(schedule, rounds, last, in, block, 1);
    memcpy(stolen, block, CMK_AES_BLOCK_SIZE);
    memcpy(stolen, in + CMK_AES_BLOCK_SIZE, tail);
    memcpy(out + CMK_AES_BLOCK_SIZE, block, tail);
    variant_xts_decrypt(schedule, rounds, tweak, stolen, out, 1);
    wipe(block, sizeof block);
    wipe(stolen, sizeof stolen);
    wipe(last, sizeof last);
}

static inline void xts_encrypt_unit(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                    uint8_t *out, size_t length)
{
    size_t tail = length % CMK_AES_BLOCK_SIZE;
    size_t whole = length - tail;
    variant_xts_encrypt(schedule, rounds, tweak, in, out, whole / CMK_AES_BLOCK_SIZE);
    if (tail != 0) {
        xts_encrypt_stolen(schedule, rounds, tweak, in + whole, out + whole, tail);
    }
}

static inline void xts_decrypt_unit(const uint8_t *schedule, unsigned rounds, uint8_t *tweak, const uint8_t *in,
                                    uint8_t *out, size_t length)
{
    size_t tail = length % CMK_AES_BLOCK_SIZE;
    size_t whole = tail == 0 ? length : length - tail - CMK_AES_BLOCK_SIZE;
    variant_xts_decrypt(schedule, rounds, tweak, in, out, whole / CMK_AES_BLOCK_SIZE);
    if (tail != 0) {
        xts_decrypt_stolen(schedule, rounds, tweak, in + whole, out + whole, tail);
    }
}

/* ---- the functions ------------------------------------------------------------------------------------- */

static inline cmk_status aes_xts_set_key(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length)
{
    const size_t half = length / 2;
    if (key == NULL || bytes == NULL) {
        return CMK_ERROR_NULL;
    }
    if (length != 32 && length != 64) {
        return CMK_ERROR_LENGTH;
    }
    if (differ(bytes, bytes + half, half) == 0) {
        return CMK_ERROR_KEY;
    }
    memset(key, 0, sizeof *key);
    key->rounds = rounds_of(half);
    expand_encrypt(key->encrypt, bytes, half);
    expand_decrypt(key->decrypt, key->encrypt, key->rounds);
    expand_encrypt(key->tweak, bytes + half, half);
    return CMK_OK;
}

static inline cmk_status check_unit(const cmk_aes_xts_key *key, const uint8_t *tweak, const uint8_t *in,
                                    const uint8_t *out, size_t length)
{
    if (key == NULL || tweak == NULL || check_buffers(in, out, length) != CMK_OK) {
        return CMK_ERROR_NULL;
    }
    if (key->rounds != 10 && key->rounds != 14) {
        return CMK_ERROR_KEY;
    }
    return length < CMK_AES_BLOCK_SIZE || length > CMK_AES_XTS_MAX_LENGTH ? CMK_ERROR_LENGTH : CMK_OK;
}

static inline cmk_status aes_xts_encrypt(const cmk_aes_xts_key *key, const uint8_t *tweak, const uint8_t *in,
                                         uint8_t *out, size_t length)
{
    cmk_status status = check_unit(key, tweak, in, out, length);
    if (status == CMK_OK) {
        uint8_t first[CMK_AES_BLOCK_SIZE];
        variant_encrypt_blocks(key->tweak, key->rounds, tweak, first, 1);
        xts_encrypt_unit(key->encrypt, key->rounds, first, in, out, length);
        wipe(first, sizeof first);
    }
    return status;
}

static inline cmk_status aes_xts_decrypt(const cmk_aes_xts_key *key, const uint8_t *tweak, const uint8_t *in,
                                         uint8_t *out, size_t length)
{
    cmk_status status = check_unit(key, tweak, in, out, length);
    if (status == CMK_OK) {
        uint8_t first[CMK_AES_BLOCK_SIZE];
        variant_encrypt_blocks(key->tweak, key->rounds, tweak, first, 1);
        xts_decrypt_unit(key->decrypt, key->rounds, first, in, out, length);
        wipe(first, sizeof first);
    }
    return status;
}

#endif
