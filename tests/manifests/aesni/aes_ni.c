/* SPDX-License-Identifier: MIT */
#include "aesni_kernels_config.h"

#if AESNI_BUILD_AES_NI

#include <wmmintrin.h>

#include "aesni.h"

/* The next round key: words added up from the left, and the last word of `assist` added to each. */
static __m128i next_key(__m128i key, __m128i assist)
{
    key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
    key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
    return _mm_xor_si128(key, _mm_shuffle_epi32(assist, 0xff));
}

#define ROUND(constant)                                                                                               \
    key = next_key(key, _mm_aeskeygenassist_si128(key, constant));                                                    \
    state = _mm_aesenc_si128(state, key)

void aesni_encrypt_ni(const unsigned char bytes[16], const unsigned char in[16], unsigned char out[16])
{
    __m128i key = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    __m128i state = _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)in), key);
    ROUND(0x01);
    ROUND(0x02);
    ROUND(0x04);
    ROUND(0x08);
    ROUND(0x10);
    ROUND(0x20);
    ROUND(0x40);
    ROUND(0x80);
    ROUND(0x1b);
    key = next_key(key, _mm_aeskeygenassist_si128(key, 0x36));
    state = _mm_aesenclast_si128(state, key);
    _mm_storeu_si128((__m128i *)(void *)out, state);
}

#else
typedef int aes_ni_is_empty;
#endif
