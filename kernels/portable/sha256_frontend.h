/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-256 share: argument checks, buffering, padding.
 *
 * A variant's source includes its sha256_core.h and then this file, and wraps the functions at the end under its
 * own external names. */
#ifndef CMK_PORTABLE_SHA256_FRONTEND_H
#define CMK_PORTABLE_SHA256_FRONTEND_H

#include "bytes.h"
#include "cmk/sha256.h"

#define SHA256_LENGTH_LIMIT ((uint64_t)1 << 61) /* bytes: section 1 allows less than 2^64 bits */

static inline void sha256_absorb(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    size_t filled = (size_t)(context->length % CMK_SHA256_BLOCK_SIZE);
    size_t missing = CMK_SHA256_BLOCK_SIZE - filled;
    context->length += length;
    if (filled != 0 && length >= missing) {
        memcpy(context->buffer + filled, data, missing);
        sha256_compress(context->state, context->buffer, 1);
        data += missing;
        length -= missing;
        filled = 0;
    }
    if (length >= CMK_SHA256_BLOCK_SIZE) {
        size_t blocks = length / CMK_SHA256_BLOCK_SIZE;
        sha256_compress(context->state, data, blocks);
        data += blocks * CMK_SHA256_BLOCK_SIZE;
        length -= blocks * CMK_SHA256_BLOCK_SIZE;
    }
    if (length != 0) {
        memcpy(context->buffer + filled, data, length);
    }
}

/* Section 5.1.1: a bit, zeros, and the length in bits at the end of a block. */
static inline void sha256_pad(cmk_sha256_context *context)
{
    const size_t length_at = CMK_SHA256_BLOCK_SIZE - 8;
    size_t filled = (size_t)(context->length % CMK_SHA256_BLOCK_SIZE);
    context->buffer[filled++] = 0x80;
    if (filled > length_at) {
        memset(context->buffer + filled, 0, CMK_SHA256_BLOCK_SIZE - filled);
        sha256_compress(context->state, context->buffer, 1);
        filled = 0;
    }
    memset(context->buffer + filled, 0, length_at - filled);
    store64_be(context->buffer + length_at, context->length * 8);
    sha256_compress(context->state, context->buffer, 1);
}

static inline cmk_status sha256_update(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (context->length >= SHA256_LENGTH_LIMIT || length >= SHA256_LENGTH_LIMIT - context->length) {
        return CMK_ERROR_LENGTH;
    }
    if (length != 0) {
        sha256_absorb(context, data, length);
    }
    return CMK_OK;
}

static inline cmk_status sha256_final(cmk_sha256_context *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha256_pad(context);
    for (unsigned i = 0; i < 8; i++) {
        store32_be(digest + 4 * i, context->state[i]);
    }
    wipe(context, sizeof *context);
    return cmk_sha256_init(context);
}

#endif
