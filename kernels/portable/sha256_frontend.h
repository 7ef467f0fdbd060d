/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-256 share: argument checks, buffering, padding, constants.
 *
 * A variant's source includes this file once, defines variant_compress, and wraps the `sha256_*` functions at
 * the end under its own external names. */
#ifndef CMK_PORTABLE_SHA256_FRONTEND_H
#define CMK_PORTABLE_SHA256_FRONTEND_H

#include "bytes.h"
#include "cmk/sha256.h"

/* FIPS 180-4 section 6.2.2 on `blocks` blocks; at least one. */
static void variant_compress(uint32_t state[8], const uint8_t *data, size_t blocks);

#define SHA256_LENGTH_LIMIT ((uint64_t)1 << 61) /* bytes: section 1 allows less than 2^64 bits */

/* Section 4.2.2. */
static const uint32_t sha256_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline void sha256_absorb(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    size_t filled = (size_t)(context->length % CMK_SHA256_BLOCK_SIZE);
    size_t missing = CMK_SHA256_BLOCK_SIZE - filled;
    context->length += length;
    if (filled != 0 && length >= missing) {
        memcpy(context->buffer + filled, data, missing);
        variant_compress(context->state, context->buffer, 1);
        data += missing;
        length -= missing;
        filled = 0;
    }
    if (length >= CMK_SHA256_BLOCK_SIZE) {
        size_t blocks = length / CMK_SHA256_BLOCK_SIZE;
        variant_compress(context->state, data, blocks);
        data += blocks * CMK_SHA256_BLOCK_SIZE;
        length -= blocks * CMK_SHA256_BLOCK_SIZE;
    }
    if (length != 0) {
        memcpy(context->buffer + filled, data, length);
    }
}

/* Section 5.1.1: a bit, zeros, and the length in bits at the end of a block. */
static inline void sha256_pad(cmk_sha256_context *context)
{
    const size_t length_at = CMK_SHA256_BLOCK_SIZE - 8;
    size_t filled = (size_t)(context->length % CMK_SHA256_BLOCK_SIZE);
    context->buffer[filled++] = 0x80;
    if (filled > length_at) {
        memset(context->buffer + filled, 0, CMK_SHA256_BLOCK_SIZE - filled);
        variant_compress(context->state, context->buffer, 1);
        filled = 0;
    }
    memset(context->buffer + filled, 0, length_at - filled);
    store64_be(context->buffer + length_at, context->length * 8);
    variant_compress(context->state, context->buffer, 1);
}

static inline cmk_status sha256_update(cmk_sha256_context *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (context->length >= SHA256_LENGTH_LIMIT || length >= SHA256_LENGTH_LIMIT - context->length) {
        return CMK_ERROR_LENGTH;
    }
    if (length != 0) {
        sha256_absorb(context, data, length);
    }
    return CMK_OK;
}

static inline cmk_status sha256_final(cmk_sha256_context *context, uint8_t *digest)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    sha256_pad(context);
    for (unsigned i = 0; i < 8; i++) {
        store32_be(digest + 4 * i, context->state[i]);
    }
    wipe(context, sizeof *context);
    return cmk_sha256_init(context);
}

#endif
