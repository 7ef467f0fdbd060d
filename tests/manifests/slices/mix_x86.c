/* SPDX-License-Identifier: MIT */
#include "slices_kernels_config.h"

#if SLICES_BUILD_MIX_X86

#include <wmmintrin.h>

#include "mix.h"

void slices_mix_x86(unsigned char state[16], const unsigned char key[16])
{
    __m128i round = _mm_loadu_si128((const __m128i *)(const void *)key);
    __m128i block = _mm_loadu_si128((const __m128i *)(const void *)state);
    _mm_storeu_si128((__m128i *)(void *)state, _mm_aesenc_si128(block, round));
}

#else
typedef int slices_mix_x86_is_not_built;
#endif
