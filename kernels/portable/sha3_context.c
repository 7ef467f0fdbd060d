/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of SHA-3 and SHAKE contexts, the same for all variants. */
#include "bytes.h"
#include "cmk/sha3.h"

static cmk_status begin(cmk_sha3_context *context, uint32_t rate, uint32_t digest_size)
{
    if (context == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(context, 0, sizeof *context);
    context->rate = rate;
    context->digest_size = digest_size;
    return CMK_OK;
}

cmk_status cmk_sha3_init(cmk_sha3_context *context, size_t digest_size)
{
    switch (digest_size) {
    case CMK_SHA3_224_DIGEST_SIZE:
    case CMK_SHA3_256_DIGEST_SIZE:
    case CMK_SHA3_384_DIGEST_SIZE:
    case CMK_SHA3_512_DIGEST_SIZE:
        return begin(context, 200 - 2 * (uint32_t)digest_size, (uint32_t)digest_size);
    default:
        return context == NULL ? CMK_ERROR_NULL : CMK_ERROR_LENGTH;
    }
}

cmk_status cmk_shake128_init(cmk_sha3_context *context)
{
    return begin(context, CMK_SHAKE128_RATE, 0);
}

cmk_status cmk_shake256_init(cmk_sha3_context *context)
{
    return begin(context, CMK_SHAKE256_RATE, 0);
}

void cmk_sha3_wipe(cmk_sha3_context *context)
{
    if (context != NULL) {
        wipe(context, sizeof *context);
    }
}
