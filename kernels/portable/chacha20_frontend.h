/* SPDX-License-Identifier: MIT */
/* What the variants of ChaCha20 share: argument checks and leftover keystream.
 *
 * A variant's source includes this file once, defines variant_chacha20, and wraps `chacha20` under its own
 * external name. */
#ifndef CMK_PORTABLE_CHACHA20_FRONTEND_H
#define CMK_PORTABLE_CHACHA20_FRONTEND_H

#include "bytes.h"
#include "chacha20_words.h"
#include "cmk/chacha20.h"

/* Encrypts or decrypts `length` bytes, any number of them, from the beginning of a block on. `words` is the state with
 * the counter of the first block, and is left with that of the block after the last, modulo 2^32; a block of which
 * only a part is wanted is used up. The other words stay. `out` may be `in`, and both may be NULL
 * if `length` is 0. */
static void variant_chacha20(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length);

/* Uses up to `length` bytes of the keystream that is left, and answers how many. Used bytes are forgotten. */
static inline size_t chacha20_use_left(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t *unused = state->keystream + (CMK_CHACHA20_BLOCK_SIZE - state->left);
    size_t count = length < state->left ? length : state->left;
    xor_bytes(out, in, unused, count);
    memset(unused, 0, count);
    state->left -= (uint32_t)count;
    return count;
}

/* First what is left of an earlier block, then whole blocks, then the beginning of one more. */
static inline void chacha20_stream(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    const size_t done = chacha20_use_left(state, in, out, length);
    const size_t part = (length - done) % CMK_CHACHA20_BLOCK_SIZE;
    variant_chacha20(state->words, in + done, out + done, length - done - part);
    if (part != 0) {
        /* keystream is zero here: encrypting it in place gives the keystream */
        variant_chacha20(state->words, state->keystream, state->keystream, CMK_CHACHA20_BLOCK_SIZE);
        state->left = CMK_CHACHA20_BLOCK_SIZE;
        (void)chacha20_use_left(state, in + (length - part), out + (length - part), part);
    }
}

static inline cmk_status chacha20(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    if (state == NULL || (length != 0 && (in == NULL || out == NULL))) {
        return CMK_ERROR_NULL;
    }
    if (state->words[0] != chacha20_constants[0] || state->left >= CMK_CHACHA20_BLOCK_SIZE) {
        return CMK_ERROR_STATE;
    }
    if (length != 0) {
        chacha20_stream(state, in, out, length);
    }
    return CMK_OK;
}

#endif
