#include "masks_kernels_config.h"
#if MASKS_BUILD_IMC_ARM64
#include <arm_neon.h>

#include "masks.h"

MASKS_TARGET_IMC_ARM64
void masks_imc_arm64(uint8_t block[16])
{
    vst1q_u8(block, vaesimcq_u8(vld1q_u8(block)));
}
MASKS_TARGET_END
#else
typedef int masks_imc_arm64_is_not_built;
#endif
