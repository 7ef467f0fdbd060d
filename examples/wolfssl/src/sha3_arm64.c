/* SPDX-License-Identifier: MIT */
/* Keccak's permutation by the instructions of Armv8.2 under wolfSSL's name. */
#include "names.h"

#if WOLFSSL_BUILD_SHA3_ARM64

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_SHA3_ARM64

#include "../../../kernels/arm64/keccak_core.h"

#include "hash_functions.h"

DEFINE_SHA3(BlockSha3_crypto)

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_sha3_arm64_not_built;

#endif
