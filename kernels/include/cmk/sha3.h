/* SPDX-License-Identifier: MIT */
/* SHA3-224, SHA3-256, SHA3-384, SHA3-512, SHAKE128 and SHAKE256: FIPS 202.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment. The context is an ordinary C object, aligned as such.
 * - Buffers may not overlap the context.
 * - `data` and `out` may be NULL if their length is 0. NULL with a length is CMK_ERROR_NULL.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths, never on the message's bytes, as far as the
 *   compiler keeps what was written.
 * - The context is wiped at the end, the stack is not: what a compiler puts there of a block, or of the state, stays.
 *   It matters where a message is itself a key, as for HMAC.
 */
#ifndef CMK_SHA3_H
#define CMK_SHA3_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_SHA3_224_DIGEST_SIZE 28
#define CMK_SHA3_256_DIGEST_SIZE 32
#define CMK_SHA3_384_DIGEST_SIZE 48
#define CMK_SHA3_512_DIGEST_SIZE 64

/* Bytes between two permutations. For SHA-3 it is 200 less twice the digest. */
#define CMK_SHAKE128_RATE 168
#define CMK_SHAKE256_RATE 136

/* A message so far, and for SHAKE its output so far. Made by an init function; it may be copied, which forks both. */
typedef struct cmk_sha3_context {
    uint64_t lanes[25];   /* the state of section 3.1: lane x + 5 y, its first byte the lowest */
    uint32_t rate;        /* bytes between two permutations */
    uint32_t position;    /* bytes of these that were added to the state, or squeezed out of it; never all of them */
    uint32_t digest_size; /* 0 for SHAKE */
    uint32_t squeezing;   /* 1: the message is over */
} cmk_sha3_context;

/* Begins a message of SHA-3 with a digest of 28, 32, 48 or 64 bytes; another size is CMK_ERROR_LENGTH. A NULL
 * `context` is CMK_ERROR_NULL. */
cmk_status cmk_sha3_init(cmk_sha3_context *context, size_t digest_size);

/* Begins a message of SHAKE. A NULL `context` is CMK_ERROR_NULL. */
cmk_status cmk_shake128_init(cmk_sha3_context *context);
cmk_status cmk_shake256_init(cmk_sha3_context *context);

/* For SHA-3 and SHAKE. Adds `length` bytes. However a message is split into calls, the result is the same. After the
 * first squeeze, and for a context that was never begun, it is CMK_ERROR_STATE. */
cmk_status cmk_sha3_update(cmk_sha3_context *context, const uint8_t *data, size_t length);

/* SHA-3: ends the message and writes its digest. `length` says how much room there is for it and must be its size,
 * else it is CMK_ERROR_LENGTH. The context is then as after cmk_sha3_init: nothing of the message stays in it, and
 * another may begin. For SHAKE, and for a context that was never begun, it is CMK_ERROR_STATE. */
cmk_status cmk_sha3_final(cmk_sha3_context *context, uint8_t *digest, size_t length);

/* SHAKE: ends the message, if this is the first time, and writes the next `length` bytes of its output. However the
 * output is split into calls, it is the same; it has no end. The context stays as it is between calls:
 * cmk_sha3_wipe ends it. For SHA-3, and for a context that was never begun, it is CMK_ERROR_STATE. */
cmk_status cmk_shake_squeeze(cmk_sha3_context *context, uint8_t *out, size_t length);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_sha3_wipe(cmk_sha3_context *context);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs
 * SHA3, `portable` nothing. The plain functions take `arm64` only where the policy bit CMK_CPU_FAST_SHA3 is
 * set too: on many cores it is the slower one. A variant is there only if its kernel was built. Prototype and
 * contract are those of the plain function. The context has the same layout and meaning in all: a message
 * begun by one may be continued by another. */

cmk_status cmk_sha3_update_arm64(cmk_sha3_context *context, const uint8_t *data, size_t length);
cmk_status cmk_sha3_update_portable(cmk_sha3_context *context, const uint8_t *data, size_t length);

cmk_status cmk_sha3_final_arm64(cmk_sha3_context *context, uint8_t *digest, size_t length);
cmk_status cmk_sha3_final_portable(cmk_sha3_context *context, uint8_t *digest, size_t length);

cmk_status cmk_shake_squeeze_arm64(cmk_sha3_context *context, uint8_t *out, size_t length);
cmk_status cmk_shake_squeeze_portable(cmk_sha3_context *context, uint8_t *out, size_t length);

#ifdef __cplusplus
}
#endif

#endif
