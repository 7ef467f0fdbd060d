/* SPDX-License-Identifier: MIT */
/* SHA-3 and SHAKE: published vectors, lengths, splits of input and output, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define LONGEST 340  /* more than two blocks at the largest rate */
#define MOST_OUT 600 /* more than three */
#define LONG_OUT 64  /* of SHAKE where its output is not what is tried */
#define LARGEST_RATE CMK_SHAKE128_RATE

/* The functions: what is not the same, and the names of their checks. */
typedef struct function {
    size_t digest_size; /* 0 for SHAKE */
    unsigned rate;
    const char *lengths, *steps, *splits, *placement;
} function;

enum { SHA3_224, SHA3_256, SHA3_384, SHA3_512, SHAKE128, SHAKE256, FUNCTIONS };

static const function functions[FUNCTIONS] = {
    {28, 144, "sha3/lengths_224", "sha3/steps_224", "sha3/splits_224", "sha3/placement_224"},
    {32, 136, "sha3/lengths_256", "sha3/steps_256", "sha3/splits_256", "sha3/placement_256"},
    {48, 104, "sha3/lengths_384", "sha3/steps_384", "sha3/splits_384", "sha3/placement_384"},
    {64, 72, "sha3/lengths_512", "sha3/steps_512", "sha3/splits_512", "sha3/placement_512"},
    {0, 168, "sha3/lengths_shake128", "sha3/steps_shake128", "sha3/splits_shake128", "sha3/placement_shake128"},
    {0, 136, "sha3/lengths_shake256", "sha3/steps_shake256", "sha3/splits_shake256", "sha3/placement_shake256"},
};

static size_t out_length(const function *one)
{
    return one->digest_size != 0 ? one->digest_size : LONG_OUT;
}

static cmk_status begin(const function *one, cmk_sha3_context *context)
{
    if (one->digest_size != 0) {
        return cmk_sha3_init(context, one->digest_size);
    }
    return one == &functions[SHAKE128] ? cmk_shake128_init(context) : cmk_shake256_init(context);
}

static cmk_status finish(const sha3_variant *variant, const function *one, cmk_sha3_context *context, uint8_t *out,
                         size_t length)
{
    return one->digest_size != 0 ? variant->final(context, out, length) : variant->squeeze(context, out, length);
}

