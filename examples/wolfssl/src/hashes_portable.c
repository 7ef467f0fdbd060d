/* SPDX-License-Identifier: MIT */
/* Compression functions in plain C under wolfSSL's names for the CPU's base: with WOLFSSL_ARMASM it leaves out its
 * own. */
#include "names.h"

#if WOLFSSL_BUILD_PORTABLE_ARM64

#include "../../../kernels/portable/keccak_core.h"
#include "../../../kernels/portable/sha256_core.h"
#include "../../../kernels/portable/sha512_core.h"

#include "hash_functions.h"

#ifndef NO_SHA256
void Transform_Sha256_Len_base(wc_Sha256 *sha256, const byte *data, word32 len)
{
    sha256_compress(sha256->digest, data, len / 64);
}
#endif

#if defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384)
DEFINE_SHA512(Transform_Sha512_Len_neon)
#endif

DEFINE_SHA3(BlockSha3_base)

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_hashes_portable_not_built;

#endif
