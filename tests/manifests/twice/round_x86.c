/* SPDX-License-Identifier: MIT */
#include "first_kernels_config.h"

#if ALPHA_BUILD_ROUND_X86

#include <wmmintrin.h>

#include "first.h"

ALPHA_TARGET_ROUND_X86

void alpha_round_x86(unsigned char state[16], const unsigned char key[16])
{
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)state);
    block = _mm_aesenc_si128(block, _mm_loadu_si128((const __m128i *)(const void *)key));
    _mm_storeu_si128((__m128i *)(void *)state, block);
}

ALPHA_TARGET_END

#else
typedef int alpha_round_x86_is_not_built;
#endif
