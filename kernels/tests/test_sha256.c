/* SPDX-License-Identifier: MIT */
/* SHA-256: published vectors, every length and split, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_SHA256_BLOCK_SIZE
#define DIGEST CMK_SHA256_DIGEST_SIZE
#define LONGEST 520
#define SPLIT_LENGTH 272

static void hash(const sha256_variant *variant, const uint8_t *data, size_t length, uint8_t *digest)
{
    cmk_sha256_context context;
    (void)cmk_sha256_init(&context);
    (void)variant->update(&context, data, length);
    (void)variant->final(&context, digest);
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const uint8_t *data, size_t length, uint8_t *digest)
{
    uint8_t portable[DIGEST];
    model_sha256(data, length, digest);
    hash(find_sha256("portable"), data, length, portable);
    tap_equal(portable, digest, DIGEST, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

/* The examples that NIST publishes with FIPS 180-4. */
static void check_fips180(const sha256_variant *variant)
{
    static const struct {
        const char *message, *digest;
    } vectors[] = {
        {"", "e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855"},
        {"abc", "ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
         "mnopqrstnopqrstu",
         "cf5b16a7 78af8380 036ce59e 7b049237 0b249b11 e8f07a51 afac4503 7afee9d1"},
    };
    tap_begin("sha256/fips180_4");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t want[DIGEST], got[DIGEST];
        size_t length = strlen(vectors[i].message);
        (void)from_hex(want, vectors[i].digest);
        hash(variant, (const uint8_t *)vectors[i].message, length, got);
        tap_equal(got, want, DIGEST, "a message of length", length);
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
static void check_lengths(const sha256_variant *variant)
{
    static uint8_t data[LONGEST], copy[LONGEST];
    uint8_t space[DIGEST + 2 * CANARY_SIZE], want[DIGEST];
    cmk_sha256_context context, start;
    fill(data, sizeof data, 100);
    memcpy(copy, data, sizeof copy);
    (void)cmk_sha256_init(&start);
    context = start;
    tap_begin("sha256/lengths");
    for (size_t length = 0; length <= LONGEST; length++) {
        canary_set(space + CANARY_SIZE, DIGEST);
        reference(data, length, want);
        tap_equal_number(variant->update(&context, data, length), CMK_OK, "status, length", length);
        tap_equal_number(variant->final(&context, space + CANARY_SIZE), CMK_OK, "status, length", length);
        canary_check(space + CANARY_SIZE, want, DIGEST, "length", length);
        tap_equal(data, copy, sizeof data, "the input after use, length", length);
        tap_equal(&context, &start, sizeof context, "the context afterwards, length", length);
    }
    tap_end();
}

static void check_split(const sha256_variant *variant, const sha256_variant *last, const uint8_t *data, size_t a,
                        size_t b, const uint8_t *want)
{
    uint8_t got[DIGEST];
    cmk_sha256_context context;
    (void)cmk_sha256_init(&context);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, SPLIT_LENGTH - b);
    (void)last->final(&context, got);
    tap_equal(got, want, DIGEST, "a message split at byte", b);
}

/* At every byte; around the boundaries of blocks, twice; and with another variant going on. */
static void check_splits(const sha256_variant *variant)
{
    static const size_t boundaries[] = {1, 55, 56, 57, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static uint8_t data[SPLIT_LENGTH];
    uint8_t want[DIGEST];
    fill(data, sizeof data, 101);
    tap_begin("sha256/splits");
    reference(data, sizeof data, want);
    for (size_t at = 0; at <= SPLIT_LENGTH; at++) {
        check_split(variant, variant, data, 0, at, want);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, data, boundaries[i], boundaries[j], want);
        }
        check_split(variant, find_sha256("portable"), data, 0, boundaries[i], want);
        check_split(find_sha256("portable"), variant, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* At every offset, and against unreadable pages at both ends. */
static void check_placement(const sha256_variant *variant)
{
    static const size_t lengths[] = {1, 63, 64, 65, 200, 256};
    static uint8_t space[LONGEST];
    uint8_t data[256], want[DIGEST], got[DIGEST + 16];
    guarded page = guarded_make();
    fill(data, sizeof data, 102);
    tap_begin("sha256/placement");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        reference(data, length, want);
        for (size_t offset = 0; offset < 16; offset++) {
            memcpy(space + offset, data, length);
            hash(variant, space + offset, length, got + 15 - offset);
            tap_equal(got + 15 - offset, want, DIGEST, "offset", offset);
        }
        memcpy(page.begin, data, length);
        hash(variant, page.begin, length, got);
        tap_equal(got, want, DIGEST, "after a guard, length", length);
        memcpy(page.end - length, data, length);
        hash(variant, page.end - length, length, got);
        tap_equal(got, want, DIGEST, "before a guard, length", length);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const sha256_variant *variant)
{
    const uint64_t limit = (uint64_t)1 << 61;
    uint8_t data[64], digest[DIGEST], before[DIGEST];
    cmk_sha256_context context, start;
    fill(data, sizeof data, 103);
    fill(digest, sizeof digest, 104);
    memcpy(before, digest, sizeof before);
    (void)cmk_sha256_init(&start);
    context = start;
    tap_begin("sha256/refusals");
    tap_equal_number(variant->update(NULL, data, 64), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->update(&context, NULL, 64), CMK_ERROR_NULL, "no data", 0);
    tap_equal_number(variant->update(&context, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal_number(variant->final(&context, NULL), CMK_ERROR_NULL, "no digest", 0);
    tap_equal_number(variant->final(NULL, digest), CMK_ERROR_NULL, "final without context", 0);
    tap_equal_number(cmk_sha256_init(NULL), CMK_ERROR_NULL, "init without context", 0);
    tap_equal(&context, &start, sizeof context, "the context after refusals", 0);
    start.length = limit - 64;
    context = start;
    tap_equal_number(variant->update(&context, data, 64), CMK_ERROR_LENGTH, "a message of 2^61 bytes", 0);
    tap_equal(&context, &start, sizeof context, "the context at the limit", 0);
    tap_equal_number(variant->update(&context, data, 63), CMK_OK, "one byte less", 0);
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "and one more", 0);
    start.length = limit;
    context = start;
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "a damaged length", 0);
    tap_equal(&context, &start, sizeof context, "the damaged context", 0);
    tap_equal(digest, before, sizeof digest, "the digest after refusals", 0);
    tap_end();
}

static void check_wipe(const sha256_variant *variant)
{
    static const cmk_sha256_context zero;
    uint8_t data[100];
    cmk_sha256_context context;
    fill(data, sizeof data, 105);
    (void)cmk_sha256_init(&context);
    tap_begin("sha256/wipe");
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    cmk_sha256_wipe(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    cmk_sha256_wipe(NULL);
    tap_end();
}

void test_sha256(const sha256_variant *variant)
{
    check_fips180(variant);
    check_million(variant);
    check_lengths(variant);
    check_splits(variant);
    check_placement(variant);
    check_refusals(variant);
    check_wipe(variant);
}
