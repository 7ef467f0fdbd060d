/* SPDX-License-Identifier: MIT */
/* AES-GCM, authenticated encryption: SP 800-38D.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function of cmk/aes.h holds for those here, and:
 * - A key and an IV must never be used for two messages: that gives away both messages and the power to forge. The
 *   functions cannot check it. An IV of 12 bytes, counted up, is what to use.
 * - An IV has 1 to 2^61 - 1 bytes, additional data (`aad`: authenticated, not encrypted) 0 to 2^61 - 1, and a message 0
 *   to 2^36 - 32 (section 5.2.1.1). Any other length is CMK_ERROR_LENGTH.
 * - A tag has 4 to 16 bytes; any other length is CMK_ERROR_LENGTH. The standard has 12 to 16 and, for uses that meet
 *   its appendix C, 4 and 8. All users of a key must agree on one: a tag's beginning is itself a tag.
 */
#ifndef CMK_AES_GCM_H
#define CMK_AES_GCM_H

#include "aes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_AES_GCM_MIN_TAG_SIZE 4
#define CMK_AES_GCM_MAX_TAG_SIZE 16
#define CMK_AES_GCM_POWERS_SIZE (12 * CMK_AES_BLOCK_SIZE)

/* A key. It may be copied, and read by any number of threads at once. */
typedef struct cmk_aes_gcm_key {
    uint8_t schedule[CMK_AES_SCHEDULE_SIZE]; /* as `encrypt` of cmk_aes_key */
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE]; /* of H, section 6.3, the bits of each byte in reverse order: H^8 down to
                                              * H^1; then of each two of them, from H^8 and H^7 on, the sum of the two
                                              * halves of the one and that of the other */
    uint32_t rounds;                         /* 10, 12 or 14 */
} cmk_aes_gcm_key;

/* Where a message that comes in parts stands. Made by cmk_aes_gcm_init; it may be copied, which forks the message. */
typedef struct cmk_aes_gcm_state {
    uint8_t counter[CMK_AES_BLOCK_SIZE];   /* of the next block */
    uint8_t hash[CMK_AES_BLOCK_SIZE];      /* GHASH so far; a block not yet whole is added, but not multiplied */
    uint8_t mask[CMK_AES_BLOCK_SIZE];      /* what is added to the last hash to make the tag */
    uint8_t keystream[CMK_AES_BLOCK_SIZE]; /* the last `-length` mod 16 bytes are unused keystream, the others zero */
    uint64_t aad_length;                   /* bytes so far */
    uint64_t length;                       /* bytes so far of the message itself */
    uint32_t stage;                        /* 1: additional data, 2: encryption, 3: decryption; else no message */
} cmk_aes_gcm_state;

/* Expands the `length` bytes at `bytes` into `*key`. Any length but 16, 24 and 32 is CMK_ERROR_LENGTH; a NULL `key` or
 * `bytes` is CMK_ERROR_NULL. */
cmk_status cmk_aes_gcm_set_key(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length);

/* ---- a message in one call ----------------------------------------------------------------------------- */

/* Encrypts `length` bytes and writes the tag. */
cmk_status cmk_aes_gcm_encrypt(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                               size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag,
                               size_t tag_length);

/* Decrypts `length` bytes if the tag is right. If it is not, the answer is CMK_ERROR_TAG and `out` is as it was, in
 * place too: the tag is checked before anything is decrypted. */
cmk_status cmk_aes_gcm_decrypt(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                               size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag,
                               size_t tag_length);

/* ---- a message in parts --------------------------------------------------------------------------------
 *
 * However additional data and message are split into calls, the bytes are the same. All calls of a message take the
 * same key. A call out of its order, also with length 0, is CMK_ERROR_STATE; so is any call after the last. */

/* Begins a message. */
cmk_status cmk_aes_gcm_init(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                            size_t iv_length);

/* Adds additional data, which must all come before the message itself. */
cmk_status cmk_aes_gcm_aad_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                  size_t aad_length);

/* Encrypts the next `length` bytes. */
cmk_status cmk_aes_gcm_encrypt_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                      uint8_t *out, size_t length);

