/* refused: too many arguments provided to function-like macro invocation */
#include <arm64_neon.h>

uint64x2_t f(uint64x2_t a);
uint64x2_t f(uint64x2_t a)
{
    return veorq_u64(a, (uint64x2_t){1, 2});
}
