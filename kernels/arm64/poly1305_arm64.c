/* SPDX-License-Identifier: MIT */
/* Poly1305 by Advanced SIMD. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_POLY1305_ARM64

#include "dialect.h"

CMK_TARGET_POLY1305_ARM64

#include "../portable/poly1305_frontend.h"
#include "poly1305_core.h"

cmk_status cmk_poly1305_update_arm64(cmk_poly1305_context *context, const uint8_t *data, size_t length)
{
    return poly1305_update(context, data, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_poly1305_arm64_not_built;

#endif
