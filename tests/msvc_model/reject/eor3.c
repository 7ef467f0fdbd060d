/* refused: call to undeclared function 'veor3q_u64' */
#include <arm64_neon.h>

uint64x2_t f(uint64x2_t a);
uint64x2_t f(uint64x2_t a)
{
    return veor3q_u64(a, a, a);
}
