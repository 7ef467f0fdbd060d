/* SPDX-License-Identifier: MIT */
/* XTS, both directions: published vectors, every length with and without stealing, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_AES_BLOCK_SIZE
#define LONGEST 600

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const uint8_t *bytes, size_t key_length, const uint8_t *tweak, const uint8_t *plain,
                      uint8_t *encrypted, size_t length)
{
    static uint8_t by_portable[LONGEST];
    cmk_aes_xts_key key;
    model_aes_xts_encrypt(bytes, key_length, tweak, plain, encrypted, length);
    (void)cmk_aes_xts_set_key_portable(&key, bytes, key_length);
    (void)cmk_aes_xts_encrypt_portable(&key, tweak, plain, by_portable, length);
    tap_equal(by_portable, encrypted, length, "portable and model, length", length);
}

/* IEEE 1619 annex B: vectors 2, 3 and, with stealing, 15 to 18. */
static void check_ieee1619(const xts_variant *variant)
{
    static const struct {
        const char *key, *tweak, *plain, *encrypted;
    } vectors[] = {
        {"11111111111111111111111111111111 22222222222222222222222222222222", "33333333330000000000000000000000",
         "4444444444444444444444444444444444444444444444444444444444444444",
         "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0"},
        {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 22222222222222222222222222222222", "33333333330000000000000000000000",
         "4444444444444444444444444444444444444444444444444444444444444444",
         "af85336b597afc1a900b2eb21ec949d292df4c047e0b21532186a5971a227a89"},
        {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a785634120000000000000000000000",
         "000102030405060708090a0b0c0d0e0f10", "6c1625db4671522d3d7599601de7ca09ed"},
        {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a785634120000000000000000000000",
         "000102030405060708090a0b0c0d0e0f1011", "d069444b7a7e0cab09e24447d24deb1fedbf"},
        {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a785634120000000000000000000000",
         "000102030405060708090a0b0c0d0e0f101112", "e5df1351c0544ba1350b3363cd8ef4beedbf9d"},
        {"fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0 bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a785634120000000000000000000000",
         "000102030405060708090a0b0c0d0e0f10111213", "9d84c813f719aa2c7be3f66171c7c5c2edbf9dac"},
    };
    tap_begin("aes_xts/ieee1619");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t bytes[64], tweak[BLOCK], plain[32], encrypted[32], got[32];
        size_t key_length = from_hex(bytes, vectors[i].key);
        size_t length = from_hex(plain, vectors[i].plain);
        cmk_aes_xts_key key;
        (void)from_hex(tweak, vectors[i].tweak);
        (void)from_hex(encrypted, vectors[i].encrypted);
        tap_equal_number(variant->set_key(&key, bytes, key_length), CMK_OK, "status of the key", i);
        tap_equal_number(variant->encrypt(&key, tweak, plain, got, length), CMK_OK, "status of encryption", i);
        tap_equal(got, encrypted, length, "encryption", i);
        tap_equal_number(variant->decrypt(&key, tweak, encrypted, got, length), CMK_OK, "status of decryption", i);
        tap_equal(got, plain, length, "decryption", i);
    }
    tap_end();
}

/* Every byte of the three schedules. */
static void check_key(const xts_variant *variant)
{
    uint8_t bytes[64], unused[CMK_AES_SCHEDULE_SIZE];
    tap_begin("aes_xts/key");
    fill(bytes, sizeof bytes, 1);
    for (size_t length = 32; length <= 64; length += 32) {
        cmk_aes_xts_key got, want;
        memset(&got, 0x5a, sizeof got);
        want.rounds = model_aes_key(want.encrypt, want.decrypt, bytes, length / 2);
        (void)model_aes_key(want.tweak, unused, bytes + length / 2, length / 2);
        tap_equal_number(variant->set_key(&got, bytes, length), CMK_OK, "status, length", length);
        tap_equal(got.encrypt, want.encrypt, sizeof want.encrypt, "encryption keys, length", length);
        tap_equal(got.decrypt, want.decrypt, sizeof want.decrypt, "decryption keys, length", length);
        tap_equal(got.tweak, want.tweak, sizeof want.tweak, "keys of the tweak, length", length);
        tap_equal_number(got.rounds, want.rounds, "rounds, length", length);
    }
    tap_end();
}

