#include "benched.h"
#include "benched_kernels_config.h"

#if BENCHED_BUILD_SUMS_ARM64
#include <arm_neon.h>

BENCHED_TARGET_SUMS_ARM64
uint32_t benched_sum_arm64(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t at = 0; at < size; at += 16) {
        sum += vaddlvq_u8(vld1q_u8(bytes + at));
    }
    return sum;
}

void benched_turn_arm64(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += 16) {
        vst1q_u8(bytes + at, vmvnq_u8(vld1q_u8(bytes + at)));
    }
}
BENCHED_TARGET_END
#endif
typedef int benched_sums_is_a_translation_unit;
