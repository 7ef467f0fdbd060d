/* SPDX-License-Identifier: MIT */
/* SHA-512's and SHA-3's names of wolfSSL, by whichever core a source has included before. wolfSSL's word64 and uint64_t
 * may be different types of the same size. */
#ifndef WOLFSSL_KERNELS_HASH_FUNCTIONS_H
#define WOLFSSL_KERNELS_HASH_FUNCTIONS_H

#include "../../../kernels/portable/bytes.h"

#define DEFINE_SHA512(name)                                                                                           \
    void name(wc_Sha512 *sha512, const byte *data, word32 len)                                                        \
    {                                                                                                                 \
        uint64_t state[8];                                                                                            \
        memcpy(state, sha512->digest, sizeof state);                                                                  \
        sha512_compress(state, data, len / 128);                                                                      \
        memcpy(sha512->digest, state, sizeof state);                                                                  \
        wipe(state, sizeof state);                                                                                    \
    }

#define DEFINE_SHA3(name)                                                                                             \
    void name(word64 *s)                                                                                              \
    {                                                                                                                 \
        uint64_t lanes[25];                                                                                           \
        memcpy(lanes, s, sizeof lanes);                                                                               \
        keccak_f1600(lanes);                                                                                          \
        memcpy(s, lanes, sizeof lanes);                                                                               \
        wipe(lanes, sizeof lanes);                                                                                    \
    }

#endif
