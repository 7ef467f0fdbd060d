/* SPDX-License-Identifier: MIT */
/* SHA-256's compression under wolfSSL's name. */
#include "names.h"

#if WOLFSSL_BUILD_SHA256_ARM64 && !defined(NO_SHA256)

#ifdef BUILDING_WOLFSSL
#include <wolfssl/wolfcrypt/cpuid.h>
#endif

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_SHA256_ARM64

#include "../../../kernels/arm64/sha256_core.h"

/* wolfSSL calls this wherever it was compiled in, also on CPUs without the instructions (a Raspberry Pi 4 has none).
 * What it has found out about the CPU, and what cpuid_clear_flag() took away, counts; alone there is nobody to ask. */
static int has_sha256(void)
{
#ifndef BUILDING_WOLFSSL
    return 1;
#elif defined(HAVE_CPUID_AARCH64)
    return (cpuid_get_flags() & CPUID_SHA256) != 0;
#else
    return 0;
#endif
}

void Transform_Sha256_Len_crypto(wc_Sha256 *sha256, const byte *data, word32 len)
{
    if (has_sha256()) {
        sha256_compress(sha256->digest, data, len / 64);
    } else {
        Transform_Sha256_Len_base(sha256, data, len);
    }
}

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_sha256_arm64_not_built;

#endif
