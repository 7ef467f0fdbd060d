/* SPDX-License-Identifier: MIT */
/* AES-GCM under wolfSSL's names, for a source to end with. GCM_NAME(init) is its name for AES_GCM_init_AARCH64, and so
 * on.
 *
 * wolfSSL keeps 16 bytes for the hash key, H as SP 800-38D has it, so each call makes the powers that it needs on the
 * stack. Its counter is that of the block before, ours that of the next. */
#ifndef WOLFSSL_KERNELS_GCM_FUNCTIONS_H
#define WOLFSSL_KERNELS_GCM_FUNCTIONS_H

#include "../../../kernels/portable/aes_gcm_frontend.h"

#define BLOCK CMK_AES_BLOCK_SIZE
#ifdef BUILDING_WOLFSSL
#define WRONG_TAG AES_GCM_AUTH_E
#else
#define WRONG_TAG (-180) /* AES_GCM_AUTH_E of wolfSSL's error-crypt.h */
#endif

/* A key as it is while a call works with it. */
typedef struct gcm_key {
    const uint8_t *schedule;
    unsigned rounds;
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE];
} gcm_key;

/* A message as it is while a call works with it. */
typedef struct gcm_message {
    uint8_t first[BLOCK];   /* J0 */
    uint8_t counter[BLOCK]; /* of the next block */
    uint8_t hash[BLOCK];
} gcm_message;

/* ---- one message ------------------------------------------------------------------------------------------- */

static void begin(gcm_key *key, gcm_message *message, const byte *schedule, int nr, const byte *h, const byte *nonce,
                  word32 nonceSz, const byte *aad, word32 aadSz)
{
    key->schedule = schedule;
    key->rounds = (unsigned)nr;
    variant_ghash_powers(key->powers, h);
    gcm_first_counter(message->first, key->powers, nonce, nonceSz);
    memcpy(message->counter, message->first, BLOCK);
    gcm_count(message->counter);
    memset(message->hash, 0, BLOCK);
    gcm_absorb(message->hash, key->powers, aad, aadSz);
}

/* The last block, which is not whole. */
static void crypt_tail(const gcm_key *key, uint8_t *counter, const byte *in, byte *out, size_t tail)
{
    uint8_t keystream[BLOCK];
    memset(keystream, 0, BLOCK);
    variant_ctr32_blocks(key->schedule, key->rounds, counter, keystream, keystream, 1);
    xor_bytes(out, in, keystream, tail);
    wipe(keystream, sizeof keystream);
}

/* The whole tag, in place of the hash. */
static void finish(const gcm_key *key, gcm_message *message, word32 aadSz, word32 sz)
{
    gcm_absorb_lengths(message->hash, key->powers, aadSz, sz);
    variant_encrypt_blocks(key->schedule, key->rounds, message->first, message->first, 1);
    xor_bytes(message->hash, message->hash, message->first, BLOCK);
}

static void forget(gcm_key *key, gcm_message *message)
{
    wipe(key, sizeof *key);
    wipe(message, sizeof *message);
}

void GCM_NAME(encrypt)(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, byte *tag,
                       word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg,
                       int nr)
{
    const word32 tail = sz % BLOCK, whole = sz - tail;
    gcm_key own;
    gcm_message message;
    (void)tmp;
    (void)reg;
    begin(&own, &message, key, nr, gcm_h, nonce, nonceSz, aad, aadSz);
    if (whole != 0) {
        variant_gcm_encrypt(own.schedule, own.rounds, own.powers, message.counter, message.hash, in, out,
                            whole / BLOCK);
    }
    if (tail != 0) {
        crypt_tail(&own, message.counter, in + whole, out + whole, tail);
        gcm_absorb(message.hash, own.powers, out + whole, tail);
    }
    finish(&own, &message, aadSz, sz);
    memcpy(tag, message.hash, tagSz);
    forget(&own, &message);
}

