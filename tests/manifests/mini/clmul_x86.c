#include "mini_kernels_config.h"
#if MINI_BUILD_CLMUL_X86
#include <wmmintrin.h>

#include "mini.h"

MINI_TARGET_CLMUL_X86
void mini_clmul_x86(uint64_t out[2], uint64_t x, uint64_t y)
{
    __m128i a = _mm_cvtsi64_si128((long long)x);
    __m128i b = _mm_cvtsi64_si128((long long)y);
    __m128i product = _mm_clmulepi64_si128(a, b, 0x00);
    _mm_storeu_si128((__m128i *)(void *)out, product);
}
MINI_TARGET_END
#else
typedef int mini_clmul_x86_is_not_built;
#endif