static void digest_of(const sha3_variant *variant, const function *one, const uint8_t *data, size_t length,
                      uint8_t *out, size_t size)
{
    cmk_sha3_context context;
    (void)begin(one, &context);
    (void)variant->update(&context, data, length);
    (void)finish(variant, one, &context, out, size);
}

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const function *one, const uint8_t *data, size_t length, uint8_t *out, size_t size)
{
    uint8_t portable[MOST_OUT];
    model_keccak(one->rate, one->digest_size != 0 ? 0x06 : 0x1f, data, length, out, size);
    digest_of(find_sha3("portable"), one, data, length, portable, size);
    tap_equal(portable, out, size, "portable and model, length", length);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

/* Examples that NIST publishes with FIPS 202, of SHAKE the beginnings. */
static void check_fips202(const sha3_variant *variant)
{
    static const struct {
        unsigned function;
        const char *message, *digest;
    } vectors[] = {
        {SHA3_224, "",
         "6b4e03423667dbb7 3b6e15454f0eb1ab d4597f9a1b078e3f 5b5a6bc7"},
        {SHA3_224, "abc",
         "e642824c3f8cf24a d09234ee7d3c766f c9a3a5168d0c94ad 73b46fdf"},
        {SHA3_256, "",
         "a7ffc6f8bf1ed766 51c14756a061d662 f580ff4de43b49fa 82d80a4b80f8434a"},
        {SHA3_256, "abc",
         "3a985da74fe225b2 045c172d6bd390bd 855f086e3e9d525b 46bfe24511431532"},
        {SHA3_384, "",
         "0c63a75b845e4f7d 01107d852e4c2485 c51a50aaaa94fc61 995e71bbee983a2a c3713831264adb47 "
         "fb6bd1e058d5f004"},
        {SHA3_384, "abc",
         "ec01498288516fc9 26459f58e2c6ad8d f9b473cb0fc08c25 96da7cf0e49be4b2 98d88cea927ac7f5 "
         "39f1edf228376d25"},
        {SHA3_512, "",
         "a69f73cca23a9ac5 c8b567dc185a756e 97c982164fe25859 e0d1dcc1475c80a6 15b2123af1f5f94c "
         "11e3e9402c3ac558 f500199d95b6d3e3 01758586281dcd26"},
        {SHA3_512, "abc",
         "b751850b1a57168a 5693cd924b6b096e 08f621827444f70d 884f5d0240d2712e 10e116e9192af3c9 "
         "1a7ec57647e39340 57340b4cf408d5a5 6592f8274eec53f0"},
        {SHAKE128, "",
         "7f9c2ba4e88f827d 616045507605853e d73b8093f6efbc88 eb1a6eacfa66ef26"},
        {SHAKE128, "abc",
         "5881092dd818bf5c f8a3ddb793fbcba7 4097d5c526a6d35f 97b83351940f2cc8"},
        {SHAKE256, "",
         "46b9dd2b0ba88d13 233b3feb743eeb24 3fcd52ea62b81b82 b50c27646ed5762f d75dc4ddd8c0f200 "
         "cb05019d67b592f6 fc821c49479ab486 40292eacb3b7c4be"},
        {SHAKE256, "abc",
         "483366601360a877 1c6863080cc4114d 8db44530f8f1e1ee 4f94ea37e78b5739 d5a15bef186a5386 "
         "c75744c0527e1faa 9f8726e462a12a4f eb06bd8801e751e4"},
    };
    tap_begin("sha3/fips202");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t want[64], got[64];
        size_t length = strlen(vectors[i].message), size = from_hex(want, vectors[i].digest);
        digest_of(variant, &functions[vectors[i].function], (const uint8_t *)vectors[i].message, length, got, size);
        tap_equal(got, want, size, "vector", i);
    }
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* Many lengths, with known bytes around the digest, the input unchanged, and after a digest the context begun anew. */
static void check_lengths(const sha3_variant *variant, const function *one)
{
    static uint8_t data[LONGEST], copy[LONGEST];
    const size_t size = out_length(one);
    uint8_t space[LONG_OUT + 2 * CANARY_SIZE], want[LONG_OUT];
    cmk_sha3_context context, start;
    fill(data, sizeof data, 110);
    memcpy(copy, data, sizeof copy);
    (void)begin(one, &start);
    tap_begin(one->lengths);
    for (size_t length = 0; length <= LONGEST; length++) {
        if (!worth_trying(length) && (length + 1) % one->rate > 2) {
            continue;
        }
        context = start;
        canary_set(space + CANARY_SIZE, size);
        reference(one, data, length, want, size);
        tap_equal_number(variant->update(&context, data, length), CMK_OK, "status, length", length);
        tap_equal_number(finish(variant, one, &context, space + CANARY_SIZE, size), CMK_OK, "status, length", length);
        canary_check(space + CANARY_SIZE, want, size, "length", length);
        tap_equal(data, copy, sizeof data, "the input after use, length", length);
        if (one->digest_size != 0) {
            tap_equal(&context, &start, sizeof context, "the context afterwards, length", length);
        }
    }
    tap_end();
}

/* The whole message in calls of one length. */
static void check_steps(const sha3_variant *variant, const function *one)
{
    static const size_t steps[] = {1, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 167, 168, 169};
    static uint8_t data[LONGEST];
    uint8_t want[LONG_OUT], got[LONG_OUT];
    const size_t size = out_length(one);
    cmk_sha3_context context;
    fill(data, sizeof data, 111);
    tap_begin(one->steps);
    reference(one, data, sizeof data, want, size);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        (void)begin(one, &context);
        for (size_t at = 0; at < LONGEST; at += steps[i]) {
            (void)variant->update(&context, data + at, steps[i] < LONGEST - at ? steps[i] : LONGEST - at);
        }
        (void)finish(variant, one, &context, got, size);
        tap_equal(got, want, size, "calls of length", steps[i]);
    }
    tap_end();
}

