/* SPDX-License-Identifier: MIT */
/* AES-128, AES-192 and AES-256: key schedule, ECB, CBC and CTR. GCM and XTS have headers of their own.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment. Contexts are ordinary C objects, aligned as such.
 * - `out` may be exactly `in` (in place). Other overlaps of buffers with each other, or with a context, are
 *   not allowed.
 * - A buffer pointer may be NULL if its length is 0. NULL with a length is CMK_ERROR_NULL.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths, key size and counter, never on the bytes of keys
 *   or data, as far as the compiler keeps what was written and the CPU runs its plain integer, vector and AES
 *   instructions in constant time.
 *
 * On Cortex-A57 and Cortex-A72 in 32-bit state an AESE may go wrong after a 32-bit write to its vector; these kernels
 * are for 64-bit state, and make counters by whole vectors.
 */
#ifndef CMK_AES_H
#define CMK_AES_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_AES_BLOCK_SIZE 16
#define CMK_AES_MAX_ROUNDS 14
#define CMK_AES_SCHEDULE_SIZE (CMK_AES_BLOCK_SIZE * (CMK_AES_MAX_ROUNDS + 1))

/* An expanded key. Round keys are the bytes of FIPS 197 in the order in which they are used; those past
 * `rounds` are zero. It may be copied, and read by any number of threads at once. */
typedef struct cmk_aes_key {
    uint8_t encrypt[CMK_AES_SCHEDULE_SIZE]; /* section 5.2 */
    uint8_t decrypt[CMK_AES_SCHEDULE_SIZE]; /* section 5.3.5, the equivalent inverse cipher */
    uint32_t rounds;                        /* 10, 12 or 14 */
} cmk_aes_key;

/* Where a CTR stream stands. Made by cmk_aes_ctr_init; it may be copied, which forks the stream. */
typedef struct cmk_aes_ctr_state {
    uint8_t counter[CMK_AES_BLOCK_SIZE];   /* of the next block, big endian */
    uint8_t keystream[CMK_AES_BLOCK_SIZE]; /* the last `left` bytes are unused keystream, the others zero */
    uint32_t left;                         /* 0 to 15 */
} cmk_aes_ctr_state;

/* Expands the `length` bytes at `bytes` into `*key`: FIPS 197 section 5.2. Any length but 16, 24 and 32 is
 * CMK_ERROR_LENGTH; a NULL `key` or `bytes` is CMK_ERROR_NULL. */
cmk_status cmk_aes_set_key(cmk_aes_key *key, const uint8_t *bytes, size_t length);

/* Encrypts `length` bytes, block by block: SP 800-38A section 6.1. A length that is no multiple of 16 is
 * CMK_ERROR_LENGTH; 0 is allowed. ECB shows which blocks are equal: it is a part to build modes from. */
cmk_status cmk_aes_ecb_encrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);

/* The inverse of ECB encryption; the same rules. */
cmk_status cmk_aes_ecb_decrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);

/* Encrypts `length` bytes: SP 800-38A section 6.2. `iv` is the initialization vector, which must not be predictable,
 * and afterwards the last block of ciphertext, so that the next call goes on with the message. A length that is no
 * multiple of 16 is CMK_ERROR_LENGTH (there is no padding here); 0 is allowed. */
cmk_status cmk_aes_cbc_encrypt(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in, uint8_t *out,
                               size_t length);

/* The inverse of CBC encryption; the same rules. `iv` is afterwards the last block of ciphertext too. */
cmk_status cmk_aes_cbc_decrypt(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in, uint8_t *out,
                               size_t length);

/* Begins a CTR stream whose first block has the given counter (all 16 bytes: nonce and block number).
 * A NULL argument is CMK_ERROR_NULL. */
cmk_status cmk_aes_ctr_init(cmk_aes_ctr_state *state, const uint8_t counter[CMK_AES_BLOCK_SIZE]);

/* Encrypts or decrypts the next `length` bytes of the stream, any number of them: SP 800-38A section 6.5,
 * with the standard incrementing function of appendix B.1 over all 128 bits: after ff..ff comes 00..00.
 * However a message is split into calls, the bytes are the same. A counter must never be used twice with one
 * key; nothing here can check that. */
cmk_status cmk_aes_ctr(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                       size_t length);

/* Overwrite with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_aes_key_wipe(cmk_aes_key *key);
void cmk_aes_ctr_wipe(cmk_aes_ctr_state *state);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs
 * AES, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those
 * of the plain function. Contexts have the same layout and meaning in all: a key set by one may be used by
 * another, and a stream begun by one continued by another. */

cmk_status cmk_aes_set_key_arm64(cmk_aes_key *key, const uint8_t *bytes, size_t length);
cmk_status cmk_aes_set_key_portable(cmk_aes_key *key, const uint8_t *bytes, size_t length);

cmk_status cmk_aes_ecb_encrypt_arm64(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_ecb_encrypt_portable(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);

cmk_status cmk_aes_ecb_decrypt_arm64(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_ecb_decrypt_portable(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);

cmk_status cmk_aes_cbc_encrypt_arm64(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                     uint8_t *out, size_t length);
cmk_status cmk_aes_cbc_encrypt_portable(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                        uint8_t *out, size_t length);

cmk_status cmk_aes_cbc_decrypt_arm64(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                     uint8_t *out, size_t length);
cmk_status cmk_aes_cbc_decrypt_portable(const cmk_aes_key *key, uint8_t iv[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                                        uint8_t *out, size_t length);

cmk_status cmk_aes_ctr_arm64(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                             size_t length);
cmk_status cmk_aes_ctr_portable(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in,
                                uint8_t *out, size_t length);

#ifdef __cplusplus
}
#endif

#endif