/* One call, everything about it: status, output, what is around the output, and the input. */
static void check_call(aes_xts_function *function, const cmk_aes_xts_key *key, const uint8_t *tweak,
                       const uint8_t *in, const uint8_t *want, size_t length, const char *what)
{
    static uint8_t space[LONGEST + 2 * CANARY_SIZE];
    uint8_t copy[LONGEST], start[BLOCK];
    memcpy(copy, in, length);
    memcpy(start, tweak, BLOCK);
    canary_set(space + CANARY_SIZE, length);
    tap_equal_number(function(key, tweak, in, space + CANARY_SIZE, length), CMK_OK, "status, length", length);
    canary_check(space + CANARY_SIZE, want, length, what, length);
    tap_equal(in, copy, length, "the input after use, length", length);
    tap_equal(tweak, start, BLOCK, "the tweak after use, length", length);
}

/* Many lengths, each with a tweak of its own, so that carries fall everywhere. */
static void check_lengths(const xts_variant *variant)
{
    uint8_t bytes[64], tweak[BLOCK];
    static uint8_t plain[LONGEST], encrypted[LONGEST];
    cmk_aes_xts_key keys[2];
    fill(bytes, sizeof bytes, 2);
    fill(plain, sizeof plain, 3);
    (void)variant->set_key(&keys[0], bytes, 32);
    (void)variant->set_key(&keys[1], bytes, 64);
    tap_begin("aes_xts/lengths");
    for (size_t length = BLOCK; length < 580; length++) {
        const size_t which = length / 3 % 2;
        if (length >= 50 && length % 16 > 1 && length % 13 != 0) {
            continue;
        }
        fill(tweak, sizeof tweak, (uint32_t)length);
        reference(bytes, 32 + 32 * which, tweak, plain, encrypted, length);
        check_call(variant->encrypt, &keys[which], tweak, plain, encrypted, length, "encryption, length");
        check_call(variant->decrypt, &keys[which], tweak, encrypted, plain, length, "decryption, length");
    }
    tap_end();
}

/* In place, data and tweak at every offset, and against unreadable pages at both ends. */
static void check_placement(aes_xts_function *function, const cmk_aes_xts_key *key, const uint8_t *tweak,
                            const uint8_t *in, const uint8_t *want, size_t length)
{
    static uint8_t from[LONGEST + 16], to[LONGEST + 2 * CANARY_SIZE + 16];
    static guarded a, b;
    uint8_t moved[BLOCK + 16];
    if (a.begin == NULL) {
        a = guarded_make();
        b = guarded_make();
    }
    for (size_t offset = 0; offset < 16; offset++) {
        uint8_t *place = to + CANARY_SIZE + 15 - offset;
        memcpy(from + offset, in, length);
        memcpy(moved + offset, tweak, BLOCK);
        canary_set(place, length);
        (void)function(key, moved + offset, from + offset, place, length);
        canary_check(place, want, length, "offset", offset);
        canary_set(place, length);
        memcpy(place, in, length);
        tap_equal_number(function(key, tweak, place, place, length), CMK_OK, "status in place, length", length);
        canary_check(place, want, length, "in place, length", length);
    }
    memcpy(a.begin, in, length);
    (void)function(key, tweak, a.begin, b.begin, length);
    tap_equal(b.begin, want, length, "after a guard, length", length);
    memcpy(a.end - length, in, length);
    (void)function(key, tweak, a.end - length, b.end - length, length);
    tap_equal(b.end - length, want, length, "before a guard, length", length);
    memcpy(b.end - BLOCK, tweak, BLOCK);
    (void)function(key, b.end - BLOCK, a.end - length, to, length);
    tap_equal(to, want, length, "the tweak before a guard, length", length);
}