int GCM_NAME(decrypt)(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, const byte *tag,
                      word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg,
                      int nr)
{
    const word32 tail = sz % BLOCK, whole = sz - tail;
    int result = 0;
    gcm_key own;
    gcm_message message;
    (void)tmp;
    (void)reg;
    begin(&own, &message, key, nr, gcm_h, nonce, nonceSz, aad, aadSz);
    gcm_absorb(message.hash, own.powers, in, sz);
    finish(&own, &message, aadSz, sz);
    if (differ(message.hash, tag, tagSz) != 0) {
        result = WRONG_TAG;
    } else {
        if (whole != 0) {
            variant_ctr32_blocks(own.schedule, own.rounds, message.counter, in, out, whole / BLOCK);
        }
        if (tail != 0) {
            crypt_tail(&own, message.counter, in + whole, out + whole, tail);
        }
    }
    forget(&own, &message);
    return result;
}

/* ---- a message in pieces ----------------------------------------------------------------------------------- */

void GCM_NAME(init)(byte *key, int nr, const byte *nonce, word32 nonceSz, byte *gcm_h, byte *counter, byte *initCtr)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE];
    variant_ghash_powers(powers, gcm_h);
    gcm_first_counter(counter, powers, nonce, nonceSz);
    variant_encrypt_blocks(key, (unsigned)nr, counter, initCtr, 1);
    wipe(powers, sizeof powers);
}

static void absorb(byte *tag, const byte *h, const byte *data, word32 length)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE];
    variant_ghash_powers(powers, h);
    gcm_absorb(tag, powers, data, length);
    wipe(powers, sizeof powers);
}

void GCM_NAME(aad_update)(const byte *addt, word32 abytes, byte *tag, byte *h)
{
    absorb(tag, h, addt, abytes);
}

void GCM_NAME(ghash_block)(const byte *data, byte *tag, byte *gcm_h)
{
    absorb(tag, gcm_h, data, BLOCK);
}

void GCM_NAME(encrypt_block)(const byte *key, int nr, byte *out, const byte *in, byte *counter)
{
    uint8_t keystream[BLOCK];
    gcm_count(counter);
    variant_encrypt_blocks(key, (unsigned)nr, counter, keystream, 1);
    xor_bytes(out, in, keystream, BLOCK);
    wipe(keystream, sizeof keystream);
}

/* From wolfSSL's counter to ours, and back. */
static void next_counter(uint8_t *next, const uint8_t *counter)
{
    memcpy(next, counter, BLOCK);
    gcm_count(next);
}

static void last_counter(uint8_t *counter, const uint8_t *next)
{
    store32_be(counter + 12, load32_be(next + 12) - 1);
}

void GCM_NAME(encrypt_update)(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag, byte *h,
                              byte *counter)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE], next[BLOCK];
    variant_ghash_powers(powers, h);
    next_counter(next, counter);
    variant_gcm_encrypt(key, (unsigned)nr, powers, next, tag, in, out, nbytes / BLOCK);
    last_counter(counter, next);
    wipe(powers, sizeof powers);
}

void GCM_NAME(decrypt_update)(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag, byte *h,
                              byte *counter)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE], next[BLOCK];
    variant_ghash_powers(powers, h);
    next_counter(next, counter);
    variant_gcm_decrypt(key, (unsigned)nr, powers, next, tag, in, out, nbytes / BLOCK);
    last_counter(counter, next);
    wipe(powers, sizeof powers);
}

/* The whole tag, in place of the hash. */
static void finish_pieces(byte *tag, word32 nbytes, word32 abytes, const byte *h, const byte *initCtr)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE];
    variant_ghash_powers(powers, h);
    gcm_absorb_lengths(tag, powers, abytes, nbytes);
    xor_bytes(tag, tag, initCtr, BLOCK);
    wipe(powers, sizeof powers);
}

void GCM_NAME(encrypt_final)(byte *tag, byte *authTag, word32 tbytes, word32 nbytes, word32 abytes, byte *h,
                             byte *initCtr)
{
    finish_pieces(tag, nbytes, abytes, h, initCtr);
    memcpy(authTag, tag, tbytes);
}

void GCM_NAME(decrypt_final)(byte *tag, const byte *authTag, word32 tbytes, word32 nbytes, word32 abytes, byte *h,
                             byte *initCtr, int *res)
{
    finish_pieces(tag, nbytes, abytes, h, initCtr);
    *res = differ(tag, authTag, tbytes) == 0;
}

#endif
