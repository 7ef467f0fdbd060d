/* SPDX-License-Identifier: MIT */
#include "wolfssl_seeds_kernels_config.h"

#if WOLFSSL_BUILD_AES_INTRINSICS

#include "seed.h"

WOLFSSL_TARGET_AES_INTRINSICS

void seed_aes_round(unsigned char state[16], const unsigned char key[16])
{
    vst1q_u8(state, vaesmcq_u8(vaeseq_u8(vld1q_u8(state), vld1q_u8(key))));
}

WOLFSSL_TARGET_END

#else
typedef int seed_aes_is_empty;
#endif
