/* SPDX-License-Identifier: MIT */
/* CTR: published vectors, counters that wrap, every length and split, every placement, refusals.
 *
 * A stream's bytes do not depend on its length or on how it is split, so one reference stream of the greatest
 * length is what all calls are held against. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_AES_BLOCK_SIZE
#define LONGEST 528 /* whole blocks, so that the reference holds all the keystream that a call may leave */
#define SPLIT_LENGTH 272 /* two batches of eight blocks, and one block */

/* A key and a stream under it. */
typedef struct stream {
    uint8_t bytes[32];
    size_t key_length;
    uint8_t counter[BLOCK];
    cmk_aes_key key;
    uint8_t plain[LONGEST];
    uint8_t encrypted[LONGEST];
} stream;

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(stream *s, size_t length)
{
    static uint8_t by_portable[LONGEST];
    cmk_aes_key key;
    cmk_aes_ctr_state state;
    model_aes_ctr(s->bytes, s->key_length, s->counter, s->plain, s->encrypted, length);
    (void)cmk_aes_set_key_portable(&key, s->bytes, s->key_length);
    (void)cmk_aes_ctr_init(&state, s->counter);
    (void)cmk_aes_ctr_portable(&state, &key, s->plain, by_portable, length);
    tap_equal(by_portable, s->encrypted, length, "portable and model, key length", s->key_length);
}

/* In the current check. */
static void make_stream(const aes_variant *variant, stream *s, size_t key_length, uint32_t seed, size_t length)
{
    fill(s->bytes, sizeof s->bytes, seed);
    fill(s->counter, sizeof s->counter, seed + 1);
    fill(s->plain, sizeof s->plain, seed + 2);
    s->key_length = key_length;
    (void)variant->set_key(&s->key, s->bytes, key_length);
    reference(s, length);
}

/* The state that follows from `length` bytes: the counter of the next block, and unused keystream. */
static void check_state(const cmk_aes_ctr_state *state, const stream *s, size_t length, size_t number)
{
    cmk_aes_ctr_state want;
    size_t partial = length % BLOCK;
    (void)cmk_aes_ctr_init(&want, s->counter);
    for (size_t block = 0; block < (length + BLOCK - 1) / BLOCK; block++) {
        for (int place = BLOCK - 1; place >= 0 && ++want.counter[place] == 0; place--) {
        }
    }
    for (size_t i = partial; partial != 0 && i < BLOCK; i++) {
        size_t at = length - partial + i;
        want.keystream[i] = (uint8_t)(s->plain[at] ^ s->encrypted[at]);
    }
    want.left = partial == 0 ? 0 : (uint32_t)(BLOCK - partial);
    tap_equal(state->counter, want.counter, BLOCK, "the counter afterwards", number);
    tap_equal(state->keystream, want.keystream, BLOCK, "the keystream left", number);
    tap_equal_number(state->left, want.left, "how much is left", number);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

static void check_sp800_38a(const aes_variant *variant)
{
    static const struct {
        const char *key, *encrypted;
    } vectors[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c",
         "874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff "
         "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"},
        {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
         "1abc932417521ca24f2b0459fe7e6e0b 090339ec0aa6faefd5ccc2c6f4ce8e94 "
         "1e36b26bd1ebc670d1bd1d665620abf7 4f78a7f6d29809585a97daec58c6b050"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5 "
         "2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"},
    };
    uint8_t counter[BLOCK], plain[64];
    (void)from_hex(counter, "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    (void)from_hex(plain, SP800_38A_BLOCKS);
    tap_begin("aes_ctr/sp800_38a"); /* appendix F.5 */
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t bytes[32], encrypted[64], got[64];
        size_t key_length = from_hex(bytes, vectors[i].key);
        cmk_aes_key key;
        cmk_aes_ctr_state state;
        (void)from_hex(encrypted, vectors[i].encrypted);
        (void)variant->set_key(&key, bytes, key_length);
        (void)cmk_aes_ctr_init(&state, counter);
        tap_equal_number(variant->ctr(&state, &key, plain, got, 64), CMK_OK, "status, key length", key_length);
        tap_equal(got, encrypted, 64, "encryption, key length", key_length);
        (void)cmk_aes_ctr_init(&state, counter);
        (void)variant->ctr(&state, &key, encrypted, got, 64);
        tap_equal(got, plain, 64, "decryption, key length", key_length);
    }
    tap_end();
}

