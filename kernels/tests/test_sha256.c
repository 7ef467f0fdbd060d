/* SPDX-License-Identifier: MIT */
/* SHA-256 and SHA-224: published vectors, every length and split, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_SHA256_BLOCK_SIZE
#define DIGEST CMK_SHA256_DIGEST_SIZE /* the longer */
#define LONGEST 320
#define SPLIT_LENGTH 272

/* The two hashes: what is not the same, and the names of their checks. */
typedef struct hash {
    size_t size;
    cmk_status (*init)(cmk_sha256_context *context);
    const char *fips180, *lengths, *splits, *steps, *placement, *refusals, *wipe;
} hash;

enum { SHA256, SHA224, HASHES };

static const hash hashes[HASHES] = {
    {CMK_SHA256_DIGEST_SIZE, cmk_sha256_init, "sha256/fips180_4", "sha256/lengths", "sha256/splits",
     "sha256/steps", "sha256/placement", "sha256/refusals", "sha256/wipe"},
    {CMK_SHA224_DIGEST_SIZE, cmk_sha224_init, "sha256/fips180_4_224", "sha256/lengths_224", "sha256/splits_224",
     "sha256/steps_224", "sha256/placement_224", "sha256/refusals_224", "sha256/wipe_224"},
};

static cmk_status finish(const sha256_variant *variant, const hash *one, cmk_sha256_context *context, uint8_t *digest)
{
    return one == &hashes[SHA256] ? variant->final(context, digest) : variant->final_224(context, digest);
}

static void digest_of(const sha256_variant *variant, const hash *one, const uint8_t *data, size_t length,
                      uint8_t *digest)
{
    cmk_sha256_context context;
    (void)one->init(&context);
    (void)variant->update(&context, data, length);
    (void)finish(variant, one, &context, digest);
}

static void model(const hash *one, const uint8_t *data, size_t length, uint8_t *digest)
{
    if (one == &hashes[SHA256]) {
        model_sha256(data, length, digest);
    } else {
        model_sha224(data, length, digest);
    }
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const hash *one, const uint8_t *data, size_t length, uint8_t *digest)
{
    uint8_t portable[DIGEST];
    model(one, data, length, digest);
    digest_of(find_sha256("portable"), one, data, length, portable);
    tap_equal(portable, digest, one->size, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

/* The examples that NIST publishes with FIPS 180-4. */
static void check_fips180(const sha256_variant *variant, const hash *one)
{
    static const struct {
        const char *message, *digests[HASHES];
    } vectors[] = {
        {"",
         {"e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855",
          "d14a028c 2a3a2bc9 476102bb 288234c4 15a2b01f 828ea62a c5b3e42f"}},
        {"abc",
         {"ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad",
          "23097d22 3405d822 8642a477 bda255b3 2aadbce4 bda0b3f7 e36c9da7"}},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         {"248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1",
          "75388b16 512776cc 5dba5da1 fd890150 b0c6455c b4f58b19 52522525"}},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqr"
         "smnopqrstnopqrstu",
         {"cf5b16a7 78af8380 036ce59e 7b049237 0b249b11 e8f07a51 afac4503 7afee9d1",
          "c97ca9a5 59850ce9 7a04a96d ef6d99a9 e0e0e2ab 14e6b8df 265fc0b3"}},
    };
    tap_begin(one->fips180);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t want[DIGEST], got[DIGEST];
        size_t length = strlen(vectors[i].message);
        (void)from_hex(want, vectors[i].digests[one - hashes]);
        digest_of(variant, one, (const uint8_t *)vectors[i].message, length, got);
        tap_equal(got, want, one->size, "a message of length", length);
    }
    tap_end();
}

