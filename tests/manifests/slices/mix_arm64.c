/* SPDX-License-Identifier: MIT */
#include "slices_kernels_config.h"

#if SLICES_BUILD_MIX_ARM64

#include <arm_neon.h>

#include "mix.h"

void slices_mix_arm64(unsigned char state[16], const unsigned char key[16])
{
    vst1q_u8(state, vaesmcq_u8(vaeseq_u8(vld1q_u8(state), vld1q_u8(key))));
}

#else
typedef int slices_mix_arm64_is_not_built;
#endif
