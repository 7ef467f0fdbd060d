/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305: published vectors, every length, additional data of many lengths, in place, every forgery of a
 * bit, refusals. */
#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define KEY CMK_CHACHA20_POLY1305_KEY_SIZE
#define NONCE CMK_CHACHA20_POLY1305_NONCE_SIZE
#define TAG CMK_CHACHA20_POLY1305_TAG_SIZE
#define LONGEST 1100

/* A message and what becomes of it. */
typedef struct message {
    uint8_t key[KEY], nonce[NONCE], aad[LONGEST], plain[LONGEST], encrypted[LONGEST], tag[TAG];
    size_t aad_length, length;
} message;

/* By the model, which the portable variant must agree with. */
static void make_message(message *m, size_t aad_length, size_t length, uint32_t seed)
{
    static uint8_t by_portable[LONGEST];
    uint8_t tag[TAG];
    fill(m->key, KEY, seed);
    fill(m->nonce, NONCE, seed + 1);
    fill(m->aad, aad_length, seed + 2);
    fill(m->plain, length, seed + 3);
    m->aad_length = aad_length;
    m->length = length;
    model_chacha20_poly1305(m->key, m->nonce, m->aad, aad_length, m->plain, m->encrypted, length, m->tag);
    (void)cmk_chacha20_poly1305_encrypt_portable(m->key, m->nonce, m->aad, aad_length, m->plain, by_portable, length,
                                                 tag);
    tap_equal(by_portable, m->encrypted, length, "portable and model, length", length);
    tap_equal(tag, m->tag, TAG, "tag of portable and model, length", length);
}

static cmk_status encrypt(const chacha20_poly1305_variant *variant, const message *m, const uint8_t *in, uint8_t *out,
                          uint8_t *tag)
{
    return variant->encrypt(m->key, m->nonce, m->aad, m->aad_length, in, out, m->length, tag);
}

static cmk_status decrypt(const chacha20_poly1305_variant *variant, const message *m, const uint8_t *in, uint8_t *out,
                          const uint8_t *tag)
{
    return variant->decrypt(m->key, m->nonce, m->aad, m->aad_length, in, out, m->length, tag);
}

/* Both directions, with known bytes around the output. */
static void check_message(const chacha20_poly1305_variant *variant, const message *m, const char *what, size_t number)
{
    static uint8_t space[LONGEST + 2 * CANARY_SIZE];
    uint8_t *out = space + CANARY_SIZE, tag[TAG];
    canary_set(out, m->length);
    tap_equal_number(encrypt(variant, m, m->plain, out, tag), CMK_OK, what, number);
    canary_check(out, m->encrypted, m->length, what, number);
    tap_equal(tag, m->tag, TAG, what, number);
    canary_set(out, m->length);
    tap_equal_number(decrypt(variant, m, m->encrypted, out, m->tag), CMK_OK, what, number);
    canary_check(out, m->plain, m->length, what, number);
}

/* ---- published vectors -------------------------------------------------------------------------------- */

/* RFC 8439 section 2.8.2. */
static void check_rfc8439(const chacha20_poly1305_variant *variant)
{
    static const char key[] = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f";
    static const char plain[] = "4c616469657320616e642047656e746c656d656e206f662074686520636c6173"
                                "73206f66202739393a204966204920636f756c64206f6666657220796f75206f"
                                "6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73"
                                "637265656e20776f756c642062652069742e";
    static const char encrypted[] = "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
                                    "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
                                    "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                                    "3ff4def08e4b7a9de576d26586cec64b6116";
    static message m;
    (void)from_hex(m.key, key);
    (void)from_hex(m.nonce, "070000004041424344454647");
    m.aad_length = from_hex(m.aad, "50515253c0c1c2c3c4c5c6c7");
    m.length = from_hex(m.plain, plain);
    (void)from_hex(m.encrypted, encrypted);
    (void)from_hex(m.tag, "1ae10b594f09e26a7e902ecbd0600691");
    tap_begin("chacha20_poly1305/rfc8439");
    check_message(variant, &m, "section 2.8.2", 0);
    tap_end();
}

/* ---- against the reference ---------------------------------------------------------------------------- */

