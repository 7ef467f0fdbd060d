/* SPDX-License-Identifier: MIT */
/* The beginning and the end of a Poly1305 message: RFC 8439 section 2.5. */
#ifndef CMK_PORTABLE_POLY1305_ENDS_H
#define CMK_PORTABLE_POLY1305_ENDS_H

#include "bytes.h"
#include "cmk/poly1305.h"
#include "poly1305_core.h"

static inline void poly1305_begin(cmk_poly1305_context *context, const uint8_t key[32])
{
    memset(context, 0, sizeof *context);
    poly1305_clamp(context->r, key);
    for (unsigned i = 0; i < 4; i++) {
        context->s[i] = load32_le(key + 16 + 4 * i);
    }
    context->stage = POLY1305_BEGUN;
}

/* Writes the tag, and zeros over the context. A last block that is not whole gets a bit after its last byte, then
 * zeros. */
static inline void poly1305_end(cmk_poly1305_context *context, uint8_t tag[16])
{
    const size_t filled = context->filled;
    if (filled != 0) {
        context->buffer[filled] = 1;
        memset(context->buffer + filled + 1, 0, CMK_POLY1305_BLOCK_SIZE - filled - 1);
        poly1305_plain_blocks(context->sum, context->r, context->buffer, 1, 0);
    }
    poly1305_tag(context->sum, context->s, tag);
    wipe(context, sizeof *context);
}

#endif
