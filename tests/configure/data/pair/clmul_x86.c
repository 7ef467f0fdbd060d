#include "pair_kernels_config.h"

#include "pair.h"

#if PAIR_BUILD_CLMUL_X86
#include <wmmintrin.h>

PAIR_TARGET_CLMUL_X86
void pair_clmul_x86(unsigned char *block)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)block);

    _mm_storeu_si128((__m128i *)(void *)block, _mm_clmulepi64_si128(x, x, 0));
}
PAIR_TARGET_END
#endif
