/* SPDX-License-Identifier: MIT */
#include "loads_kernels_config.h"

#if LOADS_BUILD_FOUR_ARM64

#include <arm_neon.h>

#include "loads.h"

void loads_sum_four(unsigned char to[16], const unsigned char from[64])
{
    uint8x16x4_t rows = vld1q_u8_x4(from);
    vst1q_u8(to, vaddq_u8(vaddq_u8(rows.val[0], rows.val[1]), vaddq_u8(rows.val[2], rows.val[3])));
}

#else
typedef int loads_four_is_not_built;
#endif
