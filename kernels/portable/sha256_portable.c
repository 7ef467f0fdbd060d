/* SPDX-License-Identifier: MIT */
/* SHA-256 and SHA-224 in plain C. */
#include "sha256_core.h"

#include "sha256_frontend.h"

cmk_status cmk_sha256_update_portable(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    return sha2_update(context, data, length);
}

cmk_status cmk_sha256_final_portable(cmk_sha256_context *context, uint8_t digest[CMK_SHA256_DIGEST_SIZE])
{
    return sha256_final(context, digest);
}

cmk_status cmk_sha224_final_portable(cmk_sha256_context *context, uint8_t digest[CMK_SHA224_DIGEST_SIZE])
{
    return sha224_final(context, digest);
}
