/* SPDX-License-Identifier: MIT */
/* ChaCha20: published vectors, counters that wrap, every length and split, every placement, refusals.
 *
 * A stream's bytes do not depend on its length or on how it is split, so one reference stream of the greatest
 * length is what all calls are held against. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_CHACHA20_BLOCK_SIZE
#define LONGEST 1216     /* whole blocks: two times eight and three; it holds all keystream that a call may leave */
#define SPLIT_LENGTH 704 /* eight blocks, and three */

/* A key, and a stream under it. */
typedef struct stream {
    uint8_t key[CMK_CHACHA20_KEY_SIZE];
    uint8_t nonce[CMK_CHACHA20_NONCE_SIZE];
    uint32_t counter;
    uint8_t plain[LONGEST];
    uint8_t encrypted[LONGEST];
} stream;

static void begin(cmk_chacha20_state *state, const stream *s)
{
    (void)cmk_chacha20_init(state, s->key, s->nonce, s->counter);
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(stream *s)
{
    static uint8_t by_portable[LONGEST];
    cmk_chacha20_state state;
    model_chacha20(s->key, s->nonce, s->counter, s->plain, s->encrypted, LONGEST);
    begin(&state, s);
    (void)cmk_chacha20_portable(&state, s->plain, by_portable, LONGEST);
    tap_equal(by_portable, s->encrypted, LONGEST, "portable and model, counter", s->counter);
}

/* In the current check. */
static void make_stream(stream *s, uint32_t seed)
{
    fill(s->key, sizeof s->key, seed);
    fill(s->nonce, sizeof s->nonce, seed + 1);
    fill(s->plain, sizeof s->plain, seed + 2);
    s->counter = seed * 0x01010101;
    reference(s);
}

/* The state that follows from `length` bytes: the counter of the next block, and unused keystream. */
static void check_state(const cmk_chacha20_state *state, const stream *s, size_t length, size_t number)
{
    cmk_chacha20_state want;
    size_t partial = length % BLOCK;
    begin(&want, s);
    want.words[12] += (uint32_t)((length + BLOCK - 1) / BLOCK);
    for (size_t i = partial; partial != 0 && i < BLOCK; i++) {
        size_t at = length - partial + i;
        want.keystream[i] = (uint8_t)(s->plain[at] ^ s->encrypted[at]);
    }
    want.left = partial == 0 ? 0 : (uint32_t)(BLOCK - partial);
    tap_equal(state, &want, sizeof want, "the state afterwards", number);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

#define COUNTING "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define ZEROS_30 "000000000000000000000000000000000000000000000000000000000000"
#define ZEROS_64 ZEROS_30 ZEROS_30 "00000000"

/* RFC 8439 section 2.3.2, section 2.4.2, and appendix A.1. */
static void check_rfc8439(const chacha20_variant *variant)
{
    static const struct {
        const char *key, *nonce;
        uint32_t counter;
        const char *plain, *encrypted;
    } vectors[] = {
        {COUNTING, "000000090000004a00000000", 1, ZEROS_64,
         "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
         "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e"},
        {COUNTING, "000000000000004a00000000", 1,
         "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
         "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
         "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
         "637265656e20776f756c642062652069742e",
         "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b"
         "f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8"
         "07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736"
         "5af90bbf74a35be6b40b8eedf2785e42874d"},
        {ZEROS_30 "0000", "000000000000000000000000", 0, ZEROS_64,
         "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
         "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
        {ZEROS_30 "0000", "000000000000000000000000", 1, ZEROS_64,
         "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
         "29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
        {ZEROS_30 "0001", "000000000000000000000000", 1, ZEROS_64,
         "3aeb5224ecf849929b9d828db1ced4dd832025e8018b8160b82284f3c949aa5a"
         "8eca00bbb4a73bdad192b5c42f73f2fd4e273644c8b36125a64addeb006c13a0"},
        {"00ff" ZEROS_30, "000000000000000000000000", 2, ZEROS_64,
         "72d54dfbf12ec44b362692df94137f328fea8da73990265ec1bbbea1ae9af0ca"
         "13b25aa26cb4a648cb9b9d1be65b2c0924a66c54d545ec1b7374f4872e99f096"},
        {ZEROS_30 "0000", "000000000000000000000002", 0, ZEROS_64,
         "c2c64d378cd536374ae204b9ef933fcd1a8b2288b3dfa49672ab765b54ee27c7"
         "8a970e0e955c14f3a88e741b97c286f75f8fc299e8148362fa198a39531bed6d"},
    };
    tap_begin("chacha20/rfc8439");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t key[32], nonce[12], plain[128], want[128], got[128];
        cmk_chacha20_state state;
        size_t length = from_hex(plain, vectors[i].plain);
        (void)from_hex(key, vectors[i].key);
        (void)from_hex(nonce, vectors[i].nonce);
        (void)from_hex(want, vectors[i].encrypted);
        (void)cmk_chacha20_init(&state, key, nonce, vectors[i].counter);
        tap_equal_number(variant->stream(&state, plain, got, length), CMK_OK, "status, vector", i);
        tap_equal(got, want, length, "vector", i);
    }
    tap_end();
}

/* After block 2^32 - 1 comes block 0, and the nonce stays: six blocks of keystream from the last but one on, of which
 * the SHA-256 is known, in several splits. */
static void check_wrap(const chacha20_variant *variant)
{
    static const size_t first[] = {384, 1, 64, 127, 128, 129, 192, 320};
    static const uint8_t zeros[384];
    uint8_t key[32], nonce[12], digest[32], want[32], block[BLOCK];
    (void)from_hex(key, COUNTING);
    (void)from_hex(nonce, "020000000000000000000000");
    (void)from_hex(want, "0c7f6bb8b9f7ee2c4809b9d823756b8c5fc52f8657ef0c3fb025499d993f72bf");
    tap_begin("chacha20/wrap");
    model_chacha20(key, nonce, 0, zeros, block, BLOCK);
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        uint8_t got[384];
        cmk_chacha20_state state;
        (void)cmk_chacha20_init(&state, key, nonce, 0xfffffffe);
        (void)variant->stream(&state, zeros, got, first[i]);
        (void)variant->stream(&state, zeros, got + first[i], sizeof got - first[i]);
        model_sha256(got, sizeof got, digest);
        tap_equal(digest, want, sizeof want, "digest of the keystream, first call", first[i]);
        tap_equal(got + 2 * BLOCK, block, BLOCK, "the third block, first call", first[i]);
    }
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* The counter wraps before each of the first nineteen blocks: in every lane, twice. */
static void check_carry(const chacha20_variant *variant)
{
    static stream s;
    static uint8_t got[LONGEST];
    tap_begin("chacha20/carry");
    make_stream(&s, 210);
    for (uint32_t before = 0; before < LONGEST / BLOCK; before++) {
        cmk_chacha20_state state;
        s.counter = 0 - before;
        reference(&s);
        begin(&state, &s);
        tap_equal_number(variant->stream(&state, s.plain, got, LONGEST), CMK_OK, "status, blocks before", before);
        tap_equal(got, s.encrypted, LONGEST, "a wrap after so many blocks:", before);
        check_state(&state, &s, LONGEST, before);
    }
    tap_end();
}

static void check_lengths(const chacha20_variant *variant)
{
    static stream s;
    static uint8_t space[LONGEST + 2 * CANARY_SIZE], copy[LONGEST];
    uint8_t *out = space + CANARY_SIZE;
    tap_begin("chacha20/lengths");
    make_stream(&s, 220);
    memcpy(copy, s.plain, LONGEST);
    for (size_t length = 0; length <= LONGEST; length += length < 200 || length % 64 < 2 ? 1 : 7) {
        cmk_chacha20_state state;
        begin(&state, &s);
        canary_set(out, length);
        tap_equal_number(variant->stream(&state, s.plain, out, length), CMK_OK, "status, length", length);
        canary_check(out, s.encrypted, length, "length", length);
        check_state(&state, &s, length, length);
    }
    tap_equal(s.plain, copy, LONGEST, "the input after use", 0);
    tap_end();
}

/* One stream in up to three calls, the last by `last`. */
static void check_split(const chacha20_variant *variant, const chacha20_variant *last, const stream *s, size_t a,
                        size_t b)
{
    uint8_t got[SPLIT_LENGTH];
    cmk_chacha20_state state;
    memset(got, 0, sizeof got);
    begin(&state, s);
    (void)variant->stream(&state, s->plain, got, a);
    (void)variant->stream(&state, s->plain + a, got + a, b - a);
    check_state(&state, s, b, b);
    (void)last->stream(&state, s->plain + b, got + b, SPLIT_LENGTH - b);
    tap_equal(got, s->encrypted, SPLIT_LENGTH, "a stream split at byte", b);
}

/* At every byte of three blocks; around the boundaries of blocks and batches, twice; and with another variant going
 * on. */
static void check_splits(const chacha20_variant *variant)
{
    static const size_t boundaries[] = {1, 63, 64, 65, 127, 128, 129, 192, 193, 447, 448, 511, 512, 513, 640, 641};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static stream s;
    tap_begin("chacha20/splits");
    make_stream(&s, 230);
    for (size_t at = 0; at <= SPLIT_LENGTH; at += at < 200 ? 1 : 5) {
        check_split(variant, variant, &s, 0, at);
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, &s, boundaries[i], boundaries[j]);
        }
        check_split(variant, find_chacha20("portable"), &s, 0, boundaries[i]);
        check_split(find_chacha20("portable"), variant, &s, 0, boundaries[i]);
    }
    tap_end();
}

/* One stream in calls of equal length, and in calls of lengths that leave something each time. */
static void check_steps(const chacha20_variant *variant)
{
    static const size_t ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7};
    static const size_t steps[] = {1, 5, 7, 63, 64, 65, 130};
    static stream s;
    static uint8_t got[LONGEST];
    cmk_chacha20_state state;
    size_t done = 0;
    tap_begin("chacha20/steps");
    make_stream(&s, 240);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const size_t step = steps[i];
        begin(&state, &s);
        for (done = 0; done < SPLIT_LENGTH; done += step) {
            size_t part = SPLIT_LENGTH - done < step ? SPLIT_LENGTH - done : step;
            (void)variant->stream(&state, s.plain + done, got + done, part);
        }
        tap_equal(got, s.encrypted, SPLIT_LENGTH, "steps of", step);
        check_state(&state, &s, SPLIT_LENGTH, step);
    }
    begin(&state, &s);
    done = 0;
    for (size_t i = 0; done + ragged[i % 10] <= LONGEST; i++) {
        (void)variant->stream(&state, s.plain + done, got + done, ragged[i % 10]);
        done += ragged[i % 10];
        check_state(&state, &s, done, done);
    }
    tap_equal(got, s.encrypted, done, "ragged steps", done);
    tap_end();
}

