/* SPDX-License-Identifier: MIT */
/* ECB, both directions: published vectors, every number of blocks, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_AES_BLOCK_SIZE
#define LONGEST 512

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void reference(const uint8_t *key_bytes, size_t key_length, const uint8_t *plain, uint8_t *encrypted)
{
    static uint8_t by_portable[LONGEST];
    cmk_aes_key key;
    model_aes_ecb_encrypt(key_bytes, key_length, plain, encrypted, LONGEST);
    (void)cmk_aes_set_key_portable(&key, key_bytes, key_length);
    (void)cmk_aes_ecb_encrypt_portable(&key, plain, by_portable, LONGEST);
    tap_equal(by_portable, encrypted, LONGEST, "portable and model, key length", key_length);
}

typedef struct vector {
    const char *key, *plain, *encrypted;
} vector;

static void check_vectors(const aes_variant *variant, const char *name, const vector *vectors, size_t count)
{
    tap_begin(name);
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[32], plain[64], encrypted[64], got[64];
        size_t key_length = from_hex(bytes, vectors[i].key);
        size_t length = from_hex(plain, vectors[i].plain);
        cmk_aes_key key;
        (void)from_hex(encrypted, vectors[i].encrypted);
        tap_equal_number(variant->set_key(&key, bytes, key_length), CMK_OK, "status of the key", i);
        tap_equal_number(variant->ecb_encrypt(&key, plain, got, length), CMK_OK, "status of encryption", i);
        tap_equal(got, encrypted, length, "encryption", i);
        tap_equal_number(variant->ecb_decrypt(&key, encrypted, got, length), CMK_OK, "status of decryption", i);
        tap_equal(got, plain, length, "decryption", i);
    }
    tap_end();
}

/* Appendices B and C. */
static const vector fips197[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
    {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"000102030405060708090a0b0c0d0e0f1011121314151617", "00112233445566778899aabbccddeeff",
     "dda97ca4864cdfe06eaf70a0ec0d7191"},
    {"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f", "00112233445566778899aabbccddeeff",
     "8ea2b7ca516745bfeafc49904b496089"},
};

/* Appendix F.1. */
static const vector sp800_38a[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", SP800_38A_BLOCKS,
     "3ad77bb40d7a3660a89ecaf32466ef97 f5d3d58503b9699de785895a96fdbaaf "
     "43b1cd7f598ece23881b00e3ed030688 7b0c785e27e8ad3f8223207104725dd4"},
    {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", SP800_38A_BLOCKS,
     "bd334f1d6e45f25ff712a214571fa5cc 974104846d0ad3ad7734ecb3ecee4eef "
     "ef7afd2270e2e60adce0ba2face6444e 9a4b41ba738d6c72fb16691603c18e0e"},
    {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4", SP800_38A_BLOCKS,
     "f3eed1bdb5d2a03c064b5a7e3db181f8 591ccb10d410ed26dc5ba74a31362870 "
     "b6ed21b99ca6f4f9f153e7b1beafed1d 23304b7a39f9f3ff067d8d8f9e24ecc7"},
};

/* One call, everything about it: status, output, what is around the output, and the input. */
static void check_call(aes_ecb_function *function, const cmk_aes_key *key, const uint8_t *in, const uint8_t *want,
                       uint8_t *out, size_t length, const char *what)
{
    uint8_t copy[LONGEST];
    memcpy(copy, in, length);
    canary_set(out, length);
    tap_equal_number(function(key, in, out, length), CMK_OK, "status, length", length);
    canary_check(out, want, length, what, length);
    tap_equal(in, copy, length, "the input after use, length", length);
}

/* Every number of blocks up to four batches of eight, for every key size. */
static void check_lengths(const aes_variant *variant)
{
    static uint8_t plain[LONGEST], encrypted[LONGEST], space[LONGEST + 2 * CANARY_SIZE];
    uint8_t bytes[32];
    tap_begin("aes_ecb/lengths");
    fill(plain, sizeof plain, 3);
    fill(bytes, sizeof bytes, 4);
    for (size_t key_length = 16; key_length <= 32; key_length += 8) {
        cmk_aes_key key;
        reference(bytes, key_length, plain, encrypted);
        (void)variant->set_key(&key, bytes, key_length);
        for (size_t length = 0; length <= LONGEST; length += BLOCK) {
            check_call(variant->ecb_encrypt, &key, plain, encrypted, space + CANARY_SIZE, length, "encryption");
            check_call(variant->ecb_decrypt, &key, encrypted, plain, space + CANARY_SIZE, length, "decryption");
        }
    }
    tap_end();
}

