#include <arm64_neon.h>

uint64x2_t f(uint64x2_t a, uint64x2_t b, uint64x2_t c);
uint64x2_t f(uint64x2_t a, uint64x2_t b, uint64x2_t c)
{
    return vsha512hq_u64(vsha512su0q_u64(a, b), b, c);
}