static void check_split(const sha3_variant *variant, const sha3_variant *last, const function *one,
                        const uint8_t *data, size_t a, size_t b, const uint8_t *want)
{
    uint8_t got[LONG_OUT];
    const size_t size = out_length(one);
    cmk_sha3_context context;
    (void)begin(one, &context);
    (void)variant->update(&context, data, a);
    (void)variant->update(&context, data + a, b - a);
    (void)last->update(&context, data + b, LONGEST - b);
    (void)finish(last, one, &context, got, size);
    tap_equal(got, want, size, "a message split at byte", b);
}

/* At many bytes; around the boundaries of lanes and blocks, twice; and with another variant going on. */
static void check_splits(const sha3_variant *variant, const function *one)
{
    const size_t rate = one->rate;
    const size_t boundaries[] = {1, 7, 8, 9, rate - 8, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 2 * rate + 1};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    static uint8_t data[LONGEST];
    uint8_t want[LONG_OUT];
    fill(data, sizeof data, 112);
    tap_begin(one->splits);
    reference(one, data, sizeof data, want, out_length(one));
    for (size_t at = 0; at <= LONGEST; at++) {
        if (worth_trying(at)) {
            check_split(variant, variant, one, data, 0, at, want);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            check_split(variant, variant, one, data, boundaries[i], boundaries[j], want);
        }
        check_split(variant, find_sha3("portable"), one, data, 0, boundaries[i], want);
        check_split(find_sha3("portable"), variant, one, data, 0, boundaries[i], want);
    }
    tap_end();
}

/* At every offset, and against unreadable pages at both ends. */
static void check_placement(const sha3_variant *variant, const function *one)
{
    const size_t lengths[] = {1, 7, 8, one->rate - 1, one->rate, one->rate + 1, 2 * (size_t)one->rate};
    const size_t size = out_length(one);
    static uint8_t space[LONGEST + 16];
    uint8_t data[2 * LARGEST_RATE], want[LONG_OUT], got[LONG_OUT + 16];
    guarded page = guarded_make();
    fill(data, sizeof data, 113);
    tap_begin(one->placement);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        reference(one, data, length, want, size);
        for (size_t offset = 0; offset < 16; offset++) {
            memcpy(space + offset, data, length);
            digest_of(variant, one, space + offset, length, got + 15 - offset, size);
            tap_equal(got + 15 - offset, want, size, "offset", offset);
        }
        memcpy(page.begin, data, length);
        digest_of(variant, one, page.begin, length, page.end - size, size);
        tap_equal(page.end - size, want, size, "after a guard, length", length);
        memcpy(page.end - length, data, length);
        digest_of(variant, one, page.end - length, length, page.begin, size);
        tap_equal(page.begin, want, size, "before a guard, length", length);
    }
    tap_end();
}

/* ---- squeezing ---------------------------------------------------------------------------------------- */

/* The output of SHAKE for "abc" in five parts; of what these are, the SHA-256 and some bytes are known. */
static void check_known_squeeze(const sha3_variant *variant)
{
    static const struct {
        const function *function;
        size_t parts[5], at;
        const char *sha256, *bytes, *last;
    } vectors[] = {
        {&functions[SHAKE128],
         {1, 7, 160, 168, 175},
         167,
         "93143102daaf43a2 05deba75d490b824 28f4417ed6d80da6 e72ae0fb7bf685b9",
         "4e6aa0",
         "241268b50d3f1e"},
        {&functions[SHAKE256],
         {1, 7, 128, 136, 143},
         135,
         "089ff5920ee046a6 0fbead27349a47f9 2d8e56fd3067d628 c453696b02da1f49",
         "29cf0e",
         ""},
    };
    tap_begin("sha3/known_squeeze");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t out[MOST_OUT], want[32], digest[32];
        size_t length = 0, count;
        cmk_sha3_context context;
        (void)begin(vectors[i].function, &context);
        (void)variant->update(&context, (const uint8_t *)"abc", 3);
        for (size_t part = 0; part < 5; part++) {
            (void)variant->squeeze(&context, out + length, vectors[i].parts[part]);
            length += vectors[i].parts[part];
        }
        (void)from_hex(want, vectors[i].sha256);
        model_sha256(out, length, digest);
        tap_equal(digest, want, 32, "SHA-256 of output", i);
        count = from_hex(want, vectors[i].bytes);
        tap_equal(out + vectors[i].at, want, count, "bytes between two blocks of output", i);
        count = from_hex(want, vectors[i].last);
        tap_equal(out + length - count, want, count, "the last bytes of output", i);
    }
    tap_end();
}

