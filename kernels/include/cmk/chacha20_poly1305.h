/* SPDX-License-Identifier: MIT */
/* AEAD_CHACHA20_POLY1305: RFC 8439 section 2.8. A nonce must never be used twice with one key.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment.
 * - `out` may be exactly `in` (in place). Other overlaps of `out`, or of a `tag` that is written, with other buffers
 *   are not allowed.
 * - `aad`, `in` and `out` may be NULL if their length is 0. NULL with a length is CMK_ERROR_NULL, and so is any other
 *   NULL.
 * - A message is at most CMK_CHACHA20_POLY1305_MAX_LENGTH bytes long, for the counter of its blocks, which has 32 bits
 *   and begins at 1, must not come back to the block that the Poly1305 key is taken from: a longer one is
 *   CMK_ERROR_LENGTH.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths and on whether the tag is right, never on the bytes of keys
 *   or data, as far as the compiler keeps what was written and the CPU multiplies in constant time.
 */
#ifndef CMK_CHACHA20_POLY1305_H
#define CMK_CHACHA20_POLY1305_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_CHACHA20_POLY1305_KEY_SIZE 32
#define CMK_CHACHA20_POLY1305_NONCE_SIZE 12
#define CMK_CHACHA20_POLY1305_TAG_SIZE 16
#define CMK_CHACHA20_POLY1305_MAX_LENGTH ((((uint64_t)1 << 32) - 1) * 64)

/* Encrypts `length` bytes, and writes the tag that authenticates them and the `aad_length` bytes at `aad`. */
cmk_status cmk_chacha20_poly1305_encrypt(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                         const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE], const uint8_t *aad,
                                         size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                         uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);

/* The inverse. First the tag is verified: if it is not the right one, the answer is CMK_ERROR_TAG. */
cmk_status cmk_chacha20_poly1305_decrypt(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                         const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE], const uint8_t *aad,
                                         size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                         const uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs Advanced
 * SIMD, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those of
 * the plain function. */

cmk_status cmk_chacha20_poly1305_encrypt_arm64(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);
cmk_status cmk_chacha20_poly1305_encrypt_portable(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                                  const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                                  const uint8_t *aad, size_t aad_length, const uint8_t *in,
                                                  uint8_t *out, size_t length,
                                                  uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);

cmk_status cmk_chacha20_poly1305_decrypt_arm64(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, const uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);
cmk_status cmk_chacha20_poly1305_decrypt_portable(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                                  const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                                  const uint8_t *aad, size_t aad_length, const uint8_t *in,
                                                  uint8_t *out, size_t length,
                                                  const uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
