/* SPDX-License-Identifier: MIT */
/* Poly1305: published vectors, keys and messages of which all carries are needed, every length and split, every
 * placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define KEY CMK_POLY1305_KEY_SIZE
#define TAG CMK_POLY1305_TAG_SIZE
#define LONGEST 808      /* six times eight blocks, two, and a half */
#define SPLIT_LENGTH 420 /* three times eight blocks, two, and a quarter */

static void authenticate(const poly1305_variant *variant, const uint8_t *key, const uint8_t *data, size_t length,
                         uint8_t *tag)
{
    cmk_poly1305_context context;
    (void)cmk_poly1305_init(&context, key);
    (void)variant->update(&context, data, length);
    (void)cmk_poly1305_final(&context, tag);
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const uint8_t *key, const uint8_t *data, size_t length, uint8_t *tag)
{
    uint8_t portable[TAG];
    model_poly1305(key, data, length, tag);
    authenticate(find_poly1305("portable"), key, data, length, portable);
    tap_equal(portable, tag, TAG, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

#define ZEROS "00000000000000000000000000000000"
#define ONES "ffffffffffffffffffffffffffffffff"

/* RFC 8439 section 2.5.2 and appendix A.3, vectors 1 and 7 to 11, which are about carries. */
static void check_rfc8439(const poly1305_variant *variant)
{
    static const struct {
        const char *key, *data, *tag;
    } vectors[] = {
        {"85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
         "43727970746f6772617068696320466f72756d2052657365617263682047726f7570", "a8061dc1305136c6c22b8baf0c0127a9"},
        {ZEROS ZEROS, ZEROS ZEROS ZEROS ZEROS, ZEROS},
        {"02000000000000000000000000000000" ZEROS, ONES, "03000000000000000000000000000000"},
        {"02000000000000000000000000000000" ONES, "02000000000000000000000000000000",
         "03000000000000000000000000000000"},
        {"01000000000000000000000000000000" ZEROS,
         ONES "f0ffffffffffffffffffffffffffffff11000000000000000000000000000000",
         "05000000000000000000000000000000"},
        {"01000000000000000000000000000000" ZEROS,
         ONES "fbfefefefefefefefefefefefefefefe01010101010101010101010101010101", ZEROS},
        {"02000000000000000000000000000000" ZEROS, "fdffffffffffffffffffffffffffffff",
         "faffffffffffffffffffffffffffffff"},
        {"01000000000000000400000000000000" ZEROS,
         "e33594d7505e43b900000000000000003394d7505e4379cd01000000000000000000000000000000000000000000000001"
         "000000000000000000000000000000",
         "14000000000000005500000000000000"},
        {"01000000000000000400000000000000" ZEROS,
         "e33594d7505e43b900000000000000003394d7505e4379cd010000000000000000000000000000000000000000000000",
         "13000000000000000000000000000000"},
    };
    tap_begin("poly1305/rfc8439");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t key[KEY], data[64], want[TAG], got[TAG];
        size_t length = from_hex(data, vectors[i].data);
        (void)from_hex(key, vectors[i].key);
        (void)from_hex(want, vectors[i].tag);
        authenticate(variant, key, data, length, got);
        tap_equal(got, want, TAG, "vector", i);
    }
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* The greatest and the least of keys and messages, and sums that are just below and above 2^130 - 5 when they are
 * reduced for the last time: with r = 1 a message's blocks are added up, and each has a bit 128 of its own. */
static void check_extremes(const poly1305_variant *variant)
{
    static const uint8_t bytes[] = {0x00, 0xff, 0x80, 0xfb};
    static const size_t lengths[] = {15, 16, 17, 64, 128, 256, 257, 272, LONGEST};
    static const size_t blocks[] = {1, 2, 3, 7, 8, 9, 16, 17, 24, 25, 32, 50};
    static uint8_t data[LONGEST];
    uint8_t key[KEY], want[TAG], got[TAG];
    tap_begin("poly1305/extremes");
    for (size_t i = 0; i < 4 * 4 * sizeof lengths / sizeof lengths[0]; i++) {
        const size_t length = lengths[i / 16];
        memset(key, bytes[i % 4], sizeof key);
        memset(data, bytes[i / 4 % 4], sizeof data);
        reference(key, data, length, want);
        authenticate(variant, key, data, length, got);
        tap_equal(got, want, TAG, "all bytes alike, case", i);
    }
    memset(key, 0, sizeof key);
    key[0] = 1;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        for (unsigned low = 0xf8; low <= 0xff; low++) {
            memset(data, 0, sizeof data);
            memset(data, 0xff, 16);
            data[0] = (uint8_t)low;
            reference(key, data, 16 * blocks[i], want);
            authenticate(variant, key, data, 16 * blocks[i], got);
            tap_equal(got, want, TAG, "r = 1, blocks", blocks[i]);
        }
    }
    tap_end();
}

/* Every length, with known bytes around the tag, the input unchanged, and nothing left in the context. */
static void check_lengths(const poly1305_variant *variant)
{
    static const cmk_poly1305_context zero;
    static uint8_t data[LONGEST], copy[LONGEST];
    uint8_t key[KEY], space[TAG + 2 * CANARY_SIZE], want[TAG];
    cmk_poly1305_context context;
    fill(data, sizeof data, 300);
    fill(key, sizeof key, 301);
    memcpy(copy, data, sizeof copy);
    tap_begin("poly1305/lengths");
    for (size_t length = 0; length <= LONGEST; length += length < 290 ? 1 : 13) {
        canary_set(space + CANARY_SIZE, TAG);
        key[length % 32] ^= (uint8_t)(length + 1);
        reference(key, data, length, want);
        (void)cmk_poly1305_init(&context, key);
        tap_equal_number(variant->update(&context, data, length), CMK_OK, "status, length", length);
        tap_equal_number(cmk_poly1305_final(&context, space + CANARY_SIZE), CMK_OK, "status, length", length);
        canary_check(space + CANARY_SIZE, want, TAG, "length", length);
        tap_equal(&context, &zero, sizeof context, "the context afterwards, length", length);
    }
    tap_equal(data, copy, sizeof data, "the input after use", 0);
    tap_end();
}

static void check_split(const poly1305_variant *variant, const poly1305_variant *last, const uint8_t *data, size_t a,
                        size_t b, const uint8_t *want)
{
    uint8_t key[KEY], got[TAG];
    cmk_poly1305_context context;
    fill(key, sizeof key, 311);
    (void)cmk_poly1305_init(&context, key);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, SPLIT_LENGTH - b);
    (void)cmk_poly1305_final(&context, got);
    tap_equal(got, want, TAG, "a message split at byte", b);
}

