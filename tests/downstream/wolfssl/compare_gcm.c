/* AES-GCM in one call, with an IV that the key's structure keeps, and in pieces. */
#include "compare.h"
#include "report.h"

#include <string.h>

#include <wolfssl/wolfcrypt/aes.h>

static const word32 key_sizes[] = {16, 24, 32};
static byte key[32], ivs[512], aads[2048];
static Aes aes;

/* ---- one call ------------------------------------------------------------------------------------------- */

typedef struct message {
    word32 key_size, length;
    const byte *iv;
    word32 iv_length, aad_length, tag_length;
    int in_place;
} message;

/* Encrypts; decrypts the result; and again with one bit of the tag, or of the message, turned. Of a message that is
 * not authentic the answer counts only: what is at the output then differs, and must be nothing with our kernels. */
static void one_message(const message *m)
{
    byte tag[16 + MARGIN];
    static byte cipher[MOST];
    const byte *in = input(m->length + m->aad_length);
    byte *out = output(m->length + m->iv_length, m->length, m->in_place ? in : NULL);

    memset(tag, 0xa5, sizeof tag);
    number_of_case(wc_AesGcmSetKey(&aes, key, m->key_size));
    number_of_case(wc_AesGcmEncrypt(&aes, out, m->in_place ? out : in, m->length, m->iv, m->iv_length, tag,
                                    m->tag_length, aads, m->aad_length));
    output_of_case(m->length);
    bytes_of_case(tag, sizeof tag);
    memcpy(cipher, out, m->length);
    out = output(m->length, m->length, m->in_place ? cipher : NULL);
    number_of_case(wc_AesGcmDecrypt(&aes, out, m->in_place ? out : cipher, m->length, m->iv, m->iv_length, tag,
                                    m->tag_length, aads, m->aad_length));
    output_of_case(m->length);
    tag[(m->length + m->aad_length) % m->tag_length] ^= (byte)(1 << m->length % 8);
    number_of_case(wc_AesGcmDecrypt(&aes, out, cipher, m->length, m->iv, m->iv_length, tag, m->tag_length, aads,
                                    m->aad_length));
    case_done();
}

static void lengths(void)
{
    static const word32 long_ones[] = {767, 768, 769, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191};
    if (!group("gcm lengths")) {
        return;
    }
    for (word32 i = 0; i < 600 + sizeof long_ones / sizeof long_ones[0]; i++) {
        word32 length = i < 600 ? i : long_ones[i - 600];
        const message m = {key_sizes[i % 3], length, ivs, 12, i % 21, 12 + i % 5, (int)(i / 2 % 2)};
        one_message(&m);
    }
    group_done();
}

static void parts(void)
{
    static const word32 some[] = {0, 1, 13, 15, 16, 17, 31, 32, 33, 48, 112, 127, 128, 129, 143, 144, 145, 255, 256, 257};
    const word32 count = sizeof some / sizeof some[0];
    if (!group("gcm additional data and tags")) {
        return;
    }
    for (word32 i = 0; i < count; i++) {
        for (word32 j = 0; j < count; j++) {
            for (word32 tag = 12; tag <= 16; tag += 4 - (i + j) % 2) {
                const message m = {key_sizes[(i + j) % 3], some[i], ivs, 12, some[j], tag, (int)(j % 2)};
                one_message(&m);
            }
        }
    }
    for (word32 aad = 0; aad <= 300; aad++) {
        const message m = {32, 20, ivs, 12, aad, 16, 0};
        one_message(&m);
    }
    group_done();
}

static void initial_values(void)
{
    if (!group("gcm initial values")) {
        return;
    }
    for (word32 length = 1; length <= sizeof ivs; length += length < 150 ? 1 : 29) {
        const message m = {key_sizes[length % 3], 77, ivs, length, length % 40, 12 + length % 5, (int)(length % 2)};
        one_message(&m);
    }
    group_done();
}

/* ---- counters that wrap ------------------------------------------------------------------------------------
 *
 * Only an IV that is not 12 bytes long begins at a counter of its own. An IV of one block that leads to a wanted first
 * counter J is found by turning SP 800-38D's algorithm round: J = ((IV * H) + 128) * H. */

