#include "masks_kernels_config.h"
#if MASKS_BUILD_CLMUL_ARM64
#include <arm_neon.h>

#include "masks.h"

MASKS_TARGET_CLMUL_ARM64
void masks_clmul_arm64(uint64_t out[2], uint64_t a, uint64_t b)
{
    vst1q_u64(out, vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b)));
}
MASKS_TARGET_END
#else
typedef int masks_clmul_arm64_is_not_built;
#endif
