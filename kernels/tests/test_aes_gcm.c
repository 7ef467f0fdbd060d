/* SPDX-License-Identifier: MIT */
/* GCM in one call: published vectors, every length of message, additional data, IV and tag, wrong tags, counters that
 * wrap, every placement, refusals. */
#include <string.h>

#include "buffers.h"
#include "gcm_messages.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

static cmk_status encrypt(const gcm_variant *variant, const gcm_message *m, const uint8_t *in, uint8_t *out,
                          size_t length, uint8_t *tag)
{
    return variant->encrypt(&m->key, m->iv, m->iv_length, m->aad, m->aad_length, in, out, length, tag, 16);
}

static cmk_status decrypt(const gcm_variant *variant, const gcm_message *m, const uint8_t *in, uint8_t *out,
                          size_t length, const uint8_t *tag)
{
    return variant->decrypt(&m->key, m->iv, m->iv_length, m->aad, m->aad_length, in, out, length, tag, 16);
}

/* ---- published vectors ---------------------------------------------------------------------------------- */

#define PLAIN                                                                                                         \
    "d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72 "                                              \
    "1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39"
#define AAD "feedfacedeadbeeffeedfacedeadbeef abaddad2"
#define LONG_IV                                                                                                       \
    "9313225df88406e555909c5aff5269aa 6a7a9538534f7da1e4c303d2a318a728 "                                              \
    "c3c0c95156809539fcf0e2429a6b5254 16aedbf5a0de6a57a637b39b"

/* D. McGrew, J. Viega, "The Galois/Counter Mode of Operation", appendix B: cases 1 to 6 for each key size. */
static void check_mcgrew_viega(const gcm_variant *variant)
{
    static const char key[] = "feffe9928665731c6d6a8f9467308308 feffe9928665731c6d6a8f9467308308";
    static const struct {
        int zero_key;
        const char *iv, *aad, *plain, *tags[3];
    } cases[] = {
        {1, "000000000000000000000000", "", "",
         {"58e2fccefa7e3061367f1d57a4e7455a", "cd33b28ac773f74ba00ed1f312572435",
          "530f8afbc74536b9a963b4f1c4cb738b"}},
        {1, "000000000000000000000000", "", "00000000000000000000000000000000",
         {"ab6e47d42cec13bdf53a67b21257bddf", "2ff58d80033927ab8ef4d4587514f0fb",
          "d0d1c8a799996bf0265b98b5d48ab919"}},
        {0, "cafebabefacedbaddecaf888", "", PLAIN "1aafd255",
         {"4d5c2af327cd64a62cf35abd2ba6fab4", "9924a7c8587336bfb118024db8674a14",
          "b094dac5d93471bdec1a502270e3cc6c"}},
        {0, "cafebabefacedbaddecaf888", AAD, PLAIN,
         {"5bc94fbc3221a5db94fae95ae7121a47", "2519498e80f1478f37ba55bd6d27618c",
          "76fc6ece0f4e1768cddf8853bb2d551b"}},
        {0, "cafebabefacedbad", AAD, PLAIN,
         {"3612d2e79e3b0785561be14aaca2fccb", "65dcc57fcf623a24094fcca40d3533f8",
          "3a337dbf46a792c45e454913fe2ea8f2"}},
        {0, LONG_IV, AAD, PLAIN,
         {"619cc5aefffe0bfa462af43c1699d050", "dcf566ff291c25bbb8568fc3d376a6d9",
          "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"}},
    };
    tap_begin("aes_gcm/mcgrew_viega");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t iv[64], aad[32], plain[64], encrypted[64], got[64];
        size_t iv_length = from_hex(iv, cases[i].iv);
        size_t aad_length = from_hex(aad, cases[i].aad);
        size_t length = from_hex(plain, cases[i].plain);
        for (size_t size = 0; size < 3; size++) {
            uint8_t bytes[32] = {0}, want[16], tag[16];
            size_t key_length = 16 + 8 * size;
            cmk_aes_gcm_key k;
            if (!cases[i].zero_key) {
                (void)from_hex(bytes, key);
            }
            (void)from_hex(want, cases[i].tags[size]);
            model_aes_gcm(bytes, key_length, iv, iv_length, aad, aad_length, plain, encrypted, length, tag);
            tap_equal(tag, want, 16, "the model's tag, case", i);
            (void)variant->set_key(&k, bytes, key_length);
            tap_equal_number(
                variant->encrypt(&k, iv, iv_length, aad, aad_length, plain, got, length, tag, 16), CMK_OK,
                "status of encryption, case", i);
            tap_equal(got, encrypted, length, "encryption, case", i);
            tap_equal(tag, want, 16, "tag, case", i);
            tap_equal_number(
                variant->decrypt(&k, iv, iv_length, aad, aad_length, encrypted, got, length, want, 16), CMK_OK,
                "status of decryption, case", i);
            tap_equal(got, plain, length, "decryption, case", i);
        }
    }
    tap_end();
}

