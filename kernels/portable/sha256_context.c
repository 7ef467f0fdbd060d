/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of SHA-256 and SHA-224 contexts, the same for all variants. */
#include "bytes.h"
#include "cmk/sha256.h"

/* FIPS 180-4 sections 5.3.3 and 5.3.2. */
static const uint32_t initial_256[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};
static const uint32_t initial_224[8] = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
};

static cmk_status begin(cmk_sha256_context *context, const uint32_t initial[8])
{
    if (context == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(context, 0, sizeof *context);
    memcpy(context->state, initial, sizeof context->state);
    return CMK_OK;
}

cmk_status cmk_sha256_init(cmk_sha256_context *context)
{
    return begin(context, initial_256);
}

cmk_status cmk_sha224_init(cmk_sha256_context *context)
{
    return begin(context, initial_224);
}

void cmk_sha256_wipe(cmk_sha256_context *context)
{
    if (context != NULL) {
        wipe(context, sizeof *context);
    }
}