static void field_multiply(byte x[16], const byte y[16])
{
    byte v[16], z[16] = {0};
    memcpy(v, x, 16);
    for (int i = 0; i < 128; i++) {
        byte carry = v[15] & 1;
        if (y[i / 8] >> (7 - i % 8) & 1) {
            for (int j = 0; j < 16; j++) {
                z[j] ^= v[j];
            }
        }
        for (int j = 15; j > 0; j--) {
            v[j] = (byte)(v[j] >> 1 | v[j - 1] << 7);
        }
        v[0] = (byte)(v[0] >> 1 ^ (carry ? 0xe1 : 0));
    }
    memcpy(x, z, 16);
}

/* To the power of 2^128 - 2. */
static void field_invert(byte x[16])
{
    byte square[16], product[16] = {0x80};
    memcpy(square, x, 16);
    for (int i = 1; i < 128; i++) {
        byte copy[16];
        memcpy(copy, square, 16);
        field_multiply(square, copy);
        field_multiply(product, square);
    }
    memcpy(x, product, 16);
}

static void iv_for_counter(word32 key_size, word32 before, byte iv[16])
{
    byte h[16] = {0};
    const byte zero[16] = {0};
    (void)wc_AesSetKey(&aes, key, key_size, zero, AES_ENCRYPTION);
    (void)wc_AesCbcEncrypt(&aes, h, zero, 16);
    field_invert(h);
    memset(iv, 0x33, 12);
    memset(iv + 12, 0xff, 4);
    iv[15] = (byte)(0xff - before);
    field_multiply(iv, h);
    iv[15] ^= 128;
    field_multiply(iv, h);
}

static void wraps(void)
{
    byte iv[16];
    if (!group("gcm counters that wrap")) {
        return;
    }
    for (word32 before = 0; before < 40; before++) {
        for (word32 k = 0; k < 3; k++) {
            message m = {key_sizes[k], 16 * 48 + before, iv, 16, 5, 16, (int)(before % 2)};
            iv_for_counter(key_sizes[k], before, iv);
            one_message(&m);
            m.length = 16 * before + 3;
            one_message(&m);
        }
    }
    group_done();
}

/* ---- the key's own IV -------------------------------------------------------------------------------------- */

/* What a message with a short tag leaves behind in the structure would change the messages after it. */
static void own_iv(void)
{
    if (!group("gcm with the key's IV")) {
        return;
    }
    for (word32 i = 0; i < 120; i++) {
        byte tag[16 + MARGIN], iv[12];
        const byte *in = input(i);
        byte *out = output(i, i, NULL);
        memset(tag, 0xa5, sizeof tag);
        number_of_case(wc_AesGcmSetKey(&aes, key, key_sizes[i % 3]));
        number_of_case(wc_AesGcmSetExtIV(&aes, ivs + i, 12));
        for (int again = 0; again < 3; again++) {
            number_of_case(wc_AesGcmEncrypt_ex(&aes, out, in, i, iv, 12, tag, 12 + i % 5, aads, i % 33));
            output_of_case(i);
            bytes_of_case(iv, sizeof iv);
            bytes_of_case(tag, sizeof tag);
            number_of_case(wc_AesGcmDecrypt(&aes, out, out, i, iv, 12, tag, 12 + i % 5, aads, i % 33));
            output_of_case(i);
        }
        case_done();
    }
    group_done();
}

/* ---- in pieces --------------------------------------------------------------------------------------------- */

#ifdef WOLFSSL_AESGCM_STREAM

typedef struct pieces {
    const word32 *lengths;
    word32 count, iv_length, tag_length;
    int in_place, decrypt;
} pieces;

