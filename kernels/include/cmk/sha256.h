/* SPDX-License-Identifier: MIT */
/* SHA-256 and SHA-224: FIPS 180-4 sections 4.1.2, 5, 6.2 and 6.3.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment. The context is an ordinary C object, aligned as such.
 * - Buffers may not overlap the context.
 * - `data` may be NULL if its length is 0. NULL with a length is CMK_ERROR_NULL.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths, never on the message's bytes, as far as the
 *   compiler keeps what was written.
 * - The context is wiped at the end, the stack is not: what a compiler puts there of a block, or of the state, stays.
 *   It matters where a message is itself a key, as for HMAC.
 */
#ifndef CMK_SHA256_H
#define CMK_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_SHA256_DIGEST_SIZE 32
#define CMK_SHA224_DIGEST_SIZE 28
#define CMK_SHA256_BLOCK_SIZE 64

/* A message so far. Made by cmk_sha256_init or cmk_sha224_init; it may be copied, which forks the message. Which of
 * the two made it is not in it: the final function must be the one of the same name. */
typedef struct cmk_sha256_context {
    uint32_t state[8];                     /* H(i) of section 6.2, as numbers */
    uint64_t length;                       /* bytes so far */
    uint8_t buffer[CMK_SHA256_BLOCK_SIZE]; /* its first `length % 64` bytes are not yet in `state` */
} cmk_sha256_context;

/* Begins a message. A NULL `context` is CMK_ERROR_NULL. */
cmk_status cmk_sha256_init(cmk_sha256_context *context);
cmk_status cmk_sha224_init(cmk_sha256_context *context);

/* For both hashes. Adds `length` bytes. However a message is split into calls, the digest is the same. A message that
 * would reach 2^61 bytes (2^64 bits: section 1) is CMK_ERROR_LENGTH. */
cmk_status cmk_sha256_update(cmk_sha256_context *context, const uint8_t *data, size_t length);

/* Ends the message and writes its digest. The context is then as after the init function of the same name: nothing
 * of the message stays in it, and another may begin. A NULL argument is CMK_ERROR_NULL. */
cmk_status cmk_sha256_final(cmk_sha256_context *context, uint8_t digest[CMK_SHA256_DIGEST_SIZE]);
cmk_status cmk_sha224_final(cmk_sha256_context *context, uint8_t digest[CMK_SHA224_DIGEST_SIZE]);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_sha256_wipe(cmk_sha256_context *context);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs
 * SHA2, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those
 * of the plain function. The context has the same layout and meaning in all: a message begun by one may be
 * continued by another. */

cmk_status cmk_sha256_update_arm64(cmk_sha256_context *context, const uint8_t *data, size_t length);
cmk_status cmk_sha256_update_portable(cmk_sha256_context *context, const uint8_t *data, size_t length);

cmk_status cmk_sha256_final_arm64(cmk_sha256_context *context, uint8_t digest[CMK_SHA256_DIGEST_SIZE]);
cmk_status cmk_sha256_final_portable(cmk_sha256_context *context, uint8_t digest[CMK_SHA256_DIGEST_SIZE]);

cmk_status cmk_sha224_final_arm64(cmk_sha256_context *context, uint8_t digest[CMK_SHA224_DIGEST_SIZE]);
cmk_status cmk_sha224_final_portable(cmk_sha256_context *context, uint8_t digest[CMK_SHA224_DIGEST_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
