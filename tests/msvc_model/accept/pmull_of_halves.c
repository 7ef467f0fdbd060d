#include <arm64_neon.h>

uint8x16_t f(poly64x2_t a, poly64x2_t b);
uint8x16_t f(poly64x2_t a, poly64x2_t b)
{
    return vreinterpretq_u8_p128(vmull_p64(vget_low_p64(a), vget_low_p64(b)));
}
