/* SPDX-License-Identifier: MIT */
/* SHA-512 and SHA-384: published vectors, every length and split, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_SHA512_BLOCK_SIZE
#define DIGEST CMK_SHA512_DIGEST_SIZE /* the longer */
#define LONGEST 320
#define SPLIT_LENGTH 272

/* The two hashes: what is not the same, and the names of their checks. */
typedef struct hash {
    size_t size;
    cmk_status (*init)(cmk_sha512_context *context);
    const char *fips180, *lengths, *splits, *steps, *placement, *longer, *refusals, *wipe;
} hash;

enum { SHA512, SHA384, HASHES };

static const hash hashes[HASHES] = {
    {CMK_SHA512_DIGEST_SIZE, cmk_sha512_init, "sha512/fips180_4", "sha512/lengths", "sha512/splits",
     "sha512/steps", "sha512/placement", "sha512/longer", "sha512/refusals", "sha512/wipe"},
    {CMK_SHA384_DIGEST_SIZE, cmk_sha384_init, "sha512/fips180_4_384", "sha512/lengths_384", "sha512/splits_384",
     "sha512/steps_384", "sha512/placement_384", "sha512/longer_384", "sha512/refusals_384", "sha512/wipe_384"},
};

static cmk_status finish(const sha512_variant *variant, const hash *one, cmk_sha512_context *context, uint8_t *digest)
{
    return one == &hashes[SHA512] ? variant->final(context, digest) : variant->final_384(context, digest);
}

static void digest_of(const sha512_variant *variant, const hash *one, const uint8_t *data, size_t length,
                      uint8_t *digest)
{
    cmk_sha512_context context;
    (void)one->init(&context);
    (void)variant->update(&context, data, length);
    (void)finish(variant, one, &context, digest);
}