/* At every byte; around the boundaries of blocks and batches, twice; and with another variant going on. */
static void check_splits(const poly1305_variant *variant)
{
    static const size_t boundaries[] = {1, 15, 16, 17, 31, 32, 33, 127, 128, 129, 143, 144, 145, 256, 257, 272};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static uint8_t data[SPLIT_LENGTH];
    uint8_t key[KEY], want[TAG];
    fill(data, sizeof data, 310);
    fill(key, sizeof key, 311);
    tap_begin("poly1305/splits");
    reference(key, data, sizeof data, want);
    for (size_t at = 0; at <= SPLIT_LENGTH; at++) {
        check_split(variant, variant, data, 0, at, want);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, data, boundaries[i], boundaries[j], want);
        }
        check_split(variant, find_poly1305("portable"), data, 0, boundaries[i], want);
        check_split(find_poly1305("portable"), variant, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* One message in calls of equal length, and in calls of lengths that leave something each time. */
static void check_steps(const poly1305_variant *variant)
{
    static const size_t ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7};
    static const size_t steps[] = {1, 5, 7, 15, 16, 17, 129, 272};
    static uint8_t data[LONGEST];
    uint8_t key[KEY], want[TAG], got[TAG];
    fill(data, sizeof data, 320);
    fill(key, sizeof key, 321);
    tap_begin("poly1305/steps");
    reference(key, data, LONGEST, want);
    for (size_t i = 0; i <= sizeof steps / sizeof steps[0]; i++) {
        cmk_poly1305_context context;
        size_t done = 0;
        (void)cmk_poly1305_init(&context, key);
        for (size_t call = 0; done < LONGEST; call++) {
            const size_t step = i < sizeof steps / sizeof steps[0] ? steps[i] : ragged[call % 10];
            const size_t part = LONGEST - done < step ? LONGEST - done : step;
            (void)variant->update(&context, data + done, part);
            done += part;
        }
        (void)cmk_poly1305_final(&context, got);
        tap_equal(got, want, TAG, "steps, number", i);
    }
    tap_end();
}

