/* SPDX-License-Identifier: MIT */
#include "first_kernels_config.h"

#if ALPHA_BUILD_ROUND_ARM64

#if defined(_MSC_VER) && !defined(__clang__)
#include <arm64_neon.h>
#else
#include <arm_neon.h>
#endif

#include "first.h"

ALPHA_TARGET_ROUND_ARM64

/* AESE adds its key before the rest of the round: none, since FIPS 197 adds it afterwards. */
void alpha_round_arm64(unsigned char state[16], const unsigned char key[16])
{
    uint8x16_t mixed = vaesmcq_u8(vaeseq_u8(vld1q_u8(state), vdupq_n_u8(0)));
    vst1q_u8(state, veorq_u8(mixed, vld1q_u8(key)));
}

ALPHA_TARGET_END

#else
typedef int alpha_round_arm64_is_not_built;
#endif
