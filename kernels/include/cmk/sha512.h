/* SPDX-License-Identifier: MIT */
/* SHA-512 and SHA-384: FIPS 180-4 sections 4.1.3, 5, 6.4 and 6.5.
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
#ifndef CMK_SHA512_H
#define CMK_SHA512_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_SHA512_DIGEST_SIZE 64
#define CMK_SHA384_DIGEST_SIZE 48
#define CMK_SHA512_BLOCK_SIZE 128

/* A message so far. Made by cmk_sha512_init or cmk_sha384_init; it may be copied, which forks the message. Which of
 * the two made it is not in it: the final function must be the one of the same name. */
typedef struct cmk_sha512_context {
    uint64_t state[8];                     /* H(i) of section 6.4, as numbers */
    uint64_t length;                       /* bytes so far */
    uint8_t buffer[CMK_SHA512_BLOCK_SIZE]; /* its first `length % 128` bytes are not yet in `state` */
} cmk_sha512_context;

/* Begins a message. A NULL `context` is CMK_ERROR_NULL. */
cmk_status cmk_sha512_init(cmk_sha512_context *context);
cmk_status cmk_sha384_init(cmk_sha512_context *context);

/* For both hashes. Adds `length` bytes. However a message is split into calls, the digest is the same. A message that
 * would reach 2^64 bytes, of the 2^125 that section 1 allows, is CMK_ERROR_LENGTH. */
cmk_status cmk_sha512_update(cmk_sha512_context *context, const uint8_t *data, size_t length);

/* Ends the message and writes its digest. The context is then as after the init function of the same name: nothing
 * of the message stays in it, and another may begin. A NULL argument is CMK_ERROR_NULL. */
cmk_status cmk_sha512_final(cmk_sha512_context *context, uint8_t digest[CMK_SHA512_DIGEST_SIZE]);
cmk_status cmk_sha384_final(cmk_sha512_context *context, uint8_t digest[CMK_SHA384_DIGEST_SIZE]);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_sha512_wipe(cmk_sha512_context *context);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs
 * SHA512, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those
 * of the plain function. The context has the same layout and meaning in all: a message begun by one may be
 * continued by another. */

cmk_status cmk_sha512_update_arm64(cmk_sha512_context *context, const uint8_t *data, size_t length);
cmk_status cmk_sha512_update_portable(cmk_sha512_context *context, const uint8_t *data, size_t length);

cmk_status cmk_sha512_final_arm64(cmk_sha512_context *context, uint8_t digest[CMK_SHA512_DIGEST_SIZE]);
cmk_status cmk_sha512_final_portable(cmk_sha512_context *context, uint8_t digest[CMK_SHA512_DIGEST_SIZE]);

cmk_status cmk_sha384_final_arm64(cmk_sha512_context *context, uint8_t digest[CMK_SHA384_DIGEST_SIZE]);
cmk_status cmk_sha384_final_portable(cmk_sha512_context *context, uint8_t digest[CMK_SHA384_DIGEST_SIZE]);

#ifdef __cplusplus
}
#endif

#endif