/* In place, at every offset, and against unreadable pages at both ends. */
static void check_placement(const chacha20_variant *variant)
{
    static const size_t lengths[] = {1, 63, 64, 65, 200, 511, 512, 513, 1100};
    static uint8_t from[LONGEST + 16], to[LONGEST + 2 * CANARY_SIZE + 16];
    static stream s;
    guarded a = guarded_make(), b = guarded_make();
    tap_begin("chacha20/placement");
    make_stream(&s, 250);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        cmk_chacha20_state start, state;
        begin(&start, &s);
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *place = to + CANARY_SIZE + 15 - offset;
            memcpy(from + offset, s.plain, length);
            canary_set(place, length);
            state = start;
            (void)variant->stream(&state, from + offset, place, length);
            canary_check(place, s.encrypted, length, "offset", offset);
            canary_set(place, length);
            memcpy(place, s.plain, length);
            state = start;
            (void)variant->stream(&state, place, place, length);
            canary_check(place, s.encrypted, length, "in place, length", length);
        }
        memcpy(a.begin, s.plain, length);
        state = start;
        (void)variant->stream(&state, a.begin, b.begin, length);
        tap_equal(b.begin, s.encrypted, length, "after a guard, length", length);
        memcpy(a.end - length, s.plain, length);
        state = start;
        (void)variant->stream(&state, a.end - length, b.end - length, length);
        tap_equal(b.end - length, s.encrypted, length, "before a guard, length", length);
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void check_refusals(const chacha20_variant *variant)
{
    static const cmk_chacha20_state never;
    static stream s;
    uint8_t out[64], before[64];
    cmk_chacha20_state state, start;
    tap_begin("chacha20/refusals");
    make_stream(&s, 260);
    fill(out, sizeof out, 261);
    memcpy(before, out, sizeof before);
    begin(&start, &s);
    state = start;
    tap_equal_number(variant->stream(NULL, s.plain, out, 64), CMK_ERROR_NULL, "no state", 0);
    tap_equal_number(variant->stream(NULL, s.plain, out, 0), CMK_ERROR_NULL, "no state, length", 0);
    tap_equal_number(variant->stream(&state, NULL, out, 64), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(variant->stream(&state, s.plain, NULL, 64), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(variant->stream(&state, NULL, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal(&state, &start, sizeof state, "the state after refusals", 0);
    for (uint32_t left = 64; left < 68; left++) {
        state.left = left;
        tap_equal_number(variant->stream(&state, s.plain, out, 64), CMK_ERROR_STATE, "left", left);
    }
    state = never;
    tap_equal_number(variant->stream(&state, s.plain, out, 64), CMK_ERROR_STATE, "never initialised", 0);
    tap_equal(&state, &never, sizeof state, "that state afterwards", 0);
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
    state = start;
    tap_equal_number(cmk_chacha20_init(NULL, s.key, s.nonce, 0), CMK_ERROR_NULL, "init without state", 0);
    tap_equal_number(cmk_chacha20_init(&state, NULL, s.nonce, 0), CMK_ERROR_NULL, "init without key", 0);
    tap_equal_number(cmk_chacha20_init(&state, s.key, NULL, 0), CMK_ERROR_NULL, "init without nonce", 0);
    tap_equal(&state, &start, sizeof state, "the state after a refused init", 0);
    tap_end();
}

static void check_wipe(const chacha20_variant *variant)
{
    static const cmk_chacha20_state zero;
    static stream s;
    uint8_t out[20];
    cmk_chacha20_state state;
    tap_begin("chacha20/wipe");
    make_stream(&s, 270);
    begin(&state, &s);
    tap_equal_number(variant->stream(&state, s.plain, out, sizeof out), CMK_OK, "status", 0);
    cmk_chacha20_wipe(&state);
    tap_equal(&state, &zero, sizeof state, "the state after the wipe", 0);
    cmk_chacha20_wipe(NULL);
    tap_end();
}

void test_chacha20(const chacha20_variant *variant)
{
    check_rfc8439(variant);
    check_wrap(variant);
    check_carry(variant);
    check_lengths(variant);
    check_splits(variant);
    check_steps(variant);
    check_placement(variant);
    check_refusals(variant);
    check_wipe(variant);
}