/* Every length of text up to two blocks of the stream, then with steps; of additional data in turn up to 300. */
static void check_lengths(const chacha20_poly1305_variant *variant)
{
    static message m;
    tap_begin("chacha20_poly1305/lengths");
    for (size_t length = 0; length <= LONGEST; length += length < 140 ? 1 : 37) {
        make_message(&m, length * 7 % 301, length, (uint32_t)length);
        check_message(variant, &m, "length", length);
    }
    for (size_t aad_length = 0; aad_length <= 300; aad_length += aad_length < 70 ? 1 : 7) {
        make_message(&m, aad_length, aad_length % 5, (uint32_t)(2000 + aad_length));
        check_message(variant, &m, "length of additional data", aad_length);
    }
    tap_end();
}

/* In place in both directions, at every offset, and against unreadable pages. */
static void check_placement(const chacha20_poly1305_variant *variant)
{
    static const size_t lengths[] = {1, 16, 63, 65, 200, 512, 577, LONGEST};
    static uint8_t space[LONGEST + 2 * CANARY_SIZE + 16];
    static message m;
    guarded a = guarded_make(), b = guarded_make();
    tap_begin("chacha20_poly1305/placement");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t tags[TAG + 16];
        const size_t length = lengths[i];
        make_message(&m, 13 * i, length, 3000);
        for (size_t offset = 0; offset < 16; offset++) {
            uint8_t *place = space + CANARY_SIZE + offset, *tag = tags + 15 - offset;
            canary_set(place, length);
            memcpy(place, m.plain, length);
            tap_equal_number(encrypt(variant, &m, place, place, tag), CMK_OK, "status, in place", length);
            canary_check(place, m.encrypted, length, "encrypted in place", length);
            tap_equal(tag, m.tag, TAG, "tag in place", length);
            tap_equal_number(decrypt(variant, &m, place, place, tag), CMK_OK, "status, in place", length);
            canary_check(place, m.plain, length, "decrypted in place", length);
        }
        memcpy(a.end - length, m.plain, length);
        tap_equal_number(encrypt(variant, &m, a.end - length, b.end - length, tags), CMK_OK, "before a guard", length);
        tap_equal(b.end - length, m.encrypted, length, "before a guard, length", length);
        memcpy(b.begin, m.encrypted, length);
        tap_equal_number(decrypt(variant, &m, b.begin, a.begin, m.tag), CMK_OK, "after a guard", length);
        tap_equal(a.begin, m.plain, length, "after a guard, length", length);
    }
    tap_end();
}

/* ---- forgeries and refusals --------------------------------------------------------------------------- */

/* With any bit of the tag, or one bit of anything else, changed: an error, and the output as it was, also in place. */
static void check_forged(const chacha20_poly1305_variant *variant, const message *m, const uint8_t *tag,
                         const char *what, size_t number)
{
    static uint8_t out[LONGEST], before[LONGEST];
    fill(out, m->length, 4000);
    fill(before, m->length, 4000);
    tap_equal_number(decrypt(variant, m, m->encrypted, out, tag), CMK_ERROR_TAG, what, number);
    tap_equal(out, before, m->length, what, number);
    memcpy(out, m->encrypted, m->length);
    tap_equal_number(decrypt(variant, m, out, out, tag), CMK_ERROR_TAG, what, number);
    tap_equal(out, m->encrypted, m->length, what, number);
}

static void check_forgeries(const chacha20_poly1305_variant *variant)
{
    static const size_t lengths[] = {0, 1, 64, 300, 600};
    static message m;
    tap_begin("chacha20_poly1305/forgeries");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        make_message(&m, 20, lengths[i], 4001);
        for (unsigned bit = 0; bit < 8 * TAG; bit++) {
            uint8_t tag[TAG];
            memcpy(tag, m.tag, TAG);
            tag[bit / 8] ^= (uint8_t)(1u << bit % 8);
            check_forged(variant, &m, tag, "a bit of the tag", bit);
        }
        m.aad[19] ^= 0x80;
        check_forged(variant, &m, m.tag, "a bit of the additional data", lengths[i]);
        m.aad[19] ^= 0x80;
        m.aad_length = 19;
        check_forged(variant, &m, m.tag, "a byte of additional data less", lengths[i]);
        m.aad_length = 20;
        m.nonce[0] ^= 1;
        check_forged(variant, &m, m.tag, "a bit of the nonce", lengths[i]);
        m.nonce[0] ^= 1;
        if (lengths[i] != 0) {
            m.encrypted[lengths[i] - 1] ^= 1;
            check_forged(variant, &m, m.tag, "a bit of the last byte", lengths[i]);
            m.encrypted[lengths[i] - 1] ^= 1;
            m.length--;
            check_forged(variant, &m, m.tag, "a byte less", lengths[i]);
        }
    }
    tap_end();
}

