/* SPDX-License-Identifier: MIT */
/* Beginning, ending and wiping of Poly1305 messages, the same for all variants. */
#include "bytes.h"
#include "cmk/poly1305.h"
#include "poly1305_ends.h"

cmk_status cmk_poly1305_init(cmk_poly1305_context *context, const uint8_t key[CMK_POLY1305_KEY_SIZE])
{
    if (context == NULL || key == NULL) {
        return CMK_ERROR_NULL;
    }
    poly1305_begin(context, key);
    return CMK_OK;
}

cmk_status cmk_poly1305_final(cmk_poly1305_context *context, uint8_t tag[CMK_POLY1305_TAG_SIZE])
{
    if (context == NULL || tag == NULL) {
        return CMK_ERROR_NULL;
    }
    if (!poly1305_is_begun(context)) {
        return CMK_ERROR_STATE;
    }
    poly1305_end(context, tag);
    return CMK_OK;
}

void cmk_poly1305_wipe(cmk_poly1305_context *context)
{
    if (context != NULL) {
        wipe(context, sizeof *context);
    }
}
