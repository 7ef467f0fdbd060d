/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-512 and SHA-384 share: argument checks, buffering, padding.
 *
 * A variant's source includes its sha512_core.h and then this file, and wraps the functions at the end under its
 * own external names. */
#ifndef CMK_PORTABLE_SHA512_FRONTEND_H
#define CMK_PORTABLE_SHA512_FRONTEND_H

#include "bytes.h"
#include "cmk/sha512.h"

static inline void sha512_absorb(cmk_sha512_context *context, const uint8_t *data, size_t length)
{
    size_t filled = (size_t)(context->length % CMK_SHA512_BLOCK_SIZE);
    size_t missing = CMK_SHA512_BLOCK_SIZE - filled;
    context->length += length;
    if (filled != 0 && length >= missing) {
        memcpy(context->buffer + filled, data, missing);
        sha512_compress(context->state, context->buffer, 1);
        data += missing;
        length -= missing;
        filled = 0;
    }
    if (length >= CMK_SHA512_BLOCK_SIZE) {
        size_t blocks = length / CMK_SHA512_BLOCK_SIZE;
        sha512_compress(context->state, data, blocks);
        data += blocks * CMK_SHA512_BLOCK_SIZE;
        length -= blocks * CMK_SHA512_BLOCK_SIZE;
    }
    if (length != 0) {
        memcpy(context->buffer + filled, data, length);
    }
}

/* Section 5.1.2: a bit, zeros, and the length in bits, a number of 128 bits, at the end of a block. */
static inline void sha512_pad(cmk_sha512_context *context)
{
    const size_t length_at = CMK_SHA512_BLOCK_SIZE - 16;
    size_t filled = (size_t)(context->length % CMK_SHA512_BLOCK_SIZE);
    context->buffer[filled++] = 0x80;
    if (filled > length_at) {
        memset(context->buffer + filled, 0, CMK_SHA512_BLOCK_SIZE - filled);
        sha512_compress(context->state, context->buffer, 1);
        filled = 0;
    }
    memset(context->buffer + filled, 0, length_at - filled);
    store64_be(context->buffer + length_at, context->length >> 61);
    store64_be(context->buffer + length_at + 8, context->length << 3);
    sha512_compress(context->state, context->buffer, 1);
}

static inline cmk_status sha512_update(cmk_sha512_context *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (length > UINT64_MAX - context->length) {
        return CMK_ERROR_LENGTH;
    }
    if (length != 0) {
        sha512_absorb(context, data, length);
    }
    return CMK_OK;
}

/* Ends the message, writes the first `words` words of the state and leaves nothing. */
static inline void sha512_finish(cmk_sha512_context *context, uint8_t *digest, unsigned words)
{
    sha512_pad(context);
    for (unsigned i = 0; i < words; i++) {
        store64_be(digest + 8 * i, context->state[i]);
    }
    wipe(context, sizeof *context);
}

static inline cmk_status sha512_final(cmk_sha512_context *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha512_finish(context, digest, CMK_SHA512_DIGEST_SIZE / 8);
    return cmk_sha512_init(context);
}

static inline cmk_status sha384_final(cmk_sha512_context *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha512_finish(context, digest, CMK_SHA384_DIGEST_SIZE / 8);
    return cmk_sha384_init(context);
}

#endif
