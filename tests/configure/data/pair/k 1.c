#include "pair_kernels_config.h"

#include "pair.h"

#if PAIR_BUILD_AES_ARM64
#include <arm_neon.h>

PAIR_TARGET_AES_ARM64
void pair_aes_arm64(unsigned char *block, const unsigned char *key)
{
    vst1q_u8(block, vaesmcq_u8(vaeseq_u8(vld1q_u8(block), vld1q_u8(key))));
}
PAIR_TARGET_END
#endif
