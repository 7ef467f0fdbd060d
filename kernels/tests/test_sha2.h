/* SPDX-License-Identifier: MIT */
/* What all of SHA-2 has in its tests. test_sha256.c and test_sha512.c say what differs before they include this file:
 *
 * SHA2_VARIANT, SHA2_FIND(name), SHA2_CONTEXT, SHA2_WIPE(context): types and functions
 * SHA2_SHORTER_FINAL: the member of a variant that ends the shorter of the two hashes
 * SHA2_MODEL(data, length, digest), SHA2_SHORTER_MODEL(data, length, digest): the model of either
 * SHA2_BLOCK_SIZE, SHA2_DIGEST_SIZE: bytes in a block and in the longer digest
 * SHA2_MAX_LENGTH: bytes that a message may have
 * SHA2_BOUNDARIES: an initializer, where to split a message of SPLIT_LENGTH bytes */
#ifndef CMK_TESTS_TEST_SHA2_H
#define CMK_TESTS_TEST_SHA2_H

#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define LONGEST 320
#define SPLIT_LENGTH 272

enum { LONGER, SHORTER, HASHES };

/* One of the two hashes: which, what differs, and the names of its checks. */
typedef struct hash {
    int which;
    size_t size;
    cmk_status (*init)(SHA2_CONTEXT *context);
    const char *fips180, *lengths, *splits, *steps, *placement, *refusals, *wipe;
} hash;

/* A message and its digest by either hash. */
typedef struct published {
    const char *message, *digests[HASHES];
} published;

static cmk_status finish(const SHA2_VARIANT *variant, const hash *one, SHA2_CONTEXT *context, uint8_t *digest)
{
    return one->which == LONGER ? variant->final(context, digest) : variant->SHA2_SHORTER_FINAL(context, digest);
}

