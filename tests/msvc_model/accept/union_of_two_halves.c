#include <arm64_neon.h>

uint64x2_t f(void);
uint64x2_t f(void)
{
    __n128 a = {1, 2};
    return vaddq_u64(a, a);
}
