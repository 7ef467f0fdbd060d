/* SPDX-License-Identifier: MIT */
/* ChaCha20 by Advanced SIMD. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_CHACHA20_ARM64

#include "dialect.h"

CMK_TARGET_CHACHA20_ARM64

#include "../portable/chacha20_frontend.h"
#include "chacha20_core.h"

cmk_status cmk_chacha20_arm64(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    return chacha20(state, in, out, length);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_chacha20_arm64_not_built;

#endif
