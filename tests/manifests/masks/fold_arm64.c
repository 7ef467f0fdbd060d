#include "masks_kernels_config.h"
#if MASKS_BUILD_FOLD_ARM64
#include <arm_neon.h>

#include "masks.h"

MASKS_TARGET_FOLD_ARM64
void masks_fold_arm64(uint8_t block[16], const uint8_t a[16], const uint8_t b[16])
{
    vst1q_u8(block, veor3q_u8(vld1q_u8(block), vld1q_u8(a), vld1q_u8(b)));
}
MASKS_TARGET_END
#else
typedef int masks_fold_arm64_is_not_built;
#endif