/* At every offset, and against unreadable pages at both ends. */
static void check_placement(const poly1305_variant *variant)
{
    static const size_t lengths[] = {1, 15, 16, 17, 127, 128, 129, 384, 405};
    static uint8_t space[LONGEST];
    uint8_t data[405], key[KEY], keys[KEY + 16], want[TAG], got[TAG + 16];
    guarded page = guarded_make();
    fill(data, sizeof data, 330);
    fill(key, sizeof key, 331);
    tap_begin("poly1305/placement");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        reference(key, data, length, want);
        for (size_t offset = 0; offset < 16; offset++) {
            memcpy(space + offset, data, length);
            memcpy(keys + (offset + 5) % 16, key, sizeof key);
            authenticate(variant, keys + (offset + 5) % 16, space + offset, length, got + 15 - offset);
            tap_equal(got + 15 - offset, want, TAG, "offset", offset);
        }
        memcpy(page.begin, data, length);
        authenticate(variant, key, page.begin, length, got);
        tap_equal(got, want, TAG, "after a guard, length", length);
        memcpy(page.end - length, data, length);
        authenticate(variant, key, page.end - length, length, got);
        tap_equal(got, want, TAG, "before a guard, length", length);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const poly1305_variant *variant)
{
    static const cmk_poly1305_context never;
    uint8_t data[64], key[KEY], tag[TAG], before[TAG];
    cmk_poly1305_context context, start;
    fill(data, sizeof data, 340);
    fill(key, sizeof key, 341);
    fill(tag, sizeof tag, 342);
    memcpy(before, tag, sizeof before);
    (void)cmk_poly1305_init(&start, key);
    context = start;
    tap_begin("poly1305/refusals");
    tap_equal_number(variant->update(NULL, data, 64), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->update(&context, NULL, 64), CMK_ERROR_NULL, "no data", 0);
    tap_equal_number(variant->update(&context, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal_number(cmk_poly1305_final(&context, NULL), CMK_ERROR_NULL, "no tag", 0);
    tap_equal_number(cmk_poly1305_final(NULL, tag), CMK_ERROR_NULL, "final without context", 0);
    tap_equal_number(cmk_poly1305_init(NULL, key), CMK_ERROR_NULL, "init without context", 0);
    tap_equal_number(cmk_poly1305_init(&context, NULL), CMK_ERROR_NULL, "init without key", 0);
    tap_equal(&context, &start, sizeof context, "the context after refusals", 0);
    context.filled = 16;
    tap_equal_number(variant->update(&context, data, 64), CMK_ERROR_STATE, "a damaged context", 0);
    tap_equal_number(cmk_poly1305_final(&context, tag), CMK_ERROR_STATE, "final of a damaged context", 0);
    context = start;
    context.stage = 3;
    tap_equal_number(variant->update(&context, data, 64), CMK_ERROR_STATE, "another damaged context", 0);
    context = never;
    tap_equal_number(variant->update(&context, data, 64), CMK_ERROR_STATE, "never initialised", 0);
    tap_equal_number(cmk_poly1305_final(&context, tag), CMK_ERROR_STATE, "final, never initialised", 0);
    tap_equal(&context, &never, sizeof context, "that context afterwards", 0);
    tap_equal(tag, before, sizeof tag, "the tag after refusals", 0);
    context = start;
    tap_equal_number(cmk_poly1305_final(&context, tag), CMK_OK, "final", 0);
    memcpy(before, tag, sizeof before);
    tap_equal_number(variant->update(&context, data, 64), CMK_ERROR_STATE, "after the end", 0);
    tap_equal_number(cmk_poly1305_final(&context, tag), CMK_ERROR_STATE, "a second end", 0);
    tap_equal(tag, before, sizeof tag, "the tag after a second end", 0);
    tap_end();
}

static void check_wipe(const poly1305_variant *variant)
{
    static const cmk_poly1305_context zero;
    uint8_t data[300], key[KEY];
    cmk_poly1305_context context;
    fill(data, sizeof data, 350);
    fill(key, sizeof key, 351);
    (void)cmk_poly1305_init(&context, key);
    tap_begin("poly1305/wipe");
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    cmk_poly1305_wipe(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    cmk_poly1305_wipe(NULL);
    tap_end();
}

void test_poly1305(const poly1305_variant *variant)
{
    check_rfc8439(variant);
    check_extremes(variant);
    check_lengths(variant);
    check_splits(variant);
    check_steps(variant);
    check_placement(variant);
    check_refusals(variant);
    check_wipe(variant);
}
