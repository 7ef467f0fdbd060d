/* refused: a cast to 'uint32x4_t', a union, is not known to MSVC */
#include <arm64_neon.h>

uint32x4_t f(uint8x16_t a);
uint32x4_t f(uint8x16_t a)
{
    return (uint32x4_t)a;
}
