/* SPDX-License-Identifier: MIT */
/* SHA-3 and SHAKE by the instructions of Armv8.2-SHA. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_SHA3_ARM64

#include "dialect.h"

CMK_TARGET_SHA3_ARM64

#include "keccak_core.h"

#include "../portable/sha3_frontend.h"

cmk_status cmk_sha3_update_arm64(cmk_sha3_context *context, const uint8_t *data, size_t length)
{
    return sha3_update(context, data, length);
}

cmk_status cmk_sha3_final_arm64(cmk_sha3_context *context, uint8_t *digest, size_t length)
{
    return sha3_final(context, digest, length);
}

cmk_status cmk_shake_squeeze_arm64(cmk_sha3_context *context, uint8_t *out, size_t length)
{
    return shake_squeeze(context, out, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_sha3_arm64_not_built;

#endif
