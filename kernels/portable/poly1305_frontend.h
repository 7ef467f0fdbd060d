/* SPDX-License-Identifier: MIT */
/* What the variants of Poly1305 share: argument checks and buffering.
 *
 * A variant's source includes this file once, defines variant_poly1305_blocks, and wraps `poly1305_update` under its
 * own external name. */
#ifndef CMK_PORTABLE_POLY1305_FRONTEND_H
#define CMK_PORTABLE_POLY1305_FRONTEND_H

#include "bytes.h"
#include "cmk/poly1305.h"
#include "poly1305_core.h"

/* Adds whole blocks to the sum; at least one. May set the powers, and then says so in `stage`. */
static void variant_poly1305_blocks(cmk_poly1305_context *context, const uint8_t *in, size_t blocks);

static inline void poly1305_absorb(cmk_poly1305_context *context, const uint8_t *data, size_t length)
{
    size_t filled = context->filled;
    size_t missing = CMK_POLY1305_BLOCK_SIZE - filled;
    if (filled != 0 && length >= missing) {
        memcpy(context->buffer + filled, data, missing);
        variant_poly1305_blocks(context, context->buffer, 1);
        data += missing;
        length -= missing;
        filled = 0;
    }
    if (length >= CMK_POLY1305_BLOCK_SIZE) {
        size_t blocks = length / CMK_POLY1305_BLOCK_SIZE;
        variant_poly1305_blocks(context, data, blocks);
        data += blocks * CMK_POLY1305_BLOCK_SIZE;
        length -= blocks * CMK_POLY1305_BLOCK_SIZE;
    }
    memcpy(context->buffer + filled, data, length);
    context->filled = (uint32_t)(filled + length);
}

static inline cmk_status poly1305_update(cmk_poly1305_context *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (!poly1305_is_begun(context)) {
        return CMK_ERROR_STATE;
    }
    if (length != 0) {
        poly1305_absorb(context, data, length);
    }
    return CMK_OK;
}

#endif