/* Additional data in the pieces at even places, the message in those at odd ones as soon as the first came. */
static void in_pieces(word32 key_size, const pieces *p)
{
    byte tag[16 + MARGIN];
    word32 total = 0, done = 0, aad = 0;
    for (word32 i = 1; i < p->count; i += 2) {
        total += p->lengths[i];
    }
    const byte *in = input(total);
    byte *out = output(total + p->count, total, p->in_place ? in : NULL);
    memset(tag, 0xa5, sizeof tag);
    number_of_case(wc_AesGcmInit(&aes, key, key_size, ivs, p->iv_length));
    for (word32 i = 0; i < p->count; i++) {
        const byte *from = (p->in_place ? out : in) + done;
        word32 length = i % 2 == 1 ? p->lengths[i] : 0, more = i % 2 == 0 && done == 0 ? p->lengths[i] : 0;
        number_of_case((p->decrypt ? wc_AesGcmDecryptUpdate : wc_AesGcmEncryptUpdate)(&aes, out + done, from, length,
                                                                                     aads + aad, more));
        done += length;
        aad += more;
    }
    output_of_case(total);
    if (p->decrypt) {
        number_of_case(wc_AesGcmDecryptFinal(&aes, aads, p->tag_length));
    } else {
        number_of_case(wc_AesGcmEncryptFinal(&aes, tag, p->tag_length));
        bytes_of_case(tag, sizeof tag);
    }
    case_done();
}

/* Encrypted and decrypted in different pieces. */
static void there_and_back(word32 key_size, word32 length, word32 first, word32 tag_length)
{
    byte tag[16] = {0};
    const byte *in = input(length);
    byte *out = output(length, length, NULL);
    number_of_case(wc_AesGcmEncryptInit(&aes, key, key_size, ivs, 12));
    number_of_case(wc_AesGcmEncryptUpdate(&aes, out, in, first, aads, first % 19));
    number_of_case(wc_AesGcmEncryptUpdate(&aes, out + first, in + first, length - first, NULL, 0));
    number_of_case(wc_AesGcmEncryptFinal(&aes, tag, tag_length));
    for (int wrong = 0; wrong < 2; wrong++) {
        tag[tag_length - 1] ^= (byte)wrong;
        number_of_case(wc_AesGcmDecryptInit(&aes, key, key_size, ivs, 12));
        number_of_case(wc_AesGcmDecryptUpdate(&aes, NULL, NULL, 0, aads, first % 19));
        for (word32 at = 0; at < length; at += 37) {
            word32 part = length - at < 37 ? length - at : 37;
            number_of_case(wc_AesGcmDecryptUpdate(&aes, out + at, out + at, part, NULL, 0));
        }
        output_of_case(length);
        number_of_case(wc_AesGcmDecryptFinal(&aes, tag, tag_length));
    }
    case_done();
}

static void streams(void)
{
    static const word32 ragged[] = {3, 5, 0, 1, 0, 10, 0, 64, 0, 3, 0, 100, 0, 63, 0, 65, 0, 200, 0, 7, 0, 128, 0, 129};
    static const word32 many_aads[] = {1, 0, 15, 0, 16, 0, 17, 0, 128, 0, 5, 0, 144, 33};
    if (!group("gcm in pieces")) {
        return;
    }
    for (word32 i = 0; i < 24; i++) {
        const pieces a = {ragged, sizeof ragged / sizeof ragged[0], 1 + 3 * i, 12 + i % 5, (int)(i % 2), (int)(i / 2 % 2)};
        const pieces b = {many_aads, sizeof many_aads / sizeof many_aads[0], 12, 16, 0, (int)(i % 2)};
        in_pieces(key_sizes[i % 3], &a);
        in_pieces(key_sizes[i % 3], &b);
    }
    for (word32 first = 0; first <= 180; first++) {
        const word32 lengths_[] = {first, first, 0, 180 - first};
        const pieces p = {lengths_, 4, 12, 16, (int)(first % 2), 0};
        in_pieces(key_sizes[first % 3], &p);
        there_and_back(key_sizes[first % 3], 180 + first, first, 12 + first % 5);
    }
    for (word32 length = 0; length <= 320; length++) {
        there_and_back(key_sizes[length % 3], length, length / 2, 16);
    }
    group_done();
}

#endif

void compare_gcm(void)
{
    fill(key, sizeof key, 110);
    fill(ivs, sizeof ivs, 111);
    fill(aads, sizeof aads, 112);
    (void)wc_AesInit(&aes, NULL, INVALID_DEVID);
    lengths();
    parts();
    initial_values();
    wraps();
    own_iv();
#ifdef WOLFSSL_AESGCM_STREAM
    streams();
#endif
    wc_AesFree(&aes);
}