static void model(const hash *one, const uint8_t *data, size_t length, uint8_t *digest)
{
    if (one == &hashes[SHA512]) {
        model_sha512(data, length, 0, digest);
    } else {
        model_sha384(data, length, 0, digest);
    }
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const hash *one, const uint8_t *data, size_t length, uint8_t *digest)
{
    uint8_t portable[DIGEST];
    model(one, data, length, digest);
    digest_of(find_sha512("portable"), one, data, length, portable);
    tap_equal(portable, digest, one->size, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

/* The examples that NIST publishes with FIPS 180-4. */
static void check_fips180(const sha512_variant *variant, const hash *one)
{
    static const struct {
        const char *message, *digests[HASHES];
    } vectors[] = {
        {"",
         {"cf83e1357eefb8bd f1542850d66d8007 d620e4050b5715dc 83f4a921d36ce9ce 47d0d13c5d85f2b0 "
          "ff8318d2877eec2f 63b931bd47417a81 a538327af927da3e",
          "38b060a751ac9638 4cd9327eb1b1e36a 21fdb71114be0743 4c0cc7bf63f6e1da 274edebfe76f65fb "
          "d51ad2f14898b95b"}},
        {"abc",
         {"ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a 2192992a274fc1a8 "
          "36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f",
          "cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163 1a8b605a43ff5bed 8086072ba1e7cc23 "
          "58baeca134c825a7"}},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqr"
         "smnopqrstnopqrstu",
         {"8e959b75dae313da 8cf4f72814fc143f 8f7779c6eb9f7fa1 7299aeadb6889018 501d289e4900f7e4 "
          "331b99dec4b5433a c7d329eeb6dd2654 5e96e55b874be909",
          "09330c33f71147e8 3d192fc782cd1b47 53111b173b3b05d2 2fa08086e3b0f712 fcc7c71a557e2db9 "
          "66c3e9fa91746039"}},
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
static void check_million(const sha512_variant *variant)
{
    static uint8_t letters[10000];
    uint8_t want[DIGEST], got[DIGEST];
    cmk_sha512_context context;
    memset(letters, 'a', sizeof letters);
    (void)from_hex(want, "e718483d0ce76964 4e2e42c7bc15b463 8e1f98b13b204428 5632a803afa973eb de0ff244877ea60a "
                         "4cb0432ce577c31b eb009c5c2c49aa2e 4eadb217ad8cc09b");
    (void)cmk_sha512_init(&context);
    for (int i = 0; i < 100; i++) {
        (void)variant->update(&context, letters, sizeof letters);
    }
    (void)variant->final(&context, got);
    tap_begin("sha512/million");
    tap_equal(got, want, DIGEST, "a message of length", 1000000);
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* Every length, with known bytes around the digest, the input unchanged, and the context begun anew. */
static void check_lengths(const sha512_variant *variant, const hash *one)
{
    static uint8_t data[LONGEST], copy[LONGEST];
    uint8_t space[DIGEST + 2 * CANARY_SIZE], want[DIGEST];
    cmk_sha512_context context, start;
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

static void check_split(const sha512_variant *variant, const sha512_variant *last, const hash *one,
                        const uint8_t *data, size_t a, size_t b, const uint8_t *want)
{
    uint8_t got[DIGEST];
    cmk_sha512_context context;
    (void)one->init(&context);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, SPLIT_LENGTH - b);
    (void)finish(last, one, &context, got);
    tap_equal(got, want, one->size, "a message split at byte", b);
}

/* At every byte; around the boundaries of blocks, twice; and with another variant going on. */
static void check_splits(const sha512_variant *variant, const hash *one)
{
    static const size_t boundaries[] = {1, 63, 64, 65, 111, 112, 113, 127, 128, 129, 239, 240, 241, 255, 256, 257};
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
        check_split(variant, find_sha512("portable"), one, data, 0, boundaries[i], want);
        check_split(find_sha512("portable"), variant, one, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* The whole message in calls of one length. */
static void check_steps(const sha512_variant *variant, const hash *one)
{
    static const size_t steps[] = {1, 3, 63, 64, 65, 127, 128, 129};
    static uint8_t data[LONGEST];
    uint8_t want[DIGEST], got[DIGEST];
    cmk_sha512_context context;
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
static void check_placement(const sha512_variant *variant, const hash *one)
{
    static const size_t lengths[] = {1, 127, 128, 129, 200, 256};
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

/* A message of 2^61 bytes and more, whose length has more than 64 bits, as far as its padding goes. */
static void check_longer(const sha512_variant *variant, const hash *one)
{
    static const uint64_t before[] = {(uint64_t)1 << 61, ((uint64_t)1 << 63) + BLOCK, UINT64_MAX - 2 * BLOCK + 1};
    uint8_t data[BLOCK], want[DIGEST], got[DIGEST];
    cmk_sha512_context context;
    fill(data, sizeof data, 107);
    tap_begin(one->longer);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        (void)one->init(&context);
        context.length = before[i];
        (void)variant->update(&context, data, 100);
        (void)finish(variant, one, &context, got);
        if (one == &hashes[SHA512]) {
            model_sha512(data, 100, before[i], want);
        } else {
            model_sha384(data, 100, before[i], want);
        }
        tap_equal(got, want, one->size, "number", i);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const sha512_variant *variant, const hash *one)
{
    uint8_t data[BLOCK], digest[DIGEST], before[DIGEST];
    cmk_sha512_context context, start;
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
    start.length = UINT64_MAX - BLOCK + 1;
    context = start;
    tap_equal_number(variant->update(&context, data, BLOCK), CMK_ERROR_LENGTH, "a message of 2^64 bytes", 0);
    tap_equal(&context, &start, sizeof context, "the context at the limit", 0);
    tap_equal_number(variant->update(&context, data, BLOCK - 1), CMK_OK, "one byte less", 0);
    tap_equal_number(variant->update(&context, data, 1), CMK_ERROR_LENGTH, "and one more", 0);
    tap_equal(digest, before, sizeof digest, "the digest after refusals", 0);
    tap_end();
}

static void check_wipe(const sha512_variant *variant, const hash *one)
{
    static const cmk_sha512_context zero;
    uint8_t data[100];
    cmk_sha512_context context;
    fill(data, sizeof data, 105);
    (void)one->init(&context);
    tap_begin(one->wipe);
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    cmk_sha512_wipe(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    cmk_sha512_wipe(NULL);
    tap_end();
}

void test_sha512(const sha512_variant *variant)
{
    check_million(variant);
    for (size_t i = 0; i < HASHES; i++) {
        check_fips180(variant, &hashes[i]);
        check_lengths(variant, &hashes[i]);
        check_splits(variant, &hashes[i]);
        check_steps(variant, &hashes[i]);
        check_placement(variant, &hashes[i]);
        check_longer(variant, &hashes[i]);
        check_refusals(variant, &hashes[i]);
        check_wipe(variant, &hashes[i]);
    }
}
