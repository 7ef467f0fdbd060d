#include <arm64_neon.h>

unsigned int f(uint32x4_t a);
unsigned int f(uint32x4_t a)
{
    return a.n128_u32[2];
}
