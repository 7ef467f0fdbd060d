/* SPDX-License-Identifier: MIT */
/* SHA-512's compression by the instructions of Armv8.2 under wolfSSL's name. */
#include "names.h"

#if WOLFSSL_BUILD_SHA512_ARM64 && (defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384))

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_SHA512_ARM64

#include "../../../kernels/arm64/sha512_core.h"

#include "hash_functions.h"

DEFINE_SHA512(Transform_Sha512_Len_crypto)

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_sha512_arm64_not_built;

#endif
