/* SPDX-License-Identifier: MIT */
/* Poly1305: RFC 8439 section 2.5. A key authenticates one message: who sees two tags under one key can forge a third.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment. The context is an ordinary C object, aligned as such.
 * - Buffers may not overlap the context.
 * - `data` may be NULL if its length is 0. NULL with a length is CMK_ERROR_NULL.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths, never on the bytes of keys or messages, as far as the
 *   compiler keeps what was written and the CPU multiplies in constant time.
 */
#ifndef CMK_POLY1305_H
#define CMK_POLY1305_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_POLY1305_KEY_SIZE 32
#define CMK_POLY1305_TAG_SIZE 16
#define CMK_POLY1305_BLOCK_SIZE 16
#define CMK_POLY1305_LIMBS 5

/* A message so far. Made by cmk_poly1305_init; it may be copied, which forks the message. It holds the key. Numbers
 * below 2^130 are limbs of 26 bits, the lowest first. */
typedef struct cmk_poly1305_context {
    uint32_t sum[CMK_POLY1305_LIMBS]; /* the accumulator, not wholly reduced: each limb is below 2^28 */
    uint32_t r[CMK_POLY1305_LIMBS];   /* clamped */
    uint32_t powers[CMK_POLY1305_LIMBS * 8]; /* limbs 0 of r^8, r^7, ..., r, then their limbs 1, and so on */
    uint32_t s[4];
    uint8_t buffer[CMK_POLY1305_BLOCK_SIZE]; /* its first `filled` bytes are not yet in the sum */
    uint32_t filled;                         /* 0 to 15 */
    uint32_t stage;                          /* 0: no message has begun; 1: powers are not set yet; 2: they are */
} cmk_poly1305_context;

/* Begins a message under a key, which is r and s of section 2.5. A NULL argument is CMK_ERROR_NULL. */
cmk_status cmk_poly1305_init(cmk_poly1305_context *context, const uint8_t key[CMK_POLY1305_KEY_SIZE]);

/* Adds `length` bytes. However a message is split into calls, the tag is the same. A context that was never
 * initialised, or whose message has ended, is CMK_ERROR_STATE. */
cmk_status cmk_poly1305_update(cmk_poly1305_context *context, const uint8_t *data, size_t length);

/* Ends the message and writes its tag. Nothing of the key stays in the context: it is all zero, and only
 * cmk_poly1305_init may follow. A NULL argument is CMK_ERROR_NULL, and CMK_ERROR_STATE is as above. */
cmk_status cmk_poly1305_final(cmk_poly1305_context *context, uint8_t tag[CMK_POLY1305_TAG_SIZE]);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_poly1305_wipe(cmk_poly1305_context *context);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain functions choose from; call them only where the CPU has the instructions: `arm64` needs Advanced
 * SIMD, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those of
 * the plain function. The context has the same layout and meaning in all: a message begun by one may be continued
 * by another. */

cmk_status cmk_poly1305_update_arm64(cmk_poly1305_context *context, const uint8_t *data, size_t length);
cmk_status cmk_poly1305_update_portable(cmk_poly1305_context *context, const uint8_t *data, size_t length);

#ifdef __cplusplus
}
#endif

#endif
