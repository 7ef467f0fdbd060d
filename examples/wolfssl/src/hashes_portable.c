/* SPDX-License-Identifier: MIT */
/* Compression functions in plain C under wolfSSL's names for the CPU's base: with WOLFSSL_ARMASM it leaves out its
 * own. */
#include "names.h"

#if WOLFSSL_BUILD_PORTABLE_ARM64

#include "../../../kernels/portable/keccak_core.h"
#include "../../../kernels/portable/sha256_core.h"
#include "../../../kernels/portable/sha512_core.h"

#ifndef NO_SHA256
void Transform_Sha256_Len_base(wc_Sha256 *sha256, const byte *data, word32 len)
{
    sha256_compress(sha256->digest, data, len / 64);
}
#endif

/* word64 and uint64_t may be different types of the same size. */

#if defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384)
void Transform_Sha512_Len_neon(wc_Sha512 *sha512, const byte *data, word32 len)
{
    uint64_t state[8];
    memcpy(state, sha512->digest, sizeof state);
    sha512_compress(state, data, len / 128);
    memcpy(sha512->digest, state, sizeof state);
    wipe(state, sizeof state);
}
#endif

void BlockSha3_base(word64 *s)
{
    uint64_t lanes[25];
    memcpy(lanes, s, sizeof lanes);
    keccak_f1600(lanes);
    memcpy(s, lanes, sizeof lanes);
    wipe(lanes, sizeof lanes);
}

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_hashes_portable_not_built;

#endif
