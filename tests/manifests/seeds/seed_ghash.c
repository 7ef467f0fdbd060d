/* SPDX-License-Identifier: MIT */
#include "wolfssl_seeds_kernels_config.h"

#if WOLFSSL_BUILD_GHASH_INTRINSICS

#include "seed.h"

WOLFSSL_TARGET_GHASH_INTRINSICS

/* The low halves only. cl's vmull_p64 takes vectors of one lane. */
void seed_ghash_multiply(unsigned char product[16], const unsigned char left[16], const unsigned char right[16])
{
    poly64x1_t a = vget_low_p64(vreinterpretq_p64_u8(vld1q_u8(left)));
    poly64x1_t b = vget_low_p64(vreinterpretq_p64_u8(vld1q_u8(right)));
#if defined(_MSC_VER) && !defined(__clang__)
    vst1q_u8(product, vreinterpretq_u8_p128(vmull_p64(a, b)));
#else
    vst1q_u8(product, vreinterpretq_u8_p128(vmull_p64(vget_lane_p64(a, 0), vget_lane_p64(b, 0))));
#endif
}

WOLFSSL_TARGET_END

#else
typedef int seed_ghash_is_empty;
#endif