/* Counters that wrap at 32, 64 and 128 bits inside 80 bytes, in one call and in parts. */
static void check_wrap(const aes_variant *variant)
{
    static const struct {
        const char *counter, *keystream;
    } vectors[] = {
        {"000000000000000000000000ffffffff",
         "57941ff3415881a0b2a7917ac5fa33b8 426c768faa410b72ab103951259ba14a d4826774d118c5351aa48113690c3973 "
         "bad5af63cde9ca2e4e4444fc23a50e24 dcb7693bf75707d7bed019ca2ad2a532"},
        {"0000000000000000ffffffffffffffff",
         "39a7ef0a0a5852a8bfd2032344bf9412 13189a6ae4ab07ae70a3aabd30be99de 8f9429444c8f4b3599421235b510df3d "
         "945446341c6f5971fe0eb662b1fb9950 dda66f251cfdb9dc9fcef7c933ba828a"},
        {"ffffffffffffffffffffffffffffffff",
         "3c441f32ce07822364d7a2990e50bb13 c6a13b37878f5b826f4f8162a1c8d879 7346139595c0b41e497bbde365f42d0a "
         "49d68753999ba68ce3897a686081b09d b9ad2b2e346ac238505d365e9cb7fc56"},
    };
    static const size_t first[] = {80, 1, 16, 17, 16, 1}; /* bytes in the first call */
    static const size_t others[] = {80, 79, 64, 63, 16, 1}; /* and in each of the others */
    static const uint8_t zeros[80];
    uint8_t bytes[16];
    cmk_aes_key key;
    (void)from_hex(bytes, "000102030405060708090a0b0c0d0e0f");
    (void)variant->set_key(&key, bytes, sizeof bytes);
    tap_begin("aes_ctr/wrap");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t counter[BLOCK], want[80];
        (void)from_hex(counter, vectors[i].counter);
        (void)from_hex(want, vectors[i].keystream);
        for (size_t split = 0; split < sizeof first / sizeof first[0]; split++) {
            uint8_t got[80] = {0};
            cmk_aes_ctr_state state;
            (void)cmk_aes_ctr_init(&state, counter);
            for (size_t done = 0, part = first[split]; done < 80; done += part, part = others[split]) {
                part = part < 80 - done ? part : 80 - done;
                (void)variant->ctr(&state, &key, zeros, got + done, part);
            }
            tap_equal(got, want, 80, "80 bytes with split", split);
        }
    }
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* A carry out of bit 8, 16, 32, 64 or 128 before each of the first ten blocks. */
static void check_carry(const aes_variant *variant)
{
    enum { LENGTH = 10 * BLOCK };
    static const unsigned widths[] = {8, 16, 32, 64, 128};
    static stream s;
    tap_begin("aes_ctr/carry");
    make_stream(variant, &s, 16, 10, 0);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        for (unsigned before = 0; before < 10; before++) {
            uint8_t got[LENGTH];
            cmk_aes_ctr_state state;
            fill(s.counter, BLOCK, 11);
            memset(s.counter + BLOCK - widths[i] / 8, 0xff, widths[i] / 8);
            s.counter[BLOCK - 1] = (uint8_t)(0xff - before);
            reference(&s, LENGTH);
            (void)cmk_aes_ctr_init(&state, s.counter);
            tap_equal_number(variant->ctr(&state, &s.key, s.plain, got, LENGTH), CMK_OK, "status", widths[i]);
            tap_equal(got, s.encrypted, LENGTH, "a carry out of bit", widths[i]);
            check_state(&state, &s, LENGTH, widths[i]);
        }
    }
    tap_end();
}