/* Additional data around whole blocks: an extra block of zeros, or a wrong power of H, shows here. */
static void check_additional_data(const gcm_variant *variant)
{
    static const struct {
        size_t length;
        const char *tag;
    } vectors[] = {
        {0, "f784d07537d7825bfef6abfed6545b35"},   {1, "f3188e7a95b8cc381008fa8e0f0d0394"},
        {15, "04767045bde62de7c059939052633548"},  {16, "828d677f6a4df448037c0f71a05b91fd"},
        {17, "e32088ea97263fab9253db8f4abeba4d"},  {32, "dfb82755ea5d5c5afd84374fee5a9f06"},
        {48, "23e127b2d26e3a65af011c9303c5b5cf"},  {64, "a2d539d45bc39f9786a54fe39c4ff800"},
        {65, "b1227ff495c7bce46cb974081f50e5d8"},  {128, "cf2b7a034226e3fd3db69beb2361f19e"},
        {129, "91c6ec8da84b33f517a7f5ded8e7f9e8"},
    };
    uint8_t counted[33], aad[129], got[33], tag[16], want[16];
    cmk_aes_gcm_key key;
    tap_begin("aes_gcm/additional_data");
    for (size_t i = 0; i < sizeof counted; i++) {
        counted[i] = (uint8_t)i;
    }
    for (size_t i = 0; i < sizeof aad; i++) {
        aad[i] = (uint8_t)(7 * i + 1);
    }
    (void)variant->set_key(&key, counted, 16);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const size_t length = vectors[i].length;
        (void)from_hex(want, vectors[i].tag);
        (void)variant->encrypt(&key, counted, 12, aad, length, counted, got, 33, tag, 16);
        tap_equal(tag, want, 16, "tag, length", length);
        for (size_t at = 0; at <= length; at += at < 33 ? 1 : 5) {
            cmk_aes_gcm_state state;
            (void)variant->init(&state, &key, counted, 12);
            (void)variant->aad_update(&state, &key, aad, at);
            (void)variant->aad_update(&state, &key, aad + at, length - at);
            (void)variant->encrypt_update(&state, &key, counted, got, 33);
            (void)variant->encrypt_final(&state, &key, tag, 16);
            tap_equal(tag, want, 16, "tag of additional data in two calls, length", length);
        }
    }
    tap_end();
}

/* ---- keys ----------------------------------------------------------------------------------------------- */

