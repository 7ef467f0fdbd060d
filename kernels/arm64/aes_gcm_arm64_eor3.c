/* SPDX-License-Identifier: MIT */
/* GCM by the AES, PMULL and EOR3 instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_GCM_ARM64_EOR3

#include "dialect.h"

CMK_TARGET_AES_GCM_ARM64_EOR3

/* For the sums of ghash_core.h. */
#define GHASH_EOR3

#include "aes_core.h"
#include "aes_gcm_core.h"
#include "ghash_core.h"

#define AES_GCM_NAME(function) cmk_aes_gcm_##function##_arm64_eor3
#include "../portable/aes_gcm_functions.h"

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_gcm_arm64_eor3_not_built;

#endif
