/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of SHA-256 contexts, the same for all variants. */
#include "bytes.h"
#include "cmk/sha256.h"

/* FIPS 180-4 section 5.3.3. */
static const uint32_t initial[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

cmk_status cmk_sha256_init(cmk_sha256_context *context)
{
    if (context == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(context, 0, sizeof *context);
    memcpy(context->state, initial, sizeof initial);
    return CMK_OK;
}

void cmk_sha256_wipe(cmk_sha256_context *context)
{
    if (context != NULL) {
        wipe(context, sizeof *context);
    }
}
