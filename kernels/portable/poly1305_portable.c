/* SPDX-License-Identifier: MIT */
/* Poly1305 in plain C. */
#include "poly1305_core.h"
#include "poly1305_frontend.h"

static void variant_poly1305_blocks(cmk_poly1305_context *context, const uint8_t *in, size_t blocks)
{
    poly1305_plain_blocks(context->sum, context->r, in, blocks, POLY1305_BIT_128);
}

cmk_status cmk_poly1305_update_portable(cmk_poly1305_context *context, const uint8_t *data, size_t length)
{
    return poly1305_update(context, data, length);
}
