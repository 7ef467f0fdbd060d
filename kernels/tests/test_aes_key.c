/* SPDX-License-Identifier: MIT */
/* Key schedules: FIPS 197 appendix A, any key against the model, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

/* The last round key of appendices A.1 to A.3. */
static void check_fips197(const aes_variant *variant)
{
    static const struct {
        const char *key, *last;
    } vectors[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c", "d014f9a8c9ee2589e13f0cc8b6630ca6"},
        {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b", "e98ba06f448c773c8ecc720401002202"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "fe4890d1e6188d0b046df344706c631e"},
    };
    tap_begin("aes_key/fips197");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t bytes[32], last[16];
        size_t length = from_hex(bytes, vectors[i].key);
        cmk_aes_key key;
        from_hex(last, vectors[i].last);
        tap_equal_number(variant->set_key(&key, bytes, length), CMK_OK, "status, key length", length);
        tap_equal(key.encrypt + 16 * (length / 4 + 6), last, 16, "last round key, key length", length);
    }
    tap_end();
}

/* Every byte of the schedules, for keys at every offset; what is not used is zero. */
static void check_model(const aes_variant *variant)
{
    uint8_t space[48], copy[48];
    tap_begin("aes_key/model");
    for (size_t length = 16; length <= 32; length += 8) {
        for (size_t offset = 0; offset < 16; offset++) {
            cmk_aes_key got, want;
            fill(space, sizeof space, (uint32_t)(length + offset));
            memcpy(copy, space, sizeof space);
            memset(&got, 0x5a, sizeof got);
            want.rounds = model_aes_key(want.encrypt, want.decrypt, space + offset, length);
            tap_equal_number(variant->set_key(&got, space + offset, length), CMK_OK, "status, offset", offset);
            tap_equal(got.encrypt, want.encrypt, sizeof want.encrypt, "encryption keys, offset", offset);
            tap_equal(got.decrypt, want.decrypt, sizeof want.decrypt, "decryption keys, offset", offset);
            tap_equal_number(got.rounds, want.rounds, "rounds, offset", offset);
            tap_equal(space, copy, sizeof space, "the caller's key after use, offset", offset);
        }
    }
    tap_end();
}

static void check_refusals(const aes_variant *variant)
{
    uint8_t bytes[64];
    cmk_aes_key key, before;
    fill(bytes, sizeof bytes, 1);
    memset(&before, 0x5a, sizeof before);
    key = before;
    tap_begin("aes_key/refusals");
    for (size_t length = 0; length <= 64; length++) {
        if (length != 16 && length != 24 && length != 32) {
            tap_equal_number(variant->set_key(&key, bytes, length), CMK_ERROR_LENGTH, "key length", length);
            tap_equal(&key, &before, sizeof key, "the context after key length", length);
        }
    }
    tap_equal_number(variant->set_key(NULL, bytes, 16), CMK_ERROR_NULL, "no context", 0);
    tap_equal_number(variant->set_key(&key, NULL, 16), CMK_ERROR_NULL, "no key", 0);
    tap_equal(&key, &before, sizeof key, "the context after no key", 0);
    tap_end();
}

/* Once more as an all-zero context, in the way that the compiler may not leave out. */
static void check_wipe(const aes_variant *variant)
{
    static const cmk_aes_key zero;
    uint8_t bytes[16];
    cmk_aes_key key;
    fill(bytes, sizeof bytes, 2);
    tap_begin("aes_key/wipe");
    tap_equal_number(variant->set_key(&key, bytes, sizeof bytes), CMK_OK, "status", 0);
    cmk_aes_key_wipe(&key);
    tap_equal(&key, &zero, sizeof key, "the context after the wipe", 0);
    cmk_aes_key_wipe(NULL);
    tap_end();
}

void test_aes_key(const aes_variant *variant)
{
    check_fips197(variant);
    check_model(variant);
    check_refusals(variant);
    check_wipe(variant);
}
