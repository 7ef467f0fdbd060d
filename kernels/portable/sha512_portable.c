/* SPDX-License-Identifier: MIT */
/* SHA-512 and SHA-384 in plain C. */
#include "sha512_core.h"

#include "sha512_frontend.h"

cmk_status cmk_sha512_update_portable(cmk_sha512_context *context, const uint8_t *data, size_t length)
{
    return sha2_update(context, data, length);
}

cmk_status cmk_sha512_final_portable(cmk_sha512_context *context, uint8_t digest[CMK_SHA512_DIGEST_SIZE])
{
    return sha512_final(context, digest);
}

cmk_status cmk_sha384_final_portable(cmk_sha512_context *context, uint8_t digest[CMK_SHA384_DIGEST_SIZE])
{
    return sha384_final(context, digest);
}
