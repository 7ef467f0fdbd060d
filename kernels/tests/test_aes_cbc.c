/* SPDX-License-Identifier: MIT */
/* CBC, both directions: published vectors, every number of blocks, every split, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define BLOCK CMK_AES_BLOCK_SIZE
#define LONGEST ((size_t)255 * BLOCK)

/* A key and a message under it. */
typedef struct message {
    uint8_t bytes[32];
    size_t key_length;
    uint8_t iv[BLOCK];
    cmk_aes_key key;
    uint8_t plain[LONGEST];
    uint8_t encrypted[LONGEST];
} message;

/* By the model, which the portable variant must agree with: the variants share a front end, the model does not. */
static void make_message(const aes_variant *variant, message *m, size_t key_length, uint32_t seed, size_t length)
{
    static uint8_t by_portable[LONGEST];
    uint8_t iv[BLOCK];
    cmk_aes_key key;
    fill(m->bytes, sizeof m->bytes, seed);
    fill(m->iv, sizeof m->iv, seed + 1);
    fill(m->plain, length, seed + 2);
    m->key_length = key_length;
    (void)variant->set_key(&m->key, m->bytes, key_length);
    model_aes_cbc_encrypt(m->bytes, key_length, m->iv, m->plain, m->encrypted, length);
    (void)cmk_aes_set_key_portable(&key, m->bytes, key_length);
    memcpy(iv, m->iv, BLOCK);
    (void)cmk_aes_cbc_encrypt_portable(&key, iv, m->plain, by_portable, length);
    tap_equal(by_portable, m->encrypted, length, "portable and model, key length", key_length);
}

/* One direction of a message. */
typedef struct direction {
    aes_cbc_function *function;
    const message *m;
    const uint8_t *in, *out;
    const char *what;
} direction;

static direction encryption(const aes_variant *variant, const message *m)
{
    direction way = {variant->cbc_encrypt, m, m->plain, m->encrypted, "encryption, length"};
    return way;
}

static direction decryption(const aes_variant *variant, const message *m)
{
    direction way = {variant->cbc_decrypt, m, m->encrypted, m->plain, "decryption, length"};
    return way;
}

/* The vector that goes on after `length` bytes. */
static const uint8_t *next_iv(const direction *way, size_t length)
{
    return length == 0 ? way->m->iv : way->m->encrypted + length - BLOCK;
}

/* ---- published vectors ---------------------------------------------------------------------------------- */

/* Appendix F.2. */
static void check_sp800_38a(const aes_variant *variant)
{
    static const struct {
        const char *key, *encrypted;
    } vectors[] = {
        {"2b7e151628aed2a6abf7158809cf4f3c",
         "7649abac8119b246cee98e9b12e9197d 5086cb9b507219ee95db113a917678b2 "
         "73bed6b8e3c1743b7116e69e22229516 3ff1caa1681fac09120eca307586e1a7"},
        {"8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
         "4f021db243bc633d7178183a9fa071e8 b4d9ada9ad7dedf4e5e738763f69145a "
         "571b242012fb7ae07fa9baac3df102e0 08b0e27988598881d920a9e64f5615cd"},
        {"603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
         "f58c4c04d6e5f1ba779eabfb5f7bfbd6 9cfc4e967edb808d679f777bc6702c7d "
         "39f23369a9d9bacfa530e26304231461 b2eb05e2c39be9fcda6c19078c6a9d1b"},
    };
    uint8_t start[BLOCK], plain[64];
    (void)from_hex(start, "000102030405060708090a0b0c0d0e0f");
    (void)from_hex(plain, SP800_38A_BLOCKS);
    tap_begin("aes_cbc/sp800_38a");
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        uint8_t bytes[32], iv[BLOCK], encrypted[64], got[64];
        size_t key_length = from_hex(bytes, vectors[i].key);
        cmk_aes_key key;
        (void)from_hex(encrypted, vectors[i].encrypted);
        (void)variant->set_key(&key, bytes, key_length);
        memcpy(iv, start, BLOCK);
        tap_equal_number(variant->cbc_encrypt(&key, iv, plain, got, 64), CMK_OK, "status, key length", key_length);
        tap_equal(got, encrypted, 64, "encryption, key length", key_length);
        tap_equal(iv, encrypted + 48, BLOCK, "the next vector after encryption, key length", key_length);
        memcpy(iv, start, BLOCK);
        tap_equal_number(variant->cbc_decrypt(&key, iv, encrypted, got, 64), CMK_OK, "status, key length", key_length);
        tap_equal(got, plain, 64, "decryption, key length", key_length);
        tap_equal(iv, encrypted + 48, BLOCK, "the next vector after decryption, key length", key_length);
    }
    tap_end();
}