/* Every length, with the three key sizes in turn. */
static void check_lengths(const aes_variant *variant)
{
    static stream s[3];
    static uint8_t space[LONGEST + 2 * CANARY_SIZE], copy[LONGEST];
    uint8_t *out = space + CANARY_SIZE;
    tap_begin("aes_ctr/lengths");
    for (size_t i = 0; i < 3; i++) {
        make_stream(variant, &s[i], 16 + 8 * i, 20, LONGEST);
    }
    memcpy(copy, s[0].plain, LONGEST);
    for (size_t length = 0; length <= 520; length++) {
        const stream *one = &s[length % 3];
        cmk_aes_ctr_state state;
        (void)cmk_aes_ctr_init(&state, one->counter);
        canary_set(out, length);
        tap_equal_number(variant->ctr(&state, &one->key, one->plain, out, length), CMK_OK, "status, length", length);
        canary_check(out, one->encrypted, length, "length", length);
        tap_equal(one->plain, copy, LONGEST, "the input after use, length", length);
        check_state(&state, one, length, length);
    }
    tap_end();
}

/* One stream in up to three calls, the last by `last`. */
static void check_split(const aes_variant *variant, const aes_variant *last, const stream *s, size_t a, size_t b)
{
    uint8_t got[SPLIT_LENGTH];
    cmk_aes_ctr_state state;
    memset(got, 0, sizeof got);
    (void)cmk_aes_ctr_init(&state, s->counter);
    (void)variant->ctr(&state, &s->key, s->plain, got, a);
    (void)variant->ctr(&state, &s->key, s->plain + a, got + a, b - a);
    check_state(&state, s, b, b);
    (void)last->ctr(&state, &s->key, s->plain + b, got + b, SPLIT_LENGTH - b);
    tap_equal(got, s->encrypted, SPLIT_LENGTH, "a stream split at byte", b);
}

/* At every byte; around the boundaries of blocks and batches, twice; and with another variant going on. */
static void check_splits(const aes_variant *variant)
{
    static const size_t boundaries[] = {15, 16, 17, 63, 64, 65, 127, 128, 129, 143, 144, 145, 255, 256, 257};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static stream s;
    tap_begin("aes_ctr/splits");
    make_stream(variant, &s, 32, 30, LONGEST);
    for (size_t at = 0; at <= SPLIT_LENGTH; at++) {
        check_split(variant, variant, &s, 0, at);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, &s, boundaries[i], boundaries[j]);
        }
        check_split(variant, find_aes("portable"), &s, 0, boundaries[i]);
        check_split(find_aes("portable"), variant, &s, 0, boundaries[i]);
    }
    tap_end();
}

/* One stream in calls of equal length. */
static void check_steps(const aes_variant *variant)
{
    static const size_t steps[] = {1, 5, 7, 15, 16, 17, 33};
    static stream s;
    tap_begin("aes_ctr/steps");
    make_stream(variant, &s, 24, 40, LONGEST);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const size_t step = steps[i];
        uint8_t got[SPLIT_LENGTH];
        cmk_aes_ctr_state state;
        (void)cmk_aes_ctr_init(&state, s.counter);
        for (size_t done = 0; done < SPLIT_LENGTH; done += step) {
            size_t part = SPLIT_LENGTH - done < step ? SPLIT_LENGTH - done : step;
            (void)variant->ctr(&state, &s.key, s.plain + done, got + done, part);
        }
        tap_equal(got, s.encrypted, SPLIT_LENGTH, "steps of", step);
        check_state(&state, &s, SPLIT_LENGTH, step);
    }
    tap_end();
}

