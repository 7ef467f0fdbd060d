#include <arm64_neon.h>

uint32x4_t f(uint8x16_t a, uint64x2_t b);
uint32x4_t f(uint8x16_t a, uint64x2_t b)
{
    return vaddq_u32(a, b);
}
