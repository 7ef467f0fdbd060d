/* SPDX-License-Identifier: MIT */
#include "wolfssl_seeds_kernels_config.h"

#if WOLFSSL_BUILD_SHA512_INTRINSICS

#include "seed.h"

WOLFSSL_TARGET_SHA512_INTRINSICS

void seed_sha512_rounds(unsigned char state[32], const unsigned char words[16])
{
    uint64x2_t ab = vreinterpretq_u64_u8(vld1q_u8(state));
    uint64x2_t cd = vreinterpretq_u64_u8(vld1q_u8(state + 16));
    uint64x2_t sum = vreinterpretq_u64_u8(vld1q_u8(words));
    vst1q_u8(state, vreinterpretq_u8_u64(vsha512hq_u64(sum, cd, ab)));
    vst1q_u8(state + 16, vreinterpretq_u8_u64(vsha512h2q_u64(sum, ab, cd)));
}

WOLFSSL_TARGET_END

#else
typedef int seed_sha512_is_empty;
#endif