/* Every byte: the schedule, and powers of H with the bits of each byte in reverse order. */
static void check_key(const gcm_variant *variant)
{
    uint8_t bytes[32], unused[CMK_AES_SCHEDULE_SIZE];
    tap_begin("aes_gcm/key");
    fill(bytes, sizeof bytes, 1);
    for (size_t length = 16; length <= 32; length += 8) {
        cmk_aes_gcm_key got, want;
        uint8_t h[16] = {0}, power[16];
        memset(&got, 0x5a, sizeof got);
        want.rounds = model_aes_key(want.schedule, unused, bytes, length);
        model_aes_cipher(h, want.schedule, want.rounds);
        memcpy(power, h, 16);
        for (size_t n = 8; n-- != 0; model_gcm_multiply(power, h)) {
            uint8_t *reversed = want.powers + 16 * n;
            for (size_t i = 0; i < 16; i++) {
                unsigned x = power[i];
                x = (x & 0x55) << 1 | (x & 0xaa) >> 1;
                x = (x & 0x33) << 2 | (x & 0xcc) >> 2;
                reversed[i] = (uint8_t)((x & 0x0f) << 4 | (x & 0xf0) >> 4);
            }
            for (size_t i = 0; i < 8; i++) {
                want.powers[128 + 8 * n + i] = (uint8_t)(reversed[i] ^ reversed[8 + i]);
            }
        }
        tap_equal_number(variant->set_key(&got, bytes, length), CMK_OK, "status, length", length);
        tap_equal(got.schedule, want.schedule, sizeof want.schedule, "round keys, length", length);
        tap_equal(got.powers, want.powers, sizeof want.powers, "powers, length", length);
        tap_equal_number(got.rounds, want.rounds, "rounds, length", length);
    }
    tap_end();
}

/* ---- lengths -------------------------------------------------------------------------------------------- */

static void check_length(const gcm_variant *variant, const gcm_message *m, size_t length)
{
    static uint8_t space[GCM_LONGEST + 2 * CANARY_SIZE];
    uint8_t *out = space + CANARY_SIZE;
    uint8_t want[16], tag[16 + 2 * CANARY_SIZE];
    gcm_message_tag(m, length, want);
    canary_set(out, length);
    canary_set(tag + CANARY_SIZE, 16);
    tap_equal_number(encrypt(variant, m, m->plain, out, length, tag + CANARY_SIZE), CMK_OK, "status, length", length);
    canary_check(out, m->encrypted, length, "encryption, length", length);
    canary_check(tag + CANARY_SIZE, want, 16, "tag, length", length);
    canary_set(out, length);
    tap_equal_number(decrypt(variant, m, m->encrypted, out, length, want), CMK_OK, "status, length", length);
    canary_check(out, m->plain, length, "decryption, length", length);
}

/* Every length up to more than two batches, then around every block, with the three key sizes in turn. */
static void check_lengths(const gcm_variant *variant)
{
    static gcm_message m[3], before[3];
    tap_begin("aes_gcm/lengths");
    for (size_t i = 0; i < 3; i++) {
        gcm_make(variant, &m[i], 16 + 8 * i, 12, 20 * i, (uint32_t)(20 + i));
    }
    memcpy(before, m, sizeof before);
    for (size_t length = 0; length < GCM_LONGEST; length++) {
        if (length < 130 || (length + 1) % 16 < 3) {
            check_length(variant, &m[(length + 1) / 16 % 3], length);
        }
    }
    tap_equal(m, before, sizeof before, "keys and inputs after use", 0);
    tap_end();
}

/* Lengths of additional data, without a message and with one. */
static void check_aad_lengths(const gcm_variant *variant)
{
    static gcm_message m;
    tap_begin("aes_gcm/aad_lengths");
    gcm_make(variant, &m, 16, 12, 0, 30);
    for (size_t aad_length = 0; aad_length <= GCM_AAD_LONGEST; aad_length++) {
        size_t length = aad_length % 2 == 0 ? 0 : 21;
        uint8_t want[16], got[32], tag[16];
        if (!worth_trying(aad_length)) {
            continue;
        }
        m.aad_length = aad_length;
        memset(m.hashes, 0, 2 * 16);
        model_ghash(m.hashes[0], m.h, m.aad, m.aad_length);
        memcpy(m.hashes[1], m.hashes[0], 16);
        model_ghash(m.hashes[1], m.h, m.encrypted, 16);
        gcm_message_tag(&m, length, want);
        tap_equal_number(encrypt(variant, &m, m.plain, got, length, tag), CMK_OK, "status, length", aad_length);
        tap_equal(tag, want, 16, "tag, length", aad_length);
        tap_equal_number(decrypt(variant, &m, m.encrypted, got, length, want), CMK_OK, "status, length",
                         aad_length);
        tap_equal(got, m.plain, length, "decryption, length", aad_length);
    }
    tap_end();
}

