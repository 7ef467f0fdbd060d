#include "mini_kernels_config.h"
#if MINI_BUILD_IMC_X86 && defined(__AES__)
#include <wmmintrin.h>

#include "mini.h"

void mini_imc_x86(uint8_t block[16])
{
    __m128i state = _mm_loadu_si128((const __m128i *)(const void *)block);
    state = _mm_aesimc_si128(state);
    _mm_storeu_si128((__m128i *)(void *)block, state);
}
#else
typedef int mini_imc_x86_is_not_built;
#endif
