/* SPDX-License-Identifier: MIT */
/* What all of SHA-2 shares: argument checks, buffering, padding. sha256_frontend.h and sha512_frontend.h say what
 * differs before they include this file:
 *
 * SHA2_CONTEXT, SHA2_BLOCK_SIZE, SHA2_LENGTH_SIZE: the context, and bytes in a block and in the length at its end
 * SHA2_MAX_LENGTH: bytes that a message may have
 * SHA2_COMPRESS(state, data, blocks), SHA2_STORE(bytes, word), SHA2_STORE_LENGTH(bytes, length): the core; a word of
 *     the state as bytes; the length of a message in bytes as one in bits, at the end of a block */
#ifndef CMK_PORTABLE_SHA2_FRONTEND_H
#define CMK_PORTABLE_SHA2_FRONTEND_H

#include "bytes.h"

static inline void sha2_absorb(SHA2_CONTEXT *context, const uint8_t *data, size_t length)
{
    size_t filled = (size_t)(context->length % SHA2_BLOCK_SIZE);
    size_t missing = SHA2_BLOCK_SIZE - filled;
    context->length += length;
    if (filled != 0 && length >= missing) {
        memcpy(context->buffer + filled, data, missing);
        SHA2_COMPRESS(context->state, context->buffer, 1);
        data += missing;
        length -= missing;
        filled = 0;
    }
    if (length >= SHA2_BLOCK_SIZE) {
        size_t blocks = length / SHA2_BLOCK_SIZE;
        SHA2_COMPRESS(context->state, data, blocks);
        data += blocks * SHA2_BLOCK_SIZE;
        length -= blocks * SHA2_BLOCK_SIZE;
    }
    if (length != 0) {
        memcpy(context->buffer + filled, data, length);
    }
}

/* FIPS 180-4 section 5.1: a bit, zeros, and the length in bits at the end of a block. */
static inline void sha2_pad(SHA2_CONTEXT *context)
{
    const size_t length_at = SHA2_BLOCK_SIZE - SHA2_LENGTH_SIZE;
    size_t filled = (size_t)(context->length % SHA2_BLOCK_SIZE);
    context->buffer[filled++] = 0x80;
    if (filled > length_at) {
        memset(context->buffer + filled, 0, SHA2_BLOCK_SIZE - filled);
        SHA2_COMPRESS(context->state, context->buffer, 1);
        filled = 0;
    }
    memset(context->buffer + filled, 0, length_at - filled);
    SHA2_STORE_LENGTH(context->buffer + length_at, context->length);
    SHA2_COMPRESS(context->state, context->buffer, 1);
}

static inline cmk_status sha2_update(SHA2_CONTEXT *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (context->length > SHA2_MAX_LENGTH || length > SHA2_MAX_LENGTH - context->length) {
        return CMK_ERROR_LENGTH;
    }
    if (length != 0) {
        sha2_absorb(context, data, length);
    }
    return CMK_OK;
}

/* Ends the message, writes the first `words` words of the state and leaves nothing. */
static inline void sha2_finish(SHA2_CONTEXT *context, uint8_t *digest, unsigned words)
{
    sha2_pad(context);
    for (unsigned i = 0; i < words; i++) {
        SHA2_STORE(digest + sizeof context->state[0] * i, context->state[i]);
    }
    wipe(context, sizeof *context);
}

#endif