/* Lengths of the IV up to more than a batch. */
static void check_iv_lengths(const gcm_variant *variant)
{
    static gcm_message m;
    tap_begin("aes_gcm/iv_lengths");
    gcm_make(variant, &m, 24, 12, 7, 40);
    for (size_t length = 1; length <= sizeof m.iv; length++) {
        uint8_t encrypted[33], want[16], got[33], tag[16];
        if (!worth_trying(length)) {
            continue;
        }
        m.iv_length = length;
        model_aes_gcm(m.bytes, m.key_length, m.iv, length, m.aad, m.aad_length, m.plain, encrypted, 33, want);
        tap_equal_number(encrypt(variant, &m, m.plain, got, 33, tag), CMK_OK, "status, length", length);
        tap_equal(got, encrypted, 33, "encryption, length", length);
        tap_equal(tag, want, 16, "tag, length", length);
        tap_equal_number(decrypt(variant, &m, encrypted, got, 33, want), CMK_OK, "status, length", length);
        tap_equal(got, m.plain, 33, "decryption, length", length);
    }
    tap_end();
}

/* The 32 bits of the counter wrap before each of the first 18 blocks, and nothing is carried. */
static void check_wrap(const gcm_variant *variant)
{
    static gcm_message m;
    uint8_t counter[16];
    tap_begin("aes_gcm/wrap");
    for (unsigned before = 0; before < 18; before++) {
        const size_t length = 20 * 16 + 5;
        fill(counter, sizeof counter, 50);
        memset(counter + 11, 0xff, 4);
        counter[15] = (uint8_t)(0xff - before);
        gcm_make_counter(variant, &m, counter, 51);
        check_length(variant, &m, length);
    }
    tap_end();
}

/* ---- tags ----------------------------------------------------------------------------------------------- */

/* A wrong message must not be told: `out` stays as it was, in place too. */
static void check_wrong(const gcm_variant *variant, const gcm_message *m, const uint8_t *in, size_t length,
                        const uint8_t *tag, size_t tag_length, const char *what)
{
    uint8_t out[GCM_LONGEST], before[GCM_LONGEST];
    fill(out, length, 60);
    memcpy(before, out, length);
    tap_equal_number(
        variant->decrypt(&m->key, m->iv, m->iv_length, m->aad, m->aad_length, in, out, length, tag, tag_length),
        CMK_ERROR_TAG, what, tag_length);
    tap_equal(out, before, length, "the output of a wrong message", tag_length);
    memcpy(out, in, length);
    tap_equal_number(
        variant->decrypt(&m->key, m->iv, m->iv_length, m->aad, m->aad_length, out, out, length, tag, tag_length),
        CMK_ERROR_TAG, what, tag_length);
    tap_equal(out, in, length, "a wrong message in place", tag_length);
}