static void check_placements(const xts_variant *variant)
{
    static const size_t lengths[] = {16, 17, 31, 127, 128, 129, 144, 145, 287};
    uint8_t bytes[64], tweak[BLOCK];
    static uint8_t plain[LONGEST], encrypted[LONGEST];
    cmk_aes_xts_key key;
    fill(bytes, sizeof bytes, 4);
    fill(tweak, sizeof tweak, 5);
    fill(plain, sizeof plain, 6);
    (void)variant->set_key(&key, bytes, 64);
    tap_begin("aes_xts/placement");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        reference(bytes, 64, tweak, plain, encrypted, lengths[i]);
        check_placement(variant->encrypt, &key, tweak, plain, encrypted, lengths[i]);
        check_placement(variant->decrypt, &key, tweak, encrypted, plain, lengths[i]);
    }
    tap_end();
}

static void check_key_refusals(const xts_variant *variant)
{
    uint8_t bytes[80];
    cmk_aes_xts_key key, before;
    fill(bytes, sizeof bytes, 7);
    memset(&before, 0x5a, sizeof before);
    key = before;
    for (size_t length = 0; length <= 80; length++) {
        if (length != 32 && length != 64) {
            tap_equal_number(variant->set_key(&key, bytes, length), CMK_ERROR_LENGTH, "key length", length);
        }
    }
    tap_equal_number(variant->set_key(NULL, bytes, 32), CMK_ERROR_NULL, "no key to set", 0);
    tap_equal_number(variant->set_key(&key, NULL, 32), CMK_ERROR_NULL, "no bytes", 0);
    for (size_t half = 16; half <= 32; half += 16) {
        memcpy(bytes + half, bytes, half);
        tap_equal_number(variant->set_key(&key, bytes, 2 * half), CMK_ERROR_KEY, "equal halves of", half);
    }
    tap_equal(&key, &before, sizeof key, "the key after refusals", 0);
    bytes[63] ^= 0x80;
    tap_equal_number(variant->set_key(&key, bytes, 64), CMK_OK, "halves that differ in one bit", 0);
}

static void check_refusal(aes_xts_function *function, const cmk_aes_xts_key *key)
{
    uint8_t in[64], out[64], before[64], tweak[BLOCK];
    cmk_aes_xts_key damaged = *key;
    fill(in, sizeof in, 8);
    fill(out, sizeof out, 9);
    fill(tweak, sizeof tweak, 10);
    memcpy(before, out, sizeof before);
    for (size_t length = 0; length < BLOCK; length++) {
        tap_equal_number(function(key, tweak, in, out, length), CMK_ERROR_LENGTH, "length", length);
    }
    tap_equal_number(function(key, tweak, NULL, NULL, 0), CMK_ERROR_LENGTH, "no buffers, length", 0);
    tap_equal_number(function(key, tweak, in, out, CMK_AES_XTS_MAX_LENGTH + 1), CMK_ERROR_LENGTH, "too long by", 1);
    tap_equal_number(function(key, tweak, in, out, (size_t)-1), CMK_ERROR_LENGTH, "the greatest length", 0);
    for (uint32_t rounds = 0; rounds < 20; rounds++) {
        damaged.rounds = rounds;
        if (rounds != 10 && rounds != 14) {
            tap_equal_number(function(&damaged, tweak, in, out, 16), CMK_ERROR_KEY, "rounds", rounds);
        }
    }
    tap_equal_number(function(NULL, tweak, in, out, 16), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(function(key, NULL, in, out, 16), CMK_ERROR_NULL, "no tweak", 0);
    tap_equal_number(function(key, tweak, NULL, out, 16), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(function(key, tweak, in, NULL, 16), CMK_ERROR_NULL, "no output", 0);
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
}

static void check_refusals(const xts_variant *variant)
{
    static const cmk_aes_xts_key zero;
    uint8_t bytes[32];
    cmk_aes_xts_key key;
    tap_begin("aes_xts/refusals");
    check_key_refusals(variant);
    fill(bytes, sizeof bytes, 11);
    (void)variant->set_key(&key, bytes, sizeof bytes);
    check_refusal(variant->encrypt, &key);
    check_refusal(variant->decrypt, &key);
    cmk_aes_xts_key_wipe(&key);
    tap_equal(&key, &zero, sizeof key, "the key after the wipe", 0);
    cmk_aes_xts_key_wipe(NULL);
    tap_end();
}

void test_aes_xts(const xts_variant *variant)
{
    check_ieee1619(variant);
    check_key(variant);
    check_lengths(variant);
    check_placements(variant);
    check_refusals(variant);
}
