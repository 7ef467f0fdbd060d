/* SPDX-License-Identifier: MIT */
/* The names for ChaCha20 and Poly1305, called as wolfSSL's C calls them. */
#include "tests.h"

#if ANY_KERNEL

#include <string.h>

#define LONGEST 650

static uint8_t key[32], nonce[12], data[LONGEST];
static uint8_t space[LONGEST + 2 * CANARY_SIZE];
static uint8_t *const out = space + CANARY_SIZE;

static void prepare(void)
{
    fill(key, sizeof key, 21);
    fill(nonce, sizeof nonce, 22);
    fill(data, sizeof data, 23);
}

/* ---- ChaCha20 ---------------------------------------------------------------------------------------------- */

static void check_chacha_state(void)
{
    static const word32 constants[2][4] = {{0x61707865, 0x3120646e, 0x79622d36, 0x6b206574},
                                           {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}};
    tap_begin("chacha/state");
    tap_equal_number(sizeof(ChaCha), 132, "the structure's size", 0);
    for (word32 size = 16; size <= 32; size += 16) {
        word32 want[16], got[16];
        memcpy(want, constants[size / 16 - 1], sizeof constants[0]);
        for (size_t i = 0; i < 11; i++) {
            const uint8_t *from = i < 8 ? key + 4 * i % size : nonce + 4 * (i - 8);
            want[i < 8 ? 4 + i : 5 + i] =
                (word32)from[0] | (word32)from[1] << 8 | (word32)from[2] << 16 | (word32)from[3] << 24;
        }
        want[12] = 0xfedcba98;
        memset(got, 0xa5, sizeof got);
        wc_chacha_setkey(got, key, size);
        wc_chacha_setiv(got, nonce, 0xfedcba98);
        tap_equal(got, want, sizeof got, "key size", size);
    }
    tap_end();
}

/* From a counter that wraps after some blocks; and what stays for the next call. */
static void check_chacha_lengths(void)
{
    tap_begin("chacha/lengths");
    for (word32 length = 1; length < LONGEST - 64; length++) {
        const word32 counter = 0xffffffff - length % 11, part = length % 64;
        const word32 rounded = (length + 63) / 64 * 64;
        const uint8_t zero[LONGEST + 64] = {0};
        uint8_t want[LONGEST], keystream[LONGEST + 64];
        ChaCha chacha;
        memset(&chacha, 0, sizeof chacha);
        wc_chacha_setkey(chacha.X, key, 32);
        wc_chacha_setiv(chacha.X, nonce, counter);
        model_chacha20(key, nonce, counter, data, want, length);
        model_chacha20(key, nonce, counter, zero, keystream, rounded);
        canary_set(out, length);
        if (length % 2 == 0) {
            memcpy(out, data, length);
        }
        wc_chacha_crypt_bytes(&chacha, out, length % 2 == 0 ? out : data, length);
        canary_check(out, want, length, "length", length);
        tap_equal_number(chacha.left, part == 0 ? 0 : 64 - part, "bytes left, length", length);
        tap_equal_number(chacha.X[12] == counter + rounded / 64, 1, "the counter, length", length);
        if (part != 0) {
            tap_equal(chacha.over, keystream + rounded - 64, 64, "the block of keystream, length", length);
            wc_chacha_use_over((byte *)chacha.over + part, out, data, 64 - part);
            for (word32 i = 0; i < 64 - part; i++) {
                want[i] = (uint8_t)(data[i] ^ keystream[rounded - 64 + part + i]);
            }
            tap_equal(out, want, 64 - part, "the rest of the block, length", length);
        }
    }
    tap_end();
}

void test_chacha_arm64(void)
{
    prepare();
    check_chacha_state();
    check_chacha_lengths();
}

/* ---- Poly1305 ---------------------------------------------------------------------------------------------- */

/* Whole blocks at once or in two calls, then a block that wolfSSL has padded. */
static void poly1305(const uint8_t *message, size_t length, size_t first, uint8_t *tag)
{
    const size_t tail = length % 16, whole = length - tail;
    uint8_t last[16] = {0};
    Poly1305 poly;
    memset(&poly, 0xa5, sizeof poly);
    poly1305_set_key(&poly, key);
    poly.finished = 0;
    if (first != 0) {
        poly1305_arm64_blocks(&poly, message, first);
    }
    if (first != whole) {
        poly1305_arm64_blocks(&poly, message + first, whole - first);
    }
    if (tail != 0) {
        memcpy(last, message + whole, tail);
        last[tail] = 1;
        poly.finished = 1;
        poly1305_arm64_block_16(&poly, last);
    }
    poly1305_final(&poly, tag);
}

static void check_poly1305_lengths(void)
{
    tap_begin("poly1305/lengths");
    for (size_t length = 0; length < LONGEST; length++) {
        uint8_t want[16], tag_space[16 + 2 * CANARY_SIZE];
        uint8_t *tag = tag_space + CANARY_SIZE;
        model_poly1305(key, data, length, want);
        canary_set(tag, 16);
        poly1305(data, length, length % 3 == 0 ? 0 : length / 3 / 16 * 16, tag);
        canary_check(tag, want, 16, "length", length);
    }
    tap_end();
}

/* A block that is not the last one, by the name for one block; and limbs that are as large as they can be. */
static void check_poly1305_blocks(void)
{
    uint8_t want[16], tag[16], extreme[LONGEST];
    Poly1305 poly;
    tap_begin("poly1305/blocks");
    tap_equal_number(sizeof(Poly1305), 168, "the structure's size", 0);
    memset(&poly, 0, sizeof poly);
    poly1305_set_key(&poly, key);
    poly1305_arm64_block_16(&poly, data);
    poly1305_final(&poly, tag);
    model_poly1305(key, data, 16, want);
    tap_equal(tag, want, 16, "one block", 0);
    memset(key, 0xff, sizeof key);
    memset(extreme, 0xff, sizeof extreme);
    for (size_t length = 16; length <= LONGEST - 10; length += 16) {
        model_poly1305(key, extreme, length, want);
        poly1305(extreme, length, 0, tag);
        tap_equal(tag, want, 16, "all ones, length", length);
    }
    tap_end();
}

/* Of the key and the message nothing stays. */
static void check_poly1305_wipe(void)
{
    static const Poly1305 zero;
    Poly1305 poly;
    uint8_t tag[16];
    tap_begin("poly1305/wipe");
    memset(&poly, 0, sizeof poly);
    poly1305_set_key(&poly, key);
    poly1305_arm64_blocks(&poly, data, 16);
    poly1305_final(&poly, tag);
    tap_equal(&poly, &zero, sizeof poly, "the structure afterwards", 0);
    tap_end();
}

void test_poly1305_arm64(void)
{
    prepare();
    check_poly1305_lengths();
    check_poly1305_blocks();
    check_poly1305_wipe();
}

#else

/* ISO C wants a declaration in every file. */
typedef int test_chacha_not_built;

#endif
