/* SPDX-License-Identifier: MIT */
/* AES-GCM by the AES, PMULL and EOR3 instructions under wolfSSL's names. */
#include "names.h"

#if WOLFSSL_BUILD_GCM_EOR3_ARM64

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_GCM_EOR3_ARM64

#define GHASH_EOR3
#include "../../../kernels/arm64/aes_core.h"
#include "../../../kernels/arm64/ghash_core.h"

#include "../../../kernels/arm64/aes_gcm_core.h"

#define GCM_NAME(function) AES_GCM_##function##_AARCH64_EOR3
#include "gcm_functions.h"

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_gcm_eor3_arm64_not_built;

#endif
