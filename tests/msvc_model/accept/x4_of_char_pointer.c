#include <arm64_neon.h>
#include <stdint.h>

uint8x16_t f(const uint8_t *p);
uint8x16_t f(const uint8_t *p)
{
    uint8x16x4_t t = vld1q_u8_x4((const char *)p);
    return t.val[3];
}