/* Every length of the tag: it is the beginning of the whole one, no more is written or read, and each bit counts. */
static void check_tags(const gcm_variant *variant)
{
    static gcm_message m;
    tap_begin("aes_gcm/tags");
    gcm_make(variant, &m, 32, 12, 13, 61);
    for (size_t length = 0; length < 150; length += 145) {
        uint8_t whole[16], got[GCM_LONGEST];
        gcm_message_tag(&m, length, whole);
        for (size_t tag_length = 4; tag_length <= 16; tag_length++) {
            uint8_t tag[16 + 2 * CANARY_SIZE];
            canary_set(tag + CANARY_SIZE, tag_length);
            tap_equal_number(variant->encrypt(&m.key, m.iv, m.iv_length, m.aad, m.aad_length, m.plain, got, length,
                                              tag + CANARY_SIZE, tag_length),
                             CMK_OK, "status of encryption, tag length", tag_length);
            canary_check(tag + CANARY_SIZE, whole, tag_length, "tag of length", tag_length);
            tap_equal_number(variant->decrypt(&m.key, m.iv, m.iv_length, m.aad, m.aad_length, m.encrypted, got,
                                              length, tag + CANARY_SIZE, tag_length),
                             CMK_OK, "status of decryption, tag length", tag_length);
            tap_equal(got, m.plain, length, "decryption, tag length", tag_length);
            for (size_t bit = tag_length % 7; bit < 8 * tag_length; bit += 7) {
                tag[CANARY_SIZE + bit / 8] ^= (uint8_t)(1 << bit % 8);
                check_wrong(variant, &m, m.encrypted, length, tag + CANARY_SIZE, tag_length, "a wrong tag");
                tag[CANARY_SIZE + bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
        }
    }
    tap_end();
}

/* One bit of anything else. */
static void check_changes(const gcm_variant *variant)
{
    static gcm_message m;
    uint8_t tag[16], encrypted[GCM_LONGEST];
    const size_t length = 149;
    tap_begin("aes_gcm/changes");
    gcm_make(variant, &m, 16, 12, 45, 62);
    gcm_message_tag(&m, length, tag);
    memcpy(encrypted, m.encrypted, length);
    for (size_t i = 0; i < length; i++) {
        encrypted[i] ^= (uint8_t)(1 << i % 8);
        check_wrong(variant, &m, encrypted, length, tag, 16, "changed ciphertext");
        encrypted[i] = m.encrypted[i];
    }
    for (size_t i = 0; i < m.aad_length; i++) {
        m.aad[i] ^= (uint8_t)(1 << i % 8);
        check_wrong(variant, &m, encrypted, length, tag, 16, "changed additional data");
        m.aad[i] ^= (uint8_t)(1 << i % 8);
    }
    for (size_t i = 0; i < m.iv_length; i++) {
        m.iv[i] ^= (uint8_t)(1 << i % 8);
        check_wrong(variant, &m, encrypted, length, tag, 16, "changed IV");
        m.iv[i] ^= (uint8_t)(1 << i % 8);
    }
    check_wrong(variant, &m, encrypted, length - 1, tag, 16, "a byte less");
    m.aad_length--;
    check_wrong(variant, &m, encrypted, length, tag, 16, "a byte of additional data less");
    tap_end();
}

/* ---- placement ------------------------------------------------------------------------------------------ */

/* In place, everything at every offset, and against unreadable pages at both ends. */
static void check_offset(const gcm_variant *variant, const gcm_message *m, size_t length, size_t offset)
{
    static uint8_t from[GCM_LONGEST + 16], to[GCM_LONGEST + 2 * CANARY_SIZE + 16], other[GCM_AAD_LONGEST + 16];
    uint8_t *place = to + CANARY_SIZE + 15 - offset;
    uint8_t iv[32], tag[32], want[16];
    gcm_message_tag(m, length, want);
    memcpy(from + offset, m->plain, length);
    memcpy(other + offset, m->aad, m->aad_length);
    memcpy(iv + offset, m->iv, m->iv_length);
    canary_set(place, length);
    (void)variant->encrypt(&m->key, iv + offset, m->iv_length, other + offset, m->aad_length, from + offset, place,
                           length, tag + offset, 16);
    canary_check(place, m->encrypted, length, "encryption, offset", offset);
    tap_equal(tag + offset, want, 16, "tag, offset", offset);
    tap_equal_number(variant->decrypt(&m->key, iv + offset, m->iv_length, other + offset, m->aad_length, place, place,
                                      length, tag + offset, 16),
                     CMK_OK, "status in place, length", length);
    canary_check(place, m->plain, length, "decryption in place, length", length);
    tap_equal_number(encrypt(variant, m, place, place, length, tag), CMK_OK, "status in place, length", length);
    canary_check(place, m->encrypted, length, "encryption in place, length", length);
    tap_equal(tag, want, 16, "tag in place, length", length);
}

static void check_guards(const gcm_variant *variant, const gcm_message *m, size_t length)
{
    static guarded a, b, c;
    uint8_t want[16];
    if (a.begin == NULL) {
        a = guarded_make();
        b = guarded_make();
        c = guarded_make();
    }
    gcm_message_tag(m, length, want);
    memcpy(a.begin, m->plain, length);
    memcpy(c.begin, m->aad, m->aad_length);
    (void)variant->encrypt(&m->key, m->iv, m->iv_length, c.begin, m->aad_length, a.begin, b.begin, length,
                           c.end - 16, 16);
    tap_equal(b.begin, m->encrypted, length, "after a guard, length", length);
    tap_equal(c.end - 16, want, 16, "tag after guards, length", length);
    memcpy(a.end - length, m->encrypted, length);
    memcpy(c.begin, want, 16);
    memcpy(c.end - m->aad_length, m->aad, m->aad_length);
    tap_equal_number(variant->decrypt(&m->key, m->iv, m->iv_length, c.end - m->aad_length, m->aad_length,
                                      a.end - length, b.end - length, length, c.begin, 16),
                     CMK_OK, "status before guards, length", length);
    tap_equal(b.end - length, m->plain, length, "before a guard, length", length);
    memcpy(a.end - m->iv_length, m->iv, m->iv_length);
    memcpy(b.end - 5, want, 5);
    tap_equal_number(variant->decrypt(&m->key, a.end - m->iv_length, m->iv_length, c.end - m->aad_length,
                                      m->aad_length, m->encrypted, b.begin, length, b.end - 5, 5),
                     CMK_OK, "status with IV and tag before a guard, length", length);
}

static void check_placement(const gcm_variant *variant)
{
    static const size_t lengths[] = {0, 1, 16, 127, 128, 129, 256, 289};
    static gcm_message m;
    tap_begin("aes_gcm/placement");
    gcm_make(variant, &m, 16, 12, 150, 70);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t offset = 0; offset < 16; offset++) {
            check_offset(variant, &m, lengths[i], offset);
        }
        check_guards(variant, &m, lengths[i]);
    }
    tap_end();
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

static void check_key_refusals(const gcm_variant *variant)
{
    uint8_t bytes[64];
    cmk_aes_gcm_key key, before;
    fill(bytes, sizeof bytes, 80);
    memset(&before, 0x5a, sizeof before);
    key = before;
    for (size_t length = 0; length <= 64; length++) {
        if (length != 16 && length != 24 && length != 32) {
            tap_equal_number(variant->set_key(&key, bytes, length), CMK_ERROR_LENGTH, "key length", length);
        }
    }
    tap_equal_number(variant->set_key(NULL, bytes, 16), CMK_ERROR_NULL, "no key to set", 0);
    tap_equal_number(variant->set_key(&key, NULL, 16), CMK_ERROR_NULL, "no bytes", 0);
    tap_equal(&key, &before, sizeof key, "the key after refusals", 0);
}

/* Arguments that decryption and encryption refuse alike; `tag` is right for them. */
typedef struct arguments {
    const cmk_aes_gcm_key *key;
    const uint8_t *iv;
    size_t iv_length;
    const uint8_t *aad;
    size_t aad_length;
    const uint8_t *in;
    uint8_t *out;
    size_t length;
    uint8_t *tag;
    size_t tag_length;
} arguments;

static void refused(const gcm_variant *variant, arguments a, cmk_status want, const char *what, size_t number)
{
    tap_equal_number(variant->encrypt(a.key, a.iv, a.iv_length, a.aad, a.aad_length, a.in, a.out, a.length, a.tag,
                                      a.tag_length),
                     want, what, number);
    tap_equal_number(variant->decrypt(a.key, a.iv, a.iv_length, a.aad, a.aad_length, a.in, a.out, a.length, a.tag,
                                      a.tag_length),
                     want, what, number);
}

/* The good arguments with one of them changed. */
#define REFUSED(change, want, what, number)                                                                           \
    {                                                                                                                 \
        arguments a = good;                                                                                           \
        change;                                                                                                       \
        refused(variant, a, want, what, number);                                                                      \
    }

static void check_null_refusals(const gcm_variant *variant, arguments good)
{
    REFUSED(a.key = NULL, CMK_ERROR_NULL, "no key", 0)
    REFUSED(a.iv = NULL, CMK_ERROR_NULL, "no IV", 0)
    REFUSED(a.aad = NULL, CMK_ERROR_NULL, "no additional data", 0)
    REFUSED(a.in = NULL, CMK_ERROR_NULL, "no input", 0)
    REFUSED(a.out = NULL, CMK_ERROR_NULL, "no output", 0)
    REFUSED(a.tag = NULL, CMK_ERROR_NULL, "no tag", 0)
    REFUSED((a.tag = NULL, a.tag_length = 0), CMK_ERROR_NULL, "no tag, tag length", 0)
    REFUSED((a.iv = NULL, a.iv_length = 0), CMK_ERROR_LENGTH, "no IV, IV length", 0)
}

static void check_length_refusals(const gcm_variant *variant, arguments good)
{
    REFUSED(a.iv_length = 0, CMK_ERROR_LENGTH, "IV length", 0)
    for (size_t tag_length = 0; tag_length < 20; tag_length++) {
        if (tag_length < 4 || tag_length > 16) {
            REFUSED(a.tag_length = tag_length, CMK_ERROR_LENGTH, "tag length", tag_length)
        }
    }
#if SIZE_MAX > 0xffffffff
    REFUSED(a.iv_length = (size_t)1 << 61, CMK_ERROR_LENGTH, "IV length 2 to the", 61)
    REFUSED(a.aad_length = (size_t)1 << 61, CMK_ERROR_LENGTH, "length of additional data 2 to the", 61)
    REFUSED(a.length = ((size_t)1 << 36) - 31, CMK_ERROR_LENGTH, "length 2 to the", 36)
    REFUSED(a.length = (size_t)-1, CMK_ERROR_LENGTH, "length 2 to the", 64)
#endif
}

static void check_refusals(const gcm_variant *variant)
{
    static gcm_message m;
    uint8_t out[64], tag[16], before[64], tag_before[16];
    cmk_aes_gcm_key damaged;
    tap_begin("aes_gcm/refusals");
    check_key_refusals(variant);
    gcm_make(variant, &m, 16, 12, 20, 81);
    fill(out, sizeof out, 82);
    gcm_message_tag(&m, 64, tag);
    memcpy(before, out, sizeof before);
    memcpy(tag_before, tag, sizeof tag);
    {
        const arguments good = {&m.key, m.iv, 12, m.aad, 20, m.encrypted, out, 64, tag, 16};
        check_null_refusals(variant, good);
        check_length_refusals(variant, good);
        damaged = m.key;
        for (uint32_t rounds = 0; rounds < 20; rounds++) {
            damaged.rounds = rounds;
            if (rounds != 10 && rounds != 12 && rounds != 14) {
                REFUSED(a.key = &damaged, CMK_ERROR_KEY, "rounds", rounds)
            }
        }
    }
    tap_equal(out, before, sizeof out, "the output after refusals", 0);
    tap_equal(tag, tag_before, sizeof tag, "the tag after refusals", 0);
    m.aad_length = 0;
    model_aes_gcm(m.bytes, 16, m.iv, 12, m.aad, 0, m.plain, out, 0, tag_before);
    tap_equal_number(variant->encrypt(&m.key, m.iv, 12, NULL, 0, NULL, NULL, 0, tag, 16), CMK_OK, "nothing at all", 0);
    tap_equal(tag, tag_before, 16, "the tag of nothing", 0);
    tap_equal_number(variant->decrypt(&m.key, m.iv, 12, NULL, 0, NULL, NULL, 0, tag, 16), CMK_OK, "nothing at all", 0);
    tap_end();
}

void test_aes_gcm(const gcm_variant *variant)
{
    check_mcgrew_viega(variant);
    check_additional_data(variant);
    check_key(variant);
    check_lengths(variant);
    check_aad_lengths(variant);
    check_iv_lengths(variant);
    check_wrap(variant);
    check_tags(variant);
    check_changes(variant);
    check_placement(variant);
    check_refusals(variant);
}
