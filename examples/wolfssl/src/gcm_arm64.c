/* SPDX-License-Identifier: MIT */
/* AES-GCM by the AES and PMULL instructions under wolfSSL's names. */
#include "names.h"

#if WOLFSSL_BUILD_GCM_ARM64

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_GCM_ARM64

#include "../../../kernels/arm64/aes_core.h"
#include "../../../kernels/arm64/ghash_core.h"

#include "../../../kernels/arm64/aes_gcm_core.h"

#define GCM_NAME(function) AES_GCM_##function##_AARCH64
#include "gcm_functions.h"

/* Also for the names with EOR3. */
void AES_GCM_set_key_AARCH64(const byte *nonce, const byte *key, byte *gcm_h, int nr)
{
    variant_encrypt_blocks(key, (unsigned)nr, nonce, gcm_h, 1);
}

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_gcm_arm64_not_built;

#endif
