/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-512 and SHA-384 share.
 *
 * A variant's source includes its sha512_core.h and then this file, and wraps the functions sha2_update,
 * sha512_final and sha384_final under its own external names. */
#ifndef CMK_PORTABLE_SHA512_FRONTEND_H
#define CMK_PORTABLE_SHA512_FRONTEND_H

#include "cmk/sha512.h"

#define SHA2_CONTEXT cmk_sha512_context
#define SHA2_BLOCK_SIZE CMK_SHA512_BLOCK_SIZE
#define SHA2_LENGTH_SIZE 16
#define SHA2_MAX_LENGTH UINT64_MAX /* section 1 allows more, which the context cannot count */
#define SHA2_COMPRESS sha512_compress
#define SHA2_STORE store64_be
#define SHA2_STORE_LENGTH(bytes, length) (store64_be(bytes, (length) >> 61), store64_be((bytes) + 8, (length) << 3))

#include "sha2_frontend.h"

static inline cmk_status sha512_final(SHA2_CONTEXT *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha2_finish(context, digest, CMK_SHA512_DIGEST_SIZE / 8);
    return cmk_sha512_init(context);
}

static inline cmk_status sha384_final(SHA2_CONTEXT *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha2_finish(context, digest, CMK_SHA384_DIGEST_SIZE / 8);
    return cmk_sha384_init(context);
}

#endif
