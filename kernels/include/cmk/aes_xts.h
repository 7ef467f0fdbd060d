/* SPDX-License-Identifier: MIT */
/* XTS-AES-128 and XTS-AES-256, with ciphertext stealing: IEEE Std 1619, SP 800-38E.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function of cmk/aes.h holds for those here. XTS keeps stored data secret; it does not notice
 * when they are changed.
 */
#ifndef CMK_AES_XTS_H
#define CMK_AES_XTS_H

#include "aes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest data unit: 2^20 blocks (SP 800-38E). */
#define CMK_AES_XTS_MAX_LENGTH ((size_t)CMK_AES_BLOCK_SIZE << 20)

/* The two expanded keys: that of the data as in cmk_aes_key, and that of the tweak. It may be copied, and read by any
 * number of threads at once. */
typedef struct cmk_aes_xts_key {
    uint8_t encrypt[CMK_AES_SCHEDULE_SIZE];
    uint8_t decrypt[CMK_AES_SCHEDULE_SIZE];
    uint8_t tweak[CMK_AES_SCHEDULE_SIZE];
    uint32_t rounds; /* 10 or 14 */
} cmk_aes_xts_key;

/* Expands the `length` bytes at `bytes` into `*key`. They are Key1, for the data, and after it Key2, for the tweak;
 * any length but 32 (XTS-AES-128) and 64 (XTS-AES-256) is CMK_ERROR_LENGTH. Equal halves are CMK_ERROR_KEY: such a
 * key is not safe. A NULL `key` or `bytes` is CMK_ERROR_NULL. */
cmk_status cmk_aes_xts_set_key(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length);

/* Encrypts one data unit of `length` bytes, 16 to CMK_AES_XTS_MAX_LENGTH; any other length, 0 too, is
 * CMK_ERROR_LENGTH. `tweak` is the number of the data unit, little endian. Equal data in units of one number and key
 * have equal ciphertext, block by block. */
cmk_status cmk_aes_xts_encrypt(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                               uint8_t *out, size_t length);

/* The inverse; the same rules. */
cmk_status cmk_aes_xts_decrypt(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE], const uint8_t *in,
                               uint8_t *out, size_t length);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_aes_xts_key_wipe(cmk_aes_xts_key *key);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * As in cmk/aes.h: `arm64` needs AES, `portable` nothing, and a key set by one may be used by another. */

cmk_status cmk_aes_xts_set_key_arm64(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length);
cmk_status cmk_aes_xts_set_key_portable(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length);

cmk_status cmk_aes_xts_encrypt_arm64(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                     const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_xts_encrypt_portable(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                        const uint8_t *in, uint8_t *out, size_t length);

cmk_status cmk_aes_xts_decrypt_arm64(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                     const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_aes_xts_decrypt_portable(const cmk_aes_xts_key *key, const uint8_t tweak[CMK_AES_BLOCK_SIZE],
                                        const uint8_t *in, uint8_t *out, size_t length);

#ifdef __cplusplus
}
#endif

#endif
