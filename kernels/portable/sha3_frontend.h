/* SPDX-License-Identifier: MIT */
/* What the variants of SHA-3 and SHAKE share: argument checks, buffering, padding, squeezing.
 *
 * A variant's source includes its keccak_core.h and then this file, and wraps the functions at the end under its own
 * external names. There is no buffer: bytes of a block that is not whole are added to the state as they come. */
#ifndef CMK_PORTABLE_SHA3_FRONTEND_H
#define CMK_PORTABLE_SHA3_FRONTEND_H

#include "bytes.h"
#include "cmk/sha3.h"

/* Whether an init function made it and nothing damaged it: `rate` follows from `digest_size`. */
static inline int sha3_begun(const cmk_sha3_context *context)
{
    const uint32_t size = context->digest_size, rate = context->rate;
    const int sha3 = size == CMK_SHA3_224_DIGEST_SIZE || size == CMK_SHA3_256_DIGEST_SIZE ||
                     size == CMK_SHA3_384_DIGEST_SIZE || size == CMK_SHA3_512_DIGEST_SIZE;
    const int shake = size == 0 && (rate == CMK_SHAKE128_RATE || rate == CMK_SHAKE256_RATE);
    return ((sha3 && rate == 200 - 2 * size && context->squeezing == 0) || (shake && context->squeezing <= 1)) &&
           context->position < rate;
}

static inline void sha3_permute(cmk_sha3_context *context)
{
    keccak_f1600(context->lanes);
    context->position = 0;
}

/* Adds one byte at `position`, which stays. */
static inline void sha3_add_byte(cmk_sha3_context *context, uint32_t position, uint8_t byte)
{
    context->lanes[position / 8] ^= (uint64_t)byte << 8 * (position % 8);
}

/* Adds `length` bytes, at most what the block still takes. */
static inline void sha3_add(cmk_sha3_context *context, const uint8_t *data, size_t length)
{
    for (; length != 0 && context->position % 8 != 0; length--) {
        sha3_add_byte(context, context->position++, *data++);
    }
    for (; length >= 8; length -= 8, data += 8) {
        context->lanes[context->position / 8] ^= load64_le(data);
        context->position += 8;
    }
    for (; length != 0; length--) {
        sha3_add_byte(context, context->position++, *data++);
    }
}

/* Writes `length` bytes, at most what the block still has. */
static inline void sha3_take(cmk_sha3_context *context, uint8_t *out, size_t length)
{
    for (; length >= 8 && context->position % 8 == 0; length -= 8, out += 8) {
        store64_le(out, context->lanes[context->position / 8]);
        context->position += 8;
    }
    for (; length != 0; length--, context->position++) {
        *out++ = (uint8_t)(context->lanes[context->position / 8] >> 8 * (context->position % 8));
    }
}

static inline void sha3_absorb(cmk_sha3_context *context, const uint8_t *data, size_t length)
{
    const size_t rate = context->rate, missing = rate - context->position;
    if (context->position != 0 && length >= missing) {
        sha3_add(context, data, missing);
        sha3_permute(context);
        data += missing;
        length -= missing;
    }
    if (context->position == 0 && length >= rate) {
        const size_t blocks = length / rate;
        keccak_blocks(context->lanes, data, rate, blocks);
        data += blocks * rate;
        length -= blocks * rate;
    }
    sha3_add(context, data, length);
}

/* Sections 5.1 and 6: the bits that say which function this is, a bit, zeros, and a bit at the end of a block. */
static inline void sha3_pad(cmk_sha3_context *context)
{
    sha3_add_byte(context, context->position, context->digest_size != 0 ? 0x06 : 0x1f);
    sha3_add_byte(context, context->rate - 1, 0x80);
    sha3_permute(context);
}

static inline cmk_status sha3_update(cmk_sha3_context *context, const uint8_t *data, size_t length)
{
    if (context == NULL || (length != 0 && data == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (!sha3_begun(context) || context->squeezing != 0) {
        return CMK_ERROR_STATE;
    }
    if (length != 0) {
        sha3_absorb(context, data, length);
    }
    return CMK_OK;
}

static inline cmk_status sha3_final(cmk_sha3_context *context, uint8_t *digest, size_t length)
{
    if (context == NULL || digest == NULL) {
        return CMK_ERROR_NULL;
    }
    if (!sha3_begun(context) || context->digest_size == 0) {
        return CMK_ERROR_STATE;
    }
    if (length != context->digest_size) {
        return CMK_ERROR_LENGTH;
    }
    sha3_pad(context);
    sha3_take(context, digest, length);
    wipe(context, sizeof *context);
    return cmk_sha3_init(context, length);
}

static inline cmk_status shake_squeeze(cmk_sha3_context *context, uint8_t *out, size_t length)
{
    if (context == NULL || (length != 0 && out == NULL)) {
        return CMK_ERROR_NULL;
    }
    if (!sha3_begun(context) || context->digest_size != 0) {
        return CMK_ERROR_STATE;
    }
    if (context->squeezing == 0) {
        sha3_pad(context);
        context->squeezing = 1;
    }
    while (length != 0) {
        const size_t left = context->rate - context->position;
        const size_t part = length < left ? length : left;
        sha3_take(context, out, part);
        out += part;
        length -= part;
        if (context->position == context->rate) {
            sha3_permute(context);
        }
    }
    return CMK_OK;
}

#endif
