/* refused: is not an integer constant expression */
#include <arm64_neon.h>

static __inline uint8x16_t turned(uint8x16_t a, int n)
{
    return vextq_u8(a, a, n);
}

uint8x16_t f(uint8x16_t a);
uint8x16_t f(uint8x16_t a)
{
    return turned(a, 3);
}
