#include <arm64_neon.h>

uint8x16_t f(void);
uint8x16_t f(void)
{
    return (__n128){.n128_u8 = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}};
}
