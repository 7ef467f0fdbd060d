/* refused: is not an integer constant expression */
#include <arm64_neon.h>

uint32x4_t f(uint32x4_t a, int n);
uint32x4_t f(uint32x4_t a, int n)
{
    return vshlq_n_u32(a, n);
}