/* A million times the letter a. */
static void check_million(const sha256_variant *variant)
{
    static uint8_t letters[10000];
    uint8_t want[DIGEST], got[DIGEST];
    cmk_sha256_context context;
    memset(letters, 'a', sizeof letters);
    (void)from_hex(want, "cdc76e5c 9914fb92 81a1c7e2 84d73e67 f1809a48 a497200e 046d39cc c7112cd0");
    (void)cmk_sha256_init(&context);
    for (int i = 0; i < 100; i++) {
        (void)variant->update(&context, letters, sizeof letters);
    }
    (void)variant->final(&context, got);
    tap_begin("sha256/million");
    tap_equal(got, want, DIGEST, "a message of length", 1000000);
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* Every length, with known bytes around the digest, the input unchanged, and the context begun anew. */
static void check_lengths(const sha256_variant *variant, const hash *one)
{
    static uint8_t data[LONGEST], copy[LONGEST];
    uint8_t space[DIGEST + 2 * CANARY_SIZE], want[DIGEST];
    cmk_sha256_context context, start;
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

static void check_split(const sha256_variant *variant, const sha256_variant *last, const hash *one,
                        const uint8_t *data, size_t a, size_t b, const uint8_t *want)
{
    uint8_t got[DIGEST];
    cmk_sha256_context context;
    (void)one->init(&context);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, SPLIT_LENGTH - b);
    (void)finish(last, one, &context, got);
    tap_equal(got, want, one->size, "a message split at byte", b);
}

/* At every byte; around the boundaries of blocks, twice; and with another variant going on. */
static void check_splits(const sha256_variant *variant, const hash *one)
{
    static const size_t boundaries[] = {1, 55, 56, 57, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static uint8_t data[SPLIT_LENGTH];
    uint8_t want[DIGEST];
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
        check_split(variant, find_sha256("portable"), one, data, 0, boundaries[i], want);
        check_split(find_sha256("portable"), variant, one, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* The whole message in calls of one length. */
static void check_steps(const sha256_variant *variant, const hash *one)
{
    static const size_t steps[] = {1, 3, 63, 64, 65, 127, 128, 129};
    static uint8_t data[LONGEST];
    uint8_t want[DIGEST], got[DIGEST];
    cmk_sha256_context context;
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
static void check_placement(const sha256_variant *variant, const hash *one)
{
    static const size_t lengths[] = {1, 63, 64, 65, 200, 256};
    static uint8_t space[LONGEST + 16];
    uint8_t data[256], want[DIGEST], got[DIGEST + 16];
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

static void check_refusals(const sha256_variant *variant, const hash *one)
{
    uint8_t data[BLOCK], digest[DIGEST], before[DIGEST];
    cmk_sha256_context context, start;
    fill(data, sizeof data, 103);
    fill(digest, sizeof digest, 104);
    memcpy(before, digest, sizeof before);
    (void)one->init(&start);
    context = start;
    tap_begin(one->refusals);
    tap_equal_number(variant->update(NULL, data, BLOCK), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->update(&context, NULL, BLOCK), CMK_ERROR_NULL, "no data", 0);
    tap_equal_number(variant->update(&context, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal_number(finish(variant, one, &context, NULL), CMK_ERROR_NULL, "no digest", 0);
    tap_equal_number(finish(variant, one, NULL, digest), CMK_ERROR_NULL, "final without context", 0);
    tap_equal_number(one->init(NULL), CMK_ERROR_NULL, "init without context", 0);
    tap_equal(&context, &start, sizeof context, "the context after refusals", 0);
    start.length = ((uint64_t)1 << 61) - BLOCK;
    context = start;
    tap_equal_number(variant->update(&context, data, BLOCK), CMK_ERROR_LENGTH, "a message of 2^61 bytes", 0);
    tap_equal(&context, &start, sizeof context, "the context at the limit", 0);
    tap_equal_number(variant->update(&context, data, BLOCK - 1), CMK_OK, "one byte less", 0);
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "and one more", 0);
    start.length = (uint64_t)1 << 61;
    context = start;
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "a damaged length", 0);
    tap_equal(&context, &start, sizeof context, "the damaged context", 0);
    tap_equal(digest, before, sizeof digest, "the digest after refusals", 0);
    tap_end();
}

static void check_wipe(const sha256_variant *variant, const hash *one)
{
    static const cmk_sha256_context zero;
    uint8_t data[100];
    cmk_sha256_context context;
    fill(data, sizeof data, 105);
    (void)one->init(&context);
    tap_begin(one->wipe);
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    cmk_sha256_wipe(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    cmk_sha256_wipe(NULL);
    tap_end();
}

void test_sha256(const sha256_variant *variant)
{
    check_million(variant);
    for (size_t i = 0; i < HASHES; i++) {
        check_fips180(variant, &hashes[i]);
        check_lengths(variant, &hashes[i]);
        check_splits(variant, &hashes[i]);
        check_steps(variant, &hashes[i]);
        check_placement(variant, &hashes[i]);
        check_refusals(variant, &hashes[i]);
        check_wipe(variant, &hashes[i]);
    }
}
