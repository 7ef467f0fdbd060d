/* SPDX-License-Identifier: MIT */
/* SHA-256 and SHA-224 by the instructions of the Armv8-A Cryptographic Extension. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_SHA256_ARM64

#include "dialect.h"

CMK_TARGET_SHA256_ARM64

#include "sha256_core.h"

#include "../portable/sha256_frontend.h"

cmk_status cmk_sha256_update_arm64(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    return sha2_update(context, data, length);
}

cmk_status cmk_sha256_final_arm64(cmk_sha256_context *context, uint8_t digest[CMK_SHA256_DIGEST_SIZE])
{
    return sha256_final(context, digest);
}

cmk_status cmk_sha224_final_arm64(cmk_sha256_context *context, uint8_t digest[CMK_SHA224_DIGEST_SIZE])
{
    return sha224_final(context, digest);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_sha256_arm64_not_built;

#endif