/* ---- against the reference ------------------------------------------------------------------------------ */

static void check_length(const direction *way, size_t length)
{
    static uint8_t space[LONGEST + 2 * CANARY_SIZE], copy[LONGEST], after[CANARY_SIZE];
    uint8_t *out = space + CANARY_SIZE;
    uint8_t iv[BLOCK];
    memcpy(copy, way->in, LONGEST);
    memcpy(iv, way->m->iv, BLOCK);
    canary_set(out, length);
    memcpy(after, out + length, sizeof after);
    tap_equal_number(way->function(&way->m->key, iv, way->in, out, length), CMK_OK, "status, length", length);
    if (length <= CANARY_LENGTH) {
        canary_check(out, way->out, length, way->what, length);
    } else {
        tap_equal(out, way->out, length, way->what, length);
        tap_equal(out + length, after, sizeof after, "what comes after the output, length", length);
    }
    tap_equal(iv, next_iv(way, length), BLOCK, "the next vector, length", length);
    tap_equal(way->in, copy, LONGEST, "the input after use, length", length);
}

/* Numbers of blocks around every batch, with the three key sizes in turn. */
static void check_lengths(const aes_variant *variant)
{
    static message m[3];
    tap_begin("aes_cbc/lengths");
    for (size_t i = 0; i < 3; i++) {
        make_message(variant, &m[i], 16 + 8 * i, (uint32_t)(20 + i), LONGEST);
    }
    for (size_t i = 0; i <= 38; i++) {
        size_t blocks = i <= 36 ? i : i == 37 ? 127 : 255;
        direction encrypt = encryption(variant, &m[i % 3]), decrypt = decryption(variant, &m[i % 3]);
        check_length(&encrypt, blocks * BLOCK);
        check_length(&decrypt, blocks * BLOCK);
    }
    tap_end();
}

/* Calls of one, two, three... blocks, each beginning with the vector that the one before left. */
static void check_split(const direction *way, size_t first, size_t total)
{
    static uint8_t got[LONGEST];
    uint8_t iv[BLOCK];
    memcpy(iv, way->m->iv, BLOCK);
    (void)way->function(&way->m->key, iv, way->in, got, first);
    tap_equal(iv, next_iv(way, first), BLOCK, "the vector after the first call, length", first);
    (void)way->function(&way->m->key, iv, way->in + first, got + first, total - first);
    tap_equal(got, way->out, total, "two calls, the first of length", first);
    tap_equal(iv, next_iv(way, total), BLOCK, "the vector after the second call, first length", first);
}

static void check_splits(const aes_variant *variant)
{
    static message m;
    tap_begin("aes_cbc/splits");
    make_message(variant, &m, 32, 30, (size_t)20 * BLOCK);
    for (size_t at = 0; at <= 20; at++) {
        direction encrypt = encryption(variant, &m), decrypt = decryption(variant, &m);
        check_split(&encrypt, at * BLOCK, (size_t)20 * BLOCK);
        check_split(&decrypt, at * BLOCK, (size_t)20 * BLOCK);
    }
    tap_end();
}

