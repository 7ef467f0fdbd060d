/* SPDX-License-Identifier: MIT */
/* Vectors of SHA-2, SHA-3 and SHAKE: KEY and IV are empty.
 *
 *     sha224|sha256|sha384|sha512|sha3_224|sha3_256|sha3_384|sha3_512  OUT is the digest
 *     shake128|shake256  OUT is the beginning of the output; SPLITS are of IN and OUT, one after the other */
#include <string.h>

#include "vectors.h"

static const size_t digest_sizes[] = {
    CMK_SHA224_DIGEST_SIZE,   CMK_SHA256_DIGEST_SIZE,   CMK_SHA384_DIGEST_SIZE,   CMK_SHA512_DIGEST_SIZE,
    CMK_SHA3_224_DIGEST_SIZE, CMK_SHA3_256_DIGEST_SIZE, CMK_SHA3_384_DIGEST_SIZE, CMK_SHA3_512_DIGEST_SIZE,
};

int is_hash_vector(const known_vector *vector)
{
    return vector->algorithm >= SHA224 && vector->algorithm <= SHAKE256;
}

int is_shake_vector(const known_vector *vector)
{
    return vector->algorithm == SHAKE128 || vector->algorithm == SHAKE256;
}

int hash_vector_is_well_formed(const known_vector *vector)
{
    return vector->key.length == 0 && vector->iv.length == 0 &&
           (is_shake_vector(vector) || vector->out.length == digest_sizes[vector->algorithm - SHA224]);
}

int has_hash_vector(const known_vector *vector, const char *variant)
{
    switch (vector->algorithm) {
    case SHA224:
    case SHA256:
        return find_sha256(variant) != NULL;
    case SHA384:
    case SHA512:
        return find_sha512(variant) != NULL;
    default:
        return find_sha3(variant) != NULL;
    }
}

static cmk_status run_sha256(known_vector *vector, const sha256_variant *variant)
{
    const int shorter = vector->algorithm == SHA224;
    size_t done = 0;
    cmk_sha256_context context;
    cmk_status status = shorter ? cmk_sha224_init(&context) : cmk_sha256_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = variant->update(&context, vector->from + done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return shorter ? variant->final_224(&context, vector->to) : variant->final(&context, vector->to);
}

static cmk_status run_sha512(known_vector *vector, const sha512_variant *variant)
{
    const int shorter = vector->algorithm == SHA384;
    size_t done = 0;
    cmk_sha512_context context;
    cmk_status status = shorter ? cmk_sha384_init(&context) : cmk_sha512_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = variant->update(&context, vector->from + done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return shorter ? variant->final_384(&context, vector->to) : variant->final(&context, vector->to);
}

static cmk_status run_sha3(known_vector *vector, const sha3_variant *variant)
{
    size_t done = 0;
    cmk_sha3_context context;
    cmk_status status = cmk_sha3_init(&context, vector->out.length);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = variant->update(&context, vector->from + done, part);
        done += part;
    }
    return status != CMK_OK ? status : variant->final(&context, vector->to, vector->out.length);
}

/* The part of `length` bytes that begins `done` bytes after the beginning of the input. */
static cmk_status shake_part(known_vector *vector, const sha3_variant *variant, cmk_sha3_context *context, size_t done,
                             size_t length)
{
    const size_t in = vector->in.length;
    cmk_status status = CMK_OK;
    if (done < in) {
        size_t part = in - done < length ? in - done : length;
        status = variant->update(context, vector->from + done, part);
        done += part;
        length -= part;
    }
    if (status == CMK_OK && done >= in && length != 0) {
        status = variant->squeeze(context, vector->to + (done - in), length);
    }
    return status;
}

static cmk_status run_shake(known_vector *vector, const sha3_variant *variant)
{
    size_t done = 0;
    cmk_sha3_context context;
    cmk_status status = vector->algorithm == SHAKE128 ? cmk_shake128_init(&context) : cmk_shake256_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector->split_count; i++) {
        size_t part = vector_part(vector, i, done);
        status = shake_part(vector, variant, &context, done, part);
        done += part;
    }
    return status;
}

cmk_status run_hash_vector(known_vector *vector, const char *variant)
{
    cmk_status status;
    switch (vector->algorithm) {
    case SHA224:
    case SHA256:
        status = run_sha256(vector, find_sha256(variant));
        break;
    case SHA384:
    case SHA512:
        status = run_sha512(vector, find_sha512(variant));
        break;
    case SHAKE128:
    case SHAKE256:
        status = run_shake(vector, find_sha3(variant));
        break;
    default:
        status = run_sha3(vector, find_sha3(variant));
        break;
    }
    memcpy(vector->got.bytes, vector->to, vector->out.length);
    return status;
}
