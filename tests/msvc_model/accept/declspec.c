#include <arm64_neon.h>
#include <stdint.h>

static __declspec(align(64)) const uint32_t k[4] = {1, 2, 3, 4};
static __forceinline uint32x4_t load(const uint32_t *p)
{
    return vld1q_u32(p);
}
uint32x4_t f(void);
uint32x4_t f(void)
{
    return load(k);
}
