/* refused: incompatible type '__n64' */
#include <arm64_neon.h>

uint8x16_t f(poly64x2_t a, poly64x2_t b);
uint8x16_t f(poly64x2_t a, poly64x2_t b)
{
    return vreinterpretq_u8_p128(vmull_p64(vgetq_lane_p64(a, 0), vgetq_lane_p64(b, 0)));
}