/* Ends an encryption and writes the tag. The state is then as if wiped. */
cmk_status cmk_aes_gcm_encrypt_final(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                     size_t tag_length);

/* Decrypts the next `length` bytes. WHAT IT HANDS OUT IS NOT VERIFIED: it may be what an attacker wants it to be, and
 * nothing may be done with it, beyond keeping it in a safe place, before cmk_aes_gcm_decrypt_final has answered CMK_OK.
 * If it does not, the bytes must be destroyed. Where the message fits into memory, use cmk_aes_gcm_decrypt. */
cmk_status cmk_aes_gcm_decrypt_update(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                      uint8_t *out, size_t length);

/* Ends a decryption: CMK_OK if the tag is right, and only then was all of the message what was encrypted; else
 * CMK_ERROR_TAG. Either way the message is over and the state is as if wiped (the one thing that is written with an
 * answer that is not CMK_OK). */
cmk_status cmk_aes_gcm_decrypt_final(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *tag,
                                     size_t tag_length);

/* Overwrite with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_aes_gcm_key_wipe(cmk_aes_gcm_key *key);
void cmk_aes_gcm_wipe(cmk_aes_gcm_state *state);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * As in cmk/aes.h: `arm64_eor3` needs AES, PMULL and SHA3, `arm64` the first two, `portable`
 * nothing; a key set by one may be used by another, and a message begun by one continued by another. */

cmk_status cmk_aes_gcm_set_key_arm64_eor3(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length);
cmk_status cmk_aes_gcm_set_key_arm64(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length);
cmk_status cmk_aes_gcm_set_key_portable(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length);

cmk_status cmk_aes_gcm_encrypt_arm64_eor3(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                          const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                          size_t length, uint8_t *tag, size_t tag_length);
cmk_status cmk_aes_gcm_encrypt_arm64(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                     const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                     size_t length, uint8_t *tag, size_t tag_length);
cmk_status cmk_aes_gcm_encrypt_portable(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                        const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                        size_t length, uint8_t *tag, size_t tag_length);

cmk_status cmk_aes_gcm_decrypt_arm64_eor3(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                          const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                          size_t length, const uint8_t *tag, size_t tag_length);
cmk_status cmk_aes_gcm_decrypt_arm64(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                     const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                     size_t length, const uint8_t *tag, size_t tag_length);
cmk_status cmk_aes_gcm_decrypt_portable(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length,
                                        const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                        size_t length, const uint8_t *tag, size_t tag_length);

cmk_status cmk_aes_gcm_init_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                       size_t iv_length);
cmk_status cmk_aes_gcm_init_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                  size_t iv_length);
cmk_status cmk_aes_gcm_init_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv,
                                     size_t iv_length);

cmk_status cmk_aes_gcm_aad_update_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                             const uint8_t *aad, size_t aad_length);
cmk_status cmk_aes_gcm_aad_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                        size_t aad_length);
cmk_status cmk_aes_gcm_aad_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                                           size_t aad_length);

cmk_status cmk_aes_gcm_encrypt_update_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                                 const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_gcm_encrypt_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                            uint8_t *out, size_t length);
cmk_status cmk_aes_gcm_encrypt_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                               const uint8_t *in, uint8_t *out, size_t length);

cmk_status cmk_aes_gcm_encrypt_final_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                                size_t tag_length);
cmk_status cmk_aes_gcm_encrypt_final_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                           size_t tag_length);
cmk_status cmk_aes_gcm_encrypt_final_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                              size_t tag_length);

cmk_status cmk_aes_gcm_decrypt_update_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                                 const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_gcm_decrypt_update_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                            uint8_t *out, size_t length);
cmk_status cmk_aes_gcm_decrypt_update_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                               const uint8_t *in, uint8_t *out, size_t length);

cmk_status cmk_aes_gcm_decrypt_final_arm64_eor3(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                                const uint8_t *tag, size_t tag_length);
cmk_status cmk_aes_gcm_decrypt_final_arm64(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *tag,
                                           size_t tag_length);
cmk_status cmk_aes_gcm_decrypt_final_portable(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key,
                                              const uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
}
#endif

#endif