static void check_squeeze_split(const sha3_variant *variant, const sha3_variant *last, const function *one, size_t a,
                                size_t b, const uint8_t *want)
{
    uint8_t got[MOST_OUT];
    cmk_sha3_context context;
    (void)begin(one, &context);
    (void)variant->squeeze(&context, got, a);
    (void)variant->squeeze(&context, got + a, b - a);
    (void)last->squeeze(&context, NULL, 0);
    (void)last->squeeze(&context, got + b, MOST_OUT - b);
    tap_equal(got, want, MOST_OUT, "output split at byte", b);
}

/* At every byte, around the boundaries twice, and with another variant going on. */
static void check_squeezes(const sha3_variant *variant)
{
    uint8_t want[MOST_OUT];
    tap_begin("sha3/squeeze");
    for (const function *one = &functions[SHAKE128]; one <= &functions[SHAKE256]; one++) {
        const size_t rate = one->rate;
        const size_t boundaries[] = {0, 1, 7, 8, 9, rate - 1, rate, rate + 1, 2 * rate - 1, 2 * rate, 2 * rate + 1};
        const size_t count = sizeof boundaries / sizeof boundaries[0];
        reference(one, NULL, 0, want, MOST_OUT);
        for (size_t at = 0; at <= MOST_OUT; at++) {
            check_squeeze_split(variant, variant, one, 0, at, want);
        }
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i; j < count; j++) {
                check_squeeze_split(variant, variant, one, boundaries[i], boundaries[j], want);
            }
            check_squeeze_split(variant, find_sha3("portable"), one, 0, boundaries[i], want);
            check_squeeze_split(find_sha3("portable"), variant, one, 0, boundaries[i], want);
        }
    }
    tap_end();
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