/* The greatest length is allowed by the counter and refused only one byte later; it cannot be tried, as no such
 * message exists here. On systems of 32 bits there is no such length. */
static void check_too_long(const chacha20_poly1305_variant *variant, const message *m, uint8_t *out)
{
    const uint64_t most = CMK_CHACHA20_POLY1305_MAX_LENGTH;
    tap_equal_number(most == UINT64_C(274877906880), 1, "2^38 - 64", 0);
#if SIZE_MAX > UINT32_MAX
    uint8_t tag[TAG];
    const size_t length = (size_t)(most + 1);
    memcpy(tag, m->tag, TAG);
    tap_equal_number(variant->encrypt(m->key, m->nonce, m->aad, 3, m->plain, out, length, tag), CMK_ERROR_LENGTH,
                     "encryption, one byte too long", 0);
    tap_equal(tag, m->tag, TAG, "the tag after that", 0);
    tap_equal_number(variant->decrypt(m->key, m->nonce, m->aad, 3, m->plain, out, length, tag), CMK_ERROR_LENGTH,
                     "decryption, one byte too long", 0);
    tap_equal_number(variant->encrypt(m->key, m->nonce, NULL, 0, m->plain, out, SIZE_MAX, tag), CMK_ERROR_LENGTH,
                     "encryption, the greatest length", 0);
#else
    (void)variant, (void)m, (void)out;
#endif
}

static void check_refusals(const chacha20_poly1305_variant *variant)
{
    static message m;
    const uint8_t *key = m.key, *nonce = m.nonce, *aad = m.aad, *in = m.plain;
    uint8_t out[64], before[64], tag[TAG];
    tap_begin("chacha20_poly1305/refusals");
    make_message(&m, 3, 64, 5000);
    fill(out, sizeof out, 5001);
    memcpy(before, out, sizeof before);
    memcpy(tag, m.tag, TAG);
    tap_equal_number(variant->encrypt(NULL, nonce, aad, 3, in, out, 64, tag), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(variant->encrypt(key, NULL, aad, 3, in, out, 64, tag), CMK_ERROR_NULL, "no nonce", 0);
    tap_equal_number(variant->encrypt(key, nonce, NULL, 3, in, out, 64, tag), CMK_ERROR_NULL, "no additional data", 0);
    tap_equal_number(variant->encrypt(key, nonce, aad, 3, NULL, out, 64, tag), CMK_ERROR_NULL, "no input", 0);
    tap_equal_number(variant->encrypt(key, nonce, aad, 3, in, NULL, 64, tag), CMK_ERROR_NULL, "no output", 0);
    tap_equal_number(variant->encrypt(key, nonce, aad, 3, in, out, 64, NULL), CMK_ERROR_NULL, "no tag", 0);
    tap_equal(tag, m.tag, TAG, "the tag after refusals", 0);
    tap_equal_number(variant->decrypt(NULL, nonce, aad, 3, in, out, 64, tag), CMK_ERROR_NULL, "no key", 1);
    tap_equal_number(variant->decrypt(key, NULL, aad, 3, in, out, 64, tag), CMK_ERROR_NULL, "no nonce", 1);
    tap_equal_number(variant->decrypt(key, nonce, NULL, 3, in, out, 64, tag), CMK_ERROR_NULL, "no additional data", 1);
    tap_equal_number(variant->decrypt(key, nonce, aad, 3, NULL, out, 64, tag), CMK_ERROR_NULL, "no input", 1);
    tap_equal_number(variant->decrypt(key, nonce, aad, 3, in, NULL, 64, tag), CMK_ERROR_NULL, "no output", 1);
    tap_equal_number(variant->decrypt(key, nonce, aad, 3, in, out, 64, NULL), CMK_ERROR_NULL, "no tag", 1);
    check_too_long(variant, &m, out);
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
    make_message(&m, 0, 0, 5002);
    tap_equal_number(variant->encrypt(key, nonce, NULL, 0, NULL, NULL, 0, tag), CMK_OK, "nothing to encrypt", 0);
    tap_equal(tag, m.tag, TAG, "the tag of nothing", 0);
    tap_equal_number(variant->decrypt(key, nonce, NULL, 0, NULL, NULL, 0, tag), CMK_OK, "nothing to decrypt", 0);
    tap_end();
}

void test_chacha20_poly1305(const chacha20_poly1305_variant *variant)
{
    check_rfc8439(variant);
    check_lengths(variant);
    check_placement(variant);
    check_forgeries(variant);
    check_refusals(variant);
}