/* In place, at every offset, and against unreadable pages at both ends. */
static void check_placement(aes_ecb_function *function, const cmk_aes_key *key, const uint8_t *in,
                            const uint8_t *want)
{
    static const size_t lengths[] = {BLOCK, 7 * BLOCK, 8 * BLOCK, 9 * BLOCK, 17 * BLOCK};
    static uint8_t from[LONGEST + 16], to[LONGEST + 2 * CANARY_SIZE + 16];
    static guarded a, b;
    if (a.begin == NULL) {
        a = guarded_make();
        b = guarded_make();
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *place = to + CANARY_SIZE + 15 - offset;
            memcpy(from + offset, in, length);
            check_call(function, key, from + offset, want, place, length, "offset");
            canary_set(place, length);
            memcpy(place, in, length);
            tap_equal_number(function(key, place, place, length), CMK_OK, "status in place, length", length);
            canary_check(place, want, length, "in place, length", length);
        }
        memcpy(a.begin, in, length);
        tap_equal_number(function(key, a.begin, b.begin, length), CMK_OK, "status after a guard", length);
        tap_equal(b.begin, want, length, "after a guard, length", length);
        memcpy(a.end - length, in, length);
        tap_equal_number(function(key, a.end - length, b.end - length, length), CMK_OK, "status before a guard",
                         length);
        tap_equal(b.end - length, want, length, "before a guard, length", length);
    }
}

static void check_placements(const aes_variant *variant)
{
    static uint8_t plain[LONGEST], encrypted[LONGEST];
    uint8_t bytes[32];
    cmk_aes_key key;
    fill(plain, sizeof plain, 5);
    fill(bytes, sizeof bytes, 6);
    tap_begin("aes_ecb/placement");
    reference(bytes, sizeof bytes, plain, encrypted);
    (void)variant->set_key(&key, bytes, sizeof bytes);
    check_placement(variant->ecb_encrypt, &key, plain, encrypted);
    check_placement(variant->ecb_decrypt, &key, encrypted, plain);
    tap_end();
}

static void check_refusal(aes_ecb_function *function, const cmk_aes_key *key)
{
    uint8_t in[64], out[64], before[64];
    cmk_aes_key damaged = *key;
    fill(in, sizeof in, 7);
    fill(out, sizeof out, 8);
    memcpy(before, out, sizeof before);
    for (size_t length = 1; length < 64; length++) {
        if (length % BLOCK != 0) {
            tap_equal_number(function(key, in, out, length), CMK_ERROR_LENGTH, "length", length);
        }
    }
    for (uint32_t rounds = 0; rounds < 20; rounds++) {
        damaged.rounds = rounds;
        if (rounds != 10 && rounds != 12 && rounds != 14) {
            tap_equal_number(function(&damaged, in, out, 16), CMK_ERROR_KEY, "rounds", rounds);
        }
    }
    tap_equal_number(function(NULL, in, out, 16), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(function(NULL, in, out, 0), CMK_ERROR_NULL, "no key, length", 0);
    tap_equal_number(function(key, NULL, out, 16), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(function(key, in, NULL, 16), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(function(key, NULL, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
}

static void check_refusals(const aes_variant *variant)
{
    uint8_t bytes[16];
    cmk_aes_key key;
    fill(bytes, sizeof bytes, 9);
    (void)variant->set_key(&key, bytes, sizeof bytes);
    tap_begin("aes_ecb/refusals");
    check_refusal(variant->ecb_encrypt, &key);
    check_refusal(variant->ecb_decrypt, &key);
    tap_end();
}

void test_aes_ecb(const aes_variant *variant)
{
    check_vectors(variant, "aes_ecb/fips197", fips197, sizeof fips197 / sizeof fips197[0]);
    check_vectors(variant, "aes_ecb/sp800_38a", sp800_38a, sizeof sp800_38a / sizeof sp800_38a[0]);
    check_lengths(variant);
    check_placements(variant);
    check_refusals(variant);
}