static void digest_of(const SHA2_VARIANT *variant, const hash *one, const uint8_t *data, size_t length,
                      uint8_t *digest)
{
    SHA2_CONTEXT context;
    (void)one->init(&context);
    (void)variant->update(&context, data, length);
    (void)finish(variant, one, &context, digest);
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const hash *one, const uint8_t *data, size_t length, uint8_t *digest)
{
    uint8_t portable[SHA2_DIGEST_SIZE];
    if (one->which == LONGER) {
        SHA2_MODEL(data, length, digest);
    } else {
        SHA2_SHORTER_MODEL(data, length, digest);
    }
    digest_of(SHA2_FIND("portable"), one, data, length, portable);
    tap_equal(portable, digest, one->size, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

static void check_published(const SHA2_VARIANT *variant, const hash *one, const published *vectors, size_t count)
{
    tap_begin(one->fips180);
    for (size_t i = 0; i < count; i++) {
        uint8_t want[SHA2_DIGEST_SIZE], got[SHA2_DIGEST_SIZE];
        size_t length = strlen(vectors[i].message);
        (void)from_hex(want, vectors[i].digests[one->which]);
        digest_of(variant, one, (const uint8_t *)vectors[i].message, length, got);
        tap_equal(got, want, one->size, "a message of length", length);
    }
    tap_end();
}

/* A million times the letter a. */
static void check_million(const SHA2_VARIANT *variant, const hash *one, const char *name, const char *digest)
{
    static uint8_t letters[10000];
    uint8_t want[SHA2_DIGEST_SIZE], got[SHA2_DIGEST_SIZE];
    SHA2_CONTEXT context;
    memset(letters, 'a', sizeof letters);
    (void)from_hex(want, digest);
    (void)one->init(&context);
    for (int i = 0; i < 100; i++) {
        (void)variant->update(&context, letters, sizeof letters);
    }
    (void)finish(variant, one, &context, got);
    tap_begin(name);
    tap_equal(got, want, one->size, "a message of length", 1000000);
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* Every length, with known bytes around the digest, the input unchanged, and the context begun anew. */
static void check_lengths(const SHA2_VARIANT *variant, const hash *one)
{
    static uint8_t data[LONGEST], copy[LONGEST];
    uint8_t space[SHA2_DIGEST_SIZE + 2 * CANARY_SIZE], want[SHA2_DIGEST_SIZE];
    SHA2_CONTEXT context, start;
    fill(data, sizeof data, 100);
    memcpy(copy, data, sizeof copy);
    (void)one->init(&start);
    context = start;
    tap_begin(one->lengths);
    for (size_t length = 0; length <= LONGEST; length++) {
        canary_set(space + CANARY_SIZE, one->size);
        reference(one, data, length, want);
        tap_equal_number(variant->update(&context, data, length), CMK_OK, "status, length", length);
        tap_equal_number(finish(variant, one, &context, space + CANARY_SIZE), CMK_OK, "status, length", length);
        canary_check(space + CANARY_SIZE, want, one->size, "length", length);
        tap_equal(data, copy, sizeof data, "the input after use, length", length);
        tap_equal(&context, &start, sizeof context, "the context afterwards, length", length);
    }
    tap_end();
}

static void check_split(const SHA2_VARIANT *variant, const SHA2_VARIANT *last, const hash *one, const uint8_t *data,
                        size_t a, size_t b, const uint8_t *want)
{
    uint8_t got[SHA2_DIGEST_SIZE];
    SHA2_CONTEXT context;
    (void)one->init(&context);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, SPLIT_LENGTH - b);
    (void)finish(last, one, &context, got);
    tap_equal(got, want, one->size, "a message split at byte", b);
}

/* At every byte; around the boundaries of blocks, twice; and with another variant going on. */
static void check_splits(const SHA2_VARIANT *variant, const hash *one)
{
    static const size_t boundaries[] = SHA2_BOUNDARIES;
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static uint8_t data[SPLIT_LENGTH];
    uint8_t want[SHA2_DIGEST_SIZE];
    fill(data, sizeof data, 101);
    tap_begin(one->splits);
    reference(one, data, sizeof data, want);
    for (size_t at = 0; at <= SPLIT_LENGTH; at++) {
        check_split(variant, variant, one, data, 0, at, want);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, one, data, boundaries[i], boundaries[j], want);
        }
        check_split(variant, SHA2_FIND("portable"), one, data, 0, boundaries[i], want);
        check_split(SHA2_FIND("portable"), variant, one, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* The whole message in calls of one length. */
static void check_steps(const SHA2_VARIANT *variant, const hash *one)
{
    static const size_t steps[] = {1, 3, 63, 64, 65, 127, 128, 129};
    static uint8_t data[LONGEST];
    uint8_t want[SHA2_DIGEST_SIZE], got[SHA2_DIGEST_SIZE];
    SHA2_CONTEXT context;
    fill(data, sizeof data, 106);
    tap_begin(one->steps);
    reference(one, data, sizeof data, want);
    (void)one->init(&context);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        for (size_t at = 0; at < LONGEST; at += steps[i]) {
            (void)variant->update(&context, data + at, steps[i] < LONGEST - at ? steps[i] : LONGEST - at);
        }
        (void)finish(variant, one, &context, got);
        tap_equal(got, want, one->size, "calls of length", steps[i]);
    }
    tap_end();
}

/* At every offset, and against unreadable pages at both ends. */
static void check_placement(const SHA2_VARIANT *variant, const hash *one)
{
    static const size_t lengths[] = {1, SHA2_BLOCK_SIZE - 1, SHA2_BLOCK_SIZE, SHA2_BLOCK_SIZE + 1, 200, 256};
    static uint8_t space[LONGEST + 16];
    uint8_t data[256], want[SHA2_DIGEST_SIZE], got[SHA2_DIGEST_SIZE + 16];
    guarded page = guarded_make();
    fill(data, sizeof data, 102);
    tap_begin(one->placement);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        reference(one, data, length, want);
        for (size_t offset = 0; offset < 16; offset++) {
            memcpy(space + offset, data, length);
            digest_of(variant, one, space + offset, length, got + 15 - offset);
            tap_equal(got + 15 - offset, want, one->size, "offset", offset);
        }
        memcpy(page.begin, data, length);
        digest_of(variant, one, page.begin, length, page.end - one->size);
        tap_equal(page.end - one->size, want, one->size, "after a guard, length", length);
        memcpy(page.end - length, data, length);
        digest_of(variant, one, page.end - length, length, page.begin);
        tap_equal(page.begin, want, one->size, "before a guard, length", length);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const SHA2_VARIANT *variant, const hash *one)
{
    uint8_t data[SHA2_BLOCK_SIZE], digest[SHA2_DIGEST_SIZE], before[SHA2_DIGEST_SIZE];
    SHA2_CONTEXT context, start;
    fill(data, sizeof data, 103);
    fill(digest, sizeof digest, 104);
    memcpy(before, digest, sizeof before);
    (void)one->init(&start);
    context = start;
    tap_begin(one->refusals);
    tap_equal_number(variant->update(NULL, data, SHA2_BLOCK_SIZE), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->update(&context, NULL, SHA2_BLOCK_SIZE), CMK_ERROR_NULL, "no data", 0);
    tap_equal_number(variant->update(&context, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal_number(finish(variant, one, &context, NULL), CMK_ERROR_NULL, "no digest", 0);
    tap_equal_number(finish(variant, one, NULL, digest), CMK_ERROR_NULL, "final without context", 0);
    tap_equal_number(one->init(NULL), CMK_ERROR_NULL, "init without context", 0);
    tap_equal(&context, &start, sizeof context, "the context after refusals", 0);
    start.length = SHA2_MAX_LENGTH - SHA2_BLOCK_SIZE + 1;
    context = start;
    tap_equal_number(variant->update(&context, data, SHA2_BLOCK_SIZE), CMK_ERROR_LENGTH, "one byte too long", 0);
    tap_equal(&context, &start, sizeof context, "the context at the limit", 0);
    tap_equal_number(variant->update(&context, data, SHA2_BLOCK_SIZE - 1), CMK_OK, "one byte less", 0);
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "and one more", 0);
/* Where the context can hold a length that no message has. */
#if SHA2_MAX_LENGTH < UINT64_MAX
    start.length = SHA2_MAX_LENGTH + 1;
    context = start;
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "a damaged length", 0);
    tap_equal(&context, &start, sizeof context, "the damaged context", 0);
#endif
    tap_equal(digest, before, sizeof digest, "the digest after refusals", 0);
    tap_end();
}

static void check_wipe(const SHA2_VARIANT *variant, const hash *one)
{
    static const SHA2_CONTEXT zero;
    uint8_t data[100];
    SHA2_CONTEXT context;
    fill(data, sizeof data, 105);
    (void)one->init(&context);
    tap_begin(one->wipe);
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    SHA2_WIPE(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    SHA2_WIPE(NULL);
    tap_end();
}

#endif
