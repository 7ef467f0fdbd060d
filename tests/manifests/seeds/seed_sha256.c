/* SPDX-License-Identifier: MIT */
#include "wolfssl_seeds_kernels_config.h"

#if WOLFSSL_BUILD_SHA256_INTRINSICS

#include "seed.h"

WOLFSSL_TARGET_SHA256_INTRINSICS

void seed_sha256_rounds(unsigned char state[32], const unsigned char words[16])
{
    uint32x4_t abcd = vreinterpretq_u32_u8(vld1q_u8(state));
    uint32x4_t efgh = vreinterpretq_u32_u8(vld1q_u8(state + 16));
    uint32x4_t sum = vreinterpretq_u32_u8(vld1q_u8(words));
    vst1q_u8(state, vreinterpretq_u8_u32(vsha256hq_u32(abcd, efgh, sum)));
    vst1q_u8(state + 16, vreinterpretq_u8_u32(vsha256h2q_u32(efgh, abcd, sum)));
}

WOLFSSL_TARGET_END

#else
typedef int seed_sha256_is_empty;
#endif
