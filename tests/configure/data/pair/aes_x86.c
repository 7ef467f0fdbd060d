#include "pair_kernels_config.h"

#include "pair.h"

#if PAIR_BUILD_AES_X86
#include <wmmintrin.h>

void pair_aes_x86(unsigned char *block, const unsigned char *key)
{
    __m128i x = _mm_loadu_si128((const __m128i *)(const void *)block);

    x = _mm_aesenc_si128(x, _mm_loadu_si128((const __m128i *)(const void *)key));
    _mm_storeu_si128((__m128i *)(void *)block, x);
}
#endif