/* What a context of SHA-3 and one of SHAKE do not take; both stay as they are. */
static void check_refusals(const sha3_variant *variant)
{
    uint8_t data[64], digest[64], before[64];
    cmk_sha3_context hash, shake, hash_start, shake_start;
    fill(data, sizeof data, 114);
    fill(digest, sizeof digest, 115);
    memcpy(before, digest, sizeof before);
    (void)cmk_sha3_init(&hash, 32);
    (void)cmk_shake256_init(&shake);
    hash_start = hash;
    shake_start = shake;
    tap_begin("sha3/refusals");
    tap_equal_number(cmk_sha3_init(NULL, 32), CMK_ERROR_NULL, "init without context", 0);
    tap_equal_number(cmk_sha3_init(NULL, 31), CMK_ERROR_NULL, "init without context", 31);
    tap_equal_number(cmk_shake128_init(NULL), CMK_ERROR_NULL, "init without context", 128);
    tap_equal_number(cmk_shake256_init(NULL), CMK_ERROR_NULL, "init without context", 256);
    for (size_t size = 0; size < 200; size++) {
        cmk_status want = size == 28 || size == 32 || size == 48 || size == 64 ? CMK_OK : CMK_ERROR_LENGTH;
        cmk_sha3_context context = hash_start;
        tap_equal_number(cmk_sha3_init(&context, size), want, "a digest of bytes", size);
        if (size != 32) {
            tap_equal_number(variant->final(&hash, digest, size), CMK_ERROR_LENGTH, "room for bytes", size);
        }
    }
    tap_equal_number(variant->update(NULL, data, 64), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->update(&hash, NULL, 64), CMK_ERROR_NULL, "no data", 0);
    tap_equal_number(variant->update(&hash, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal_number(variant->final(&hash, NULL, 32), CMK_ERROR_NULL, "no digest", 0);
    tap_equal_number(variant->final(NULL, digest, 32), CMK_ERROR_NULL, "final without context", 0);
    tap_equal_number(variant->squeeze(NULL, digest, 32), CMK_ERROR_NULL, "squeeze without context", 0);
    tap_equal_number(variant->squeeze(&shake, NULL, 32), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(variant->squeeze(&hash, digest, 32), CMK_ERROR_STATE, "squeezing SHA-3", 0);
    tap_equal_number(variant->final(&shake, digest, 32), CMK_ERROR_STATE, "a digest of SHAKE", 0);
    tap_equal(&hash, &hash_start, sizeof hash, "the context of SHA-3 after refusals", 0);
    tap_equal(&shake, &shake_start, sizeof shake, "the context of SHAKE after refusals", 0);
    tap_equal(digest, before, sizeof digest, "the digest after refusals", 0);
    tap_equal_number(variant->squeeze(&shake, NULL, 0), CMK_OK, "nothing to squeeze", 0);
    shake_start = shake;
    tap_equal_number(variant->update(&shake, data, 64), CMK_ERROR_STATE, "more after the first squeeze", 0);
    tap_equal_number(variant->update(&shake, NULL, 0), CMK_ERROR_STATE, "nothing after the first squeeze", 0);
    tap_equal(&shake, &shake_start, sizeof shake, "the context of SHAKE after more", 0);
    tap_end();
}

/* Contexts that no init function made: each is damaged in one place, the last is wiped. */
static void check_damage(const sha3_variant *variant)
{
    uint8_t data[8] = {0}, digest[32] = {0};
    tap_begin("sha3/damage");
    for (size_t i = 0; i < 6; i++) {
        cmk_sha3_context hash, shake, start;
        (void)cmk_sha3_init(&hash, 32);
        hash.position = i == 0 ? hash.rate : i == 1 ? UINT32_MAX : 0;
        hash.rate = i == 2 ? 144 : i == 3 ? 0 : hash.rate;
        hash.squeezing = i == 4;
        shake = hash;
        shake.digest_size = 0;
        shake.squeezing = i == 4 ? 2 : 0;
        if (i == 5) {
            cmk_sha3_wipe(&hash);
            cmk_sha3_wipe(&shake);
        }
        start = hash;
        tap_equal_number(variant->update(&hash, data, 8), CMK_ERROR_STATE, "update, damage", i);
        tap_equal_number(variant->final(&hash, digest, 32), CMK_ERROR_STATE, "final, damage", i);
        tap_equal(&hash, &start, sizeof hash, "the context of SHA-3, damage", i);
        start = shake;
        tap_equal_number(variant->squeeze(&shake, digest, 32), CMK_ERROR_STATE, "squeeze, damage", i);
        tap_equal(&shake, &start, sizeof shake, "the context of SHAKE, damage", i);
    }
    tap_end();
}

static void check_wipe(const sha3_variant *variant)
{
    static const cmk_sha3_context zero;
    uint8_t data[100];
    cmk_sha3_context context;
    fill(data, sizeof data, 116);
    (void)cmk_shake128_init(&context);
    tap_begin("sha3/wipe");
    tap_equal_number(variant->update(&context, data, sizeof data), CMK_OK, "status", 0);
    tap_equal_number(variant->squeeze(&context, data, sizeof data), CMK_OK, "status of the squeeze", 0);
    cmk_sha3_wipe(&context);
    tap_equal(&context, &zero, sizeof context, "the context after the wipe", 0);
    cmk_sha3_wipe(NULL);
    tap_end();
}

void test_sha3(const sha3_variant *variant)
{
    check_fips202(variant);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        check_lengths(variant, &functions[i]);
        check_steps(variant, &functions[i]);
        check_splits(variant, &functions[i]);
        check_placement(variant, &functions[i]);
    }
    check_known_squeeze(variant);
    check_squeezes(variant);
    check_refusals(variant);
    check_damage(variant);
    check_wipe(variant);
}
