#include "core.h"

#if defined(_M_ARM64) || defined(_M_ARM64EC)

#include <arm64_neon.h>

unsigned core(unsigned char *bytes)
{
    uint8x16_t block = vaesmcq_u8(vaeseq_u8(vld1q_u8(bytes), vdupq_n_u8(0)));
    vst1q_u8(bytes, block);
    return vgetq_lane_u8(block, 0);
}

#else

unsigned core(unsigned char *bytes)
{
    return bytes[0];
}

#endif
