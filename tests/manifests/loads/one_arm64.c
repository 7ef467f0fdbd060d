/* SPDX-License-Identifier: MIT */
#include "loads_kernels_config.h"

#if LOADS_BUILD_ONE_ARM64

#include <arm_neon.h>

#include "loads.h"

void loads_sum_one(unsigned char to[16], const unsigned char from[64])
{
    uint8x16_t sum = vdupq_n_u8(0);
    for (int row = 0; row < 4; row++) {
        sum = vaddq_u8(sum, vld1q_u8(from + 16 * row));
    }
    vst1q_u8(to, sum);
}

#else
typedef int loads_one_is_not_built;
#endif
