/* SPDX-License-Identifier: MIT */
#include "both_kernels_config.h"

#if BOTH_BUILD_MIX_X86

#include <wmmintrin.h>

#include "both.h"

BOTH_TARGET_MIX_X86

void both_mix_x86(const unsigned char state[16], const unsigned char key[16], unsigned char out[16])
{
    __m128i a = _mm_loadu_si128((const __m128i *)(const void *)state);
    __m128i b = _mm_loadu_si128((const __m128i *)(const void *)key);
    __m128i sum = _mm_xor_si128(_mm_aesenc_si128(a, b), _mm_clmulepi64_si128(a, b, 0x00));
    _mm_storeu_si128((__m128i *)(void *)out, sum);
}

BOTH_TARGET_END

#else
typedef int both_mix_x86_is_not_built;
#endif
