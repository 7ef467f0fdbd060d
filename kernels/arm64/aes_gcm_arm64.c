/* SPDX-License-Identifier: MIT */
/* GCM by the AES and PMULL instructions. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_AES_GCM_ARM64

#include "dialect.h"

CMK_TARGET_AES_GCM_ARM64

#include "aes_core.h"
#include "aes_gcm_core.h"
#include "ghash_core.h"

#define AES_GCM_NAME(function) cmk_aes_gcm_##function##_arm64
#include "../portable/aes_gcm_functions.h"

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_aes_gcm_arm64_not_built;

#endif
