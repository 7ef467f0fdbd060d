/* SPDX-License-Identifier: MIT */
/* ChaCha20: RFC 8439 sections 2.1 to 2.4.
 *
 * Each function takes the best that the CPU at hand can do. What it chooses from stands at the end.
 *
 * What holds for every function here:
 * - Lengths are in bytes. A buffer needs no alignment. The state is an ordinary C object, aligned as such.
 * - `out` may be exactly `in` (in place). Other overlaps of buffers with each other, or with the state, are not
 *   allowed.
 * - A buffer pointer may be NULL if its length is 0. NULL with a length is CMK_ERROR_NULL.
 * - If the answer is not CMK_OK, nothing was written.
 * - Running time and the addresses used depend on lengths and on how much of a block is left, never on the bytes of
 *   keys or data, as far as the compiler keeps what was written.
 */
#ifndef CMK_CHACHA20_H
#define CMK_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CMK_CHACHA20_KEY_SIZE 32
#define CMK_CHACHA20_NONCE_SIZE 12
#define CMK_CHACHA20_BLOCK_SIZE 64

/* Where a stream stands. Made by cmk_chacha20_init; it may be copied, which forks the stream. It holds the key. */
typedef struct cmk_chacha20_state {
    uint32_t words[16]; /* section 2.3, as numbers: constants, key, counter of the next block, nonce */
    uint8_t keystream[CMK_CHACHA20_BLOCK_SIZE]; /* the last `left` bytes are unused keystream, the others zero */
    uint32_t left;                              /* 0 to 63 */
} cmk_chacha20_state;

/* Begins a stream whose first block has the given counter. A NULL argument is CMK_ERROR_NULL. */
cmk_status cmk_chacha20_init(cmk_chacha20_state *state, const uint8_t key[CMK_CHACHA20_KEY_SIZE],
                             const uint8_t nonce[CMK_CHACHA20_NONCE_SIZE], uint32_t counter);

/* Encrypts or decrypts the next `length` bytes of the stream, any number of them: section 2.4. However a message is
 * split into calls, the bytes are the same. The counter has 32 bits: after block 2^32 - 1 comes block 0, and the
 * nonce stays as it is, so that a stream repeats itself after 256 GiB; nothing here can check that no block of
 * keystream is used twice. A state that was never initialised is CMK_ERROR_STATE. */
cmk_status cmk_chacha20(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length);

/* Overwrites with zeros, in a way that no compiler leaves out. NULL is allowed. */
void cmk_chacha20_wipe(cmk_chacha20_state *state);

/* ---- variants -----------------------------------------------------------------------------------------
 *
 * What the plain function chooses from; call them only where the CPU has the instructions: `arm64` needs Advanced
 * SIMD, `portable` nothing. A variant is there only if its kernel was built. Prototype and contract are those of
 * the plain function. The state has the same layout and meaning in all: a stream begun by one may be continued by
 * another. */

cmk_status cmk_chacha20_arm64(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length);
cmk_status cmk_chacha20_portable(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length);

#ifdef __cplusplus
}
#endif

#endif
