/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-256 and SHA-224 share.
 *
 * A variant's source includes its sha256_core.h and then this file, and wraps the functions sha2_update,
 * sha256_final and sha224_final under its own external names. */
#ifndef CMK_PORTABLE_SHA256_FRONTEND_H
#define CMK_PORTABLE_SHA256_FRONTEND_H

#include "cmk/sha256.h"

#define SHA2_CONTEXT cmk_sha256_context
#define SHA2_BLOCK_SIZE CMK_SHA256_BLOCK_SIZE
#define SHA2_LENGTH_SIZE 8
#define SHA2_MAX_LENGTH (((uint64_t)1 << 61) - 1) /* section 1 allows less than 2^64 bits */
#define SHA2_COMPRESS sha256_compress
#define SHA2_STORE store32_be
#define SHA2_STORE_LENGTH(bytes, length) store64_be(bytes, (length) << 3)

#include "sha2_frontend.h"

static inline cmk_status sha256_final(SHA2_CONTEXT *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha2_finish(context, digest, CMK_SHA256_DIGEST_SIZE / 4);
    return cmk_sha256_init(context);
}

static inline cmk_status sha224_final(SHA2_CONTEXT *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha2_finish(context, digest, CMK_SHA224_DIGEST_SIZE / 4);
    return cmk_sha224_init(context);
}

#endif