/* In place, at every offset, and against unreadable pages at both ends. */
static void check_placement(const aes_variant *variant)
{
    static const size_t lengths[] = {1, 15, 16, 127, 128, 129, 272, 273};
    static uint8_t from[LONGEST + 16], to[LONGEST + 2 * CANARY_SIZE + 16];
    static stream s;
    guarded a = guarded_make(), b = guarded_make();
    tap_begin("aes_ctr/placement");
    make_stream(variant, &s, 16, 50, LONGEST);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        cmk_aes_ctr_state start, state;
        (void)cmk_aes_ctr_init(&start, s.counter);
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *place = to + CANARY_SIZE + 15 - offset;
            memcpy(from + offset, s.plain, length);
            canary_set(place, length);
            state = start;
            (void)variant->ctr(&state, &s.key, from + offset, place, length);
            canary_check(place, s.encrypted, length, "offset", offset);
            canary_set(place, length);
            memcpy(place, s.plain, length);
            state = start;
            (void)variant->ctr(&state, &s.key, place, place, length);
            canary_check(place, s.encrypted, length, "in place, length", length);
        }
        memcpy(a.begin, s.plain, length);
        state = start;
        (void)variant->ctr(&state, &s.key, a.begin, b.begin, length);
        tap_equal(b.begin, s.encrypted, length, "after a guard, length", length);
        memcpy(a.end - length, s.plain, length);
        state = start;
        (void)variant->ctr(&state, &s.key, a.end - length, b.end - length, length);
        tap_equal(b.end - length, s.encrypted, length, "before a guard, length", length);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const aes_variant *variant)
{
    static stream s;
    uint8_t out[64], before[64];
    cmk_aes_ctr_state state, start;
    cmk_aes_key damaged;
    tap_begin("aes_ctr/refusals");
    make_stream(variant, &s, 16, 60, 64);
    fill(out, sizeof out, 61);
    memcpy(before, out, sizeof before);
    (void)cmk_aes_ctr_init(&start, s.counter);
    state = start;
    damaged = s.key;
    damaged.rounds = 11;
    tap_equal_number(variant->ctr(NULL, &s.key, s.plain, out, 64), CMK_ERROR_NULL, "no state", 0);
    tap_equal_number(variant->ctr(NULL, &s.key, s.plain, out, 0), CMK_ERROR_NULL, "no state, length", 0);
    tap_equal_number(variant->ctr(&state, NULL, s.plain, out, 64), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(variant->ctr(&state, &s.key, NULL, out, 64), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(variant->ctr(&state, &s.key, s.plain, NULL, 64), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(variant->ctr(&state, &damaged, s.plain, out, 64), CMK_ERROR_KEY, "damaged key", 0);
    tap_equal_number(variant->ctr(&state, &s.key, NULL, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal(&state, &start, sizeof state, "the state after refusals", 0);
    for (uint32_t left = 16; left < 20; left++) {
        state.left = left;
        tap_equal_number(variant->ctr(&state, &s.key, s.plain, out, 64), CMK_ERROR_STATE, "left", left);
    }
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
    state = start;
    tap_equal_number(cmk_aes_ctr_init(NULL, s.counter), CMK_ERROR_NULL, "init without state", 0);
    tap_equal_number(cmk_aes_ctr_init(&state, NULL), CMK_ERROR_NULL, "init without counter", 0);
    tap_equal(&state, &start, sizeof state, "the state after a refused init", 0);
    tap_end();
}

static void check_wipe(const aes_variant *variant)
{
    static const cmk_aes_ctr_state zero;
    static stream s;
    uint8_t out[20];
    cmk_aes_ctr_state state;
    tap_begin("aes_ctr/wipe");
    make_stream(variant, &s, 16, 70, 64);
    (void)cmk_aes_ctr_init(&state, s.counter);
    tap_equal_number(variant->ctr(&state, &s.key, s.plain, out, sizeof out), CMK_OK, "status", 0);
    cmk_aes_ctr_wipe(&state);
    tap_equal(&state, &zero, sizeof state, "the state after the wipe", 0);
    cmk_aes_ctr_wipe(NULL);
    tap_end();
}

void test_aes_ctr(const aes_variant *variant)
{
    check_sp800_38a(variant);
    check_wrap(variant);
    check_carry(variant);
    check_lengths(variant);
    check_splits(variant);
    check_steps(variant);
    check_placement(variant);
    check_refusals(variant);
    check_wipe(variant);
}
