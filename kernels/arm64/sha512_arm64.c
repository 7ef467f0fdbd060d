/* SPDX-License-Identifier: MIT */
/* SHA-512 and SHA-384 by the instructions of Armv8.2-SHA. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_SHA512_ARM64

#include "dialect.h"

CMK_TARGET_SHA512_ARM64

#include "sha512_core.h"

#include "../portable/sha512_frontend.h"

cmk_status cmk_sha512_update_arm64(cmk_sha512_context *context, const uint8_t *data, size_t length)
{
    return sha2_update(context, data, length);
}

cmk_status cmk_sha512_final_arm64(cmk_sha512_context *context, uint8_t digest[CMK_SHA512_DIGEST_SIZE])
{
    return sha512_final(context, digest);
}

cmk_status cmk_sha384_final_arm64(cmk_sha512_context *context, uint8_t digest[CMK_SHA384_DIGEST_SIZE])
{
    return sha384_final(context, digest);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_sha512_arm64_not_built;

#endif