/* In place, data and vector at every offset, and against unreadable pages at both ends. */
static void check_placement(const direction *way)
{
    static const size_t lengths[] = {BLOCK, 7 * BLOCK, 8 * BLOCK, 9 * BLOCK, 17 * BLOCK};
    static uint8_t from[LONGEST], to[LONGEST];
    static guarded a, b;
    if (a.begin == NULL) {
        a = guarded_make();
        b = guarded_make();
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        uint8_t iv[BLOCK + 16];
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *place = to + CANARY_SIZE + 15 - offset;
            memcpy(from + offset, way->in, length);
            canary_set(place, length);
            memcpy(iv + offset, way->m->iv, BLOCK);
            (void)way->function(&way->m->key, iv + offset, from + offset, place, length);
            canary_check(place, way->out, length, "offset", offset);
            canary_set(place, length);
            memcpy(place, way->in, length);
            memcpy(iv + offset, way->m->iv, BLOCK);
            (void)way->function(&way->m->key, iv + offset, place, place, length);
            canary_check(place, way->out, length, "in place, length", length);
            tap_equal(iv + offset, next_iv(way, length), BLOCK, "the vector in place, offset", offset);
        }
        memcpy(a.begin, way->in, length);
        memcpy(iv, way->m->iv, BLOCK);
        (void)way->function(&way->m->key, iv, a.begin, b.begin, length);
        tap_equal(b.begin, way->out, length, "after a guard, length", length);
        memcpy(a.end - length, way->in, length);
        memcpy(iv, way->m->iv, BLOCK);
        (void)way->function(&way->m->key, iv, a.end - length, b.end - length, length);
        tap_equal(b.end - length, way->out, length, "before a guard, length", length);
        memcpy(b.end - BLOCK, way->m->iv, BLOCK);
        (void)way->function(&way->m->key, b.end - BLOCK, a.end - length, to, length);
        tap_equal(to, way->out, length, "the vector before a guard, length", length);
    }
}

static void check_placements(const aes_variant *variant)
{
    static message m;
    direction encrypt, decrypt;
    tap_begin("aes_cbc/placement");
    make_message(variant, &m, 16, 40, (size_t)20 * BLOCK);
    encrypt = encryption(variant, &m);
    decrypt = decryption(variant, &m);
    check_placement(&encrypt);
    check_placement(&decrypt);
    tap_end();
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

static void check_refusal(aes_cbc_function *function, const cmk_aes_key *key)
{
    uint8_t in[64], out[64], before[64], iv[BLOCK], start[BLOCK];
    cmk_aes_key damaged = *key;
    fill(in, sizeof in, 50);
    fill(out, sizeof out, 51);
    fill(iv, sizeof iv, 52);
    memcpy(before, out, sizeof before);
    memcpy(start, iv, sizeof start);
    for (size_t length = 1; length < 64; length++) {
        if (length % BLOCK != 0) {
            tap_equal_number(function(key, iv, in, out, length), CMK_ERROR_LENGTH, "length", length);
        }
    }
    for (uint32_t rounds = 0; rounds < 20; rounds++) {
        damaged.rounds = rounds;
        if (rounds != 10 && rounds != 12 && rounds != 14) {
            tap_equal_number(function(&damaged, iv, in, out, 16), CMK_ERROR_KEY, "rounds", rounds);
        }
    }
    tap_equal_number(function(NULL, iv, in, out, 16), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(function(NULL, iv, in, out, 0), CMK_ERROR_NULL, "no key, length", 0);
    tap_equal_number(function(key, NULL, in, out, 16), CMK_ERROR_NULL, "no vector", 0);
    tap_equal_number(function(key, NULL, in, out, 0), CMK_ERROR_NULL, "no vector, length", 0);
    tap_equal_number(function(key, iv, NULL, out, 16), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(function(key, iv, in, NULL, 16), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(function(key, iv, NULL, NULL, 0), CMK_OK, "nothing to do", 0);
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
    tap_equal(iv, start, sizeof iv, "the vector after refusals", 0);
}

static void check_refusals(const aes_variant *variant)
{
    uint8_t bytes[16];
    cmk_aes_key key;
    fill(bytes, sizeof bytes, 53);
    (void)variant->set_key(&key, bytes, sizeof bytes);
    tap_begin("aes_cbc/refusals");
    check_refusal(variant->cbc_encrypt, &key);
    check_refusal(variant->cbc_decrypt, &key);
    tap_end();
}

void test_aes_cbc(const aes_variant *variant)
{
    check_sp800_38a(variant);
    check_lengths(variant);
    check_splits(variant);
    check_placements(variant);
    check_refusals(variant);
}
