/* SPDX-License-Identifier: MIT */
/* vectors --variant NAME: checks vectors from standard input, one a line, in TAP.
 *
 *     aes_ecb_encrypt|aes_ecb_decrypt|aes_xts_encrypt|aes_xts_decrypt KEY IV IN OUT [PLACE]
 *     aes_cbc_encrypt|aes_cbc_decrypt|aes_ctr KEY IV IN OUT [SPLITS] [PLACE]
 *     sha224|sha256|sha384|sha512|sha3_224|sha3_256|sha3_384|sha3_512|shake128|shake256 - - IN OUT [SPLITS] [PLACE]
 *     aes_gcm_encrypt|aes_gcm_decrypt|aes_gcm_refuse KEY IV IN OUT AAD TAG [SPLITS] [PLACE]
 *
 * KEY, IV, IN, OUT, AAD and TAG are hexadecimal digits, or - for none. SPLITS are the lengths of the first calls, as in
 * 1,15,17; the rest goes into one more. For GCM they are of additional data and message, for SHAKE of input and output,
 * one after the other; without them each goes into one call. aes_gcm_refuse is a decryption whose tag is wrong; it has
 * no OUT. PLACE is @N, where input is N bytes and output 15 - N bytes off a boundary of 16, or =N, where both are one
 * buffer, N bytes off. One check an algorithm that occurs.
 *
 * Exit status: 0 all right, 1 a wrong value, 2 bad usage or a malformed line, which is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "variants.h"

#define LINE_SIZE ((size_t)1 << 18)
#define DATA_SIZE (LINE_SIZE / 4)
#define MAX_SPLITS 128

enum {
    ECB_ENCRYPT,
    ECB_DECRYPT,
    CBC_ENCRYPT,
    CBC_DECRYPT,
    CTR,
    XTS_ENCRYPT,
    XTS_DECRYPT,
    GCM_ENCRYPT,
    GCM_DECRYPT,
    GCM_REFUSE,
    SHA224,
    SHA256,
    SHA384,
    SHA512,
    SHA3_224,
    SHA3_256,
    SHA3_384,
    SHA3_512,
    SHAKE128,
    SHAKE256,
    ALGORITHMS
};

static const char *const names[ALGORITHMS] = {
    "aes_ecb_encrypt", "aes_ecb_decrypt", "aes_cbc_encrypt", "aes_cbc_decrypt", "aes_ctr", "aes_xts_encrypt",
    "aes_xts_decrypt", "aes_gcm_encrypt", "aes_gcm_decrypt", "aes_gcm_refuse", "sha224",   "sha256",
    "sha384",          "sha512",          "sha3_224",        "sha3_256",       "sha3_384", "sha3_512",
    "shake128",        "shake256",
};

typedef struct data {
    uint8_t bytes[DATA_SIZE + 16]; /* room for a tag */
    size_t length;
} data;

static struct {
    unsigned algorithm;
    data key, iv, in, out, aad, tag, got;
    size_t splits[MAX_SPLITS];
    size_t split_count;
    const uint8_t *from; /* where the input is in this run */
    uint8_t *to;         /* and where the output goes */
} vector;

static uint64_t from_space[DATA_SIZE / 8 + 4], to_space[DATA_SIZE / 8 + 4]; /* PLACE counts from their beginnings */

static char line[LINE_SIZE];

/* ---- reading ------------------------------------------------------------------------------------------ */

static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *place = digit == '\0' ? NULL : strchr(digits, digit);
    return place == NULL ? -1 : (int)((place - digits) % 16);
}

static int read_data(data *to, const char *text)
{
    to->length = 0;
    if (text == NULL) {
        return 0;
    }
    if (strcmp(text, "-") == 0) {
        return 1;
    }
    for (; *text != '\0'; text += 2) {
        int high = digit_value(text[0]);
        int low = high < 0 ? -1 : digit_value(text[1]);
        if (low < 0 || to->length == DATA_SIZE) {
            return 0;
        }
        to->bytes[to->length++] = (uint8_t)(high << 4 | low);
    }
    return to->length != 0;
}

static int is_gcm(void)
{
    return vector.algorithm == GCM_ENCRYPT || vector.algorithm == GCM_DECRYPT || vector.algorithm == GCM_REFUSE;
}

static int is_shake(void)
{
    return vector.algorithm == SHAKE128 || vector.algorithm == SHAKE256;
}

static int is_hash(void)
{
    return vector.algorithm >= SHA224 && vector.algorithm <= SHAKE256;
}

/* What the calls take together. */
static size_t length_of_all(void)
{
    return vector.in.length + vector.aad.length + (is_shake() ? vector.out.length : 0);
}

static int read_splits(char *text)
{
    const size_t most = length_of_all();
    size_t total = 0;
    while (*text != '\0') {
        char *end = text;
        unsigned long length = strtoul(text, &end, 10);
        if (digit_value(*text) < 0 || length > most - total || vector.split_count == MAX_SPLITS) {
            return 0;
        }
        total += length;
        vector.splits[vector.split_count++] = length;
        if (*end != '\0' && (*end != ',' || end[1] == '\0')) {
            return 0;
        }
        text = *end == ',' ? end + 1 : end;
    }
    return 1;
}

static const size_t digest_sizes[] = {
    CMK_SHA224_DIGEST_SIZE,   CMK_SHA256_DIGEST_SIZE,   CMK_SHA384_DIGEST_SIZE,   CMK_SHA512_DIGEST_SIZE,
    CMK_SHA3_224_DIGEST_SIZE, CMK_SHA3_256_DIGEST_SIZE, CMK_SHA3_384_DIGEST_SIZE, CMK_SHA3_512_DIGEST_SIZE,
};

static int splits_are_blocks(void)
{
    for (size_t i = 0; i < vector.split_count; i++) {
        if (vector.splits[i] % CMK_AES_BLOCK_SIZE != 0) {
            return 0;
        }
    }
    return 1;
}

static int well_formed(void)
{
    const size_t key = vector.key.length, iv = vector.iv.length;
    const int aes_key = key == 16 || key == 24 || key == 32;
    const int same = vector.in.length == vector.out.length;
    const int blocks = same && vector.in.length % CMK_AES_BLOCK_SIZE == 0;
    if (is_hash()) {
        return key == 0 && iv == 0 && (is_shake() || vector.out.length == digest_sizes[vector.algorithm - SHA224]);
    }
    switch (vector.algorithm) {
    case CTR:
        return aes_key && iv == CMK_AES_BLOCK_SIZE && same;
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        return aes_key && iv == CMK_AES_BLOCK_SIZE && blocks && splits_are_blocks();
    case XTS_ENCRYPT:
    case XTS_DECRYPT:
        return (key == 32 || key == 64) && iv == CMK_AES_BLOCK_SIZE && same && vector.split_count == 0;
    case GCM_ENCRYPT:
    case GCM_DECRYPT:
        return aes_key && iv != 0 && same && vector.tag.length >= 4 && vector.tag.length <= 16;
    case GCM_REFUSE:
        return aes_key && iv != 0 && vector.out.length == 0 && vector.tag.length >= 4 && vector.tag.length <= 16;
    default:
        return aes_key && iv == 0 && blocks && vector.split_count == 0;
    }
}

/* Puts input and output where PLACE says; without it they are where they were read. */
static int read_place(const char *text)
{
    uint8_t *from = (uint8_t *)from_space;
    char *end = NULL;
    unsigned long offset;
    vector.from = vector.in.bytes;
    vector.to = vector.got.bytes;
    if (text == NULL) {
        return 1;
    }
    offset = strtoul(text + 1, &end, 10);
    if (digit_value(text[1]) < 0 || *end != '\0' || offset > 15) {
        return 0;
    }
    memcpy(from + offset, vector.in.bytes, vector.in.length);
    vector.from = from + offset;
    vector.to = *text == '=' ? from + offset : (uint8_t *)to_space + (15 - offset);
    return 1;
}

/* Whether `text`, which is taken apart, is a vector. */
static int read_vector(char *text)
{
    const char *name = strtok(text, " \t\r\n");
    char *next;
    for (vector.algorithm = 0; vector.algorithm < ALGORITHMS; vector.algorithm++) {
        if (name != NULL && strcmp(name, names[vector.algorithm]) == 0) {
            break;
        }
    }
    if (vector.algorithm == ALGORITHMS || !read_data(&vector.key, strtok(NULL, " \t\r\n")) ||
        !read_data(&vector.iv, strtok(NULL, " \t\r\n")) || !read_data(&vector.in, strtok(NULL, " \t\r\n")) ||
        !read_data(&vector.out, strtok(NULL, " \t\r\n"))) {
        return 0;
    }
    vector.aad.length = vector.tag.length = 0;
    if (is_gcm() && (!read_data(&vector.aad, strtok(NULL, " \t\r\n")) ||
                     !read_data(&vector.tag, strtok(NULL, " \t\r\n")))) {
        return 0;
    }
    next = strtok(NULL, " \t\r\n");
    vector.split_count = 0;
    if (next != NULL && *next != '@' && *next != '=') {
        if (!read_splits(next)) {
            return 0;
        }
        next = strtok(NULL, " \t\r\n");
    }
    return read_place(next) && strtok(NULL, " \t\r\n") == NULL && well_formed();
}

static int has_algorithm(const char *variant)
{
    if (is_gcm()) {
        return find_gcm(variant) != NULL;
    }
    if (vector.algorithm == XTS_ENCRYPT || vector.algorithm == XTS_DECRYPT) {
        return find_xts(variant) != NULL;
    }
    switch (vector.algorithm) {
    case SHA224:
    case SHA256:
        return find_sha256(variant) != NULL;
    case SHA384:
    case SHA512:
        return find_sha512(variant) != NULL;
    default:
        return is_hash() ? find_sha3(variant) != NULL : find_aes(variant) != NULL;
    }
}

/* ---- checking ----------------------------------------------------------------------------------------- */

static cmk_status run_ecb(const aes_variant *variant)
{
    cmk_aes_key key;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    aes_ecb_function *function = vector.algorithm == ECB_ENCRYPT ? variant->ecb_encrypt : variant->ecb_decrypt;
    return status != CMK_OK ? status : function(&key, vector.from, vector.to, vector.in.length);
}

/* The length of call `i` of one more than there are splits, `done` bytes after the beginning. */
static size_t part_length(size_t i, size_t done)
{
    return i < vector.split_count ? vector.splits[i] : length_of_all() - done;
}

static cmk_status run_cbc(const aes_variant *variant)
{
    size_t done = 0;
    cmk_aes_key key;
    uint8_t iv[CMK_AES_BLOCK_SIZE];
    aes_cbc_function *function = vector.algorithm == CBC_ENCRYPT ? variant->cbc_encrypt : variant->cbc_decrypt;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    memcpy(iv, vector.iv.bytes, sizeof iv);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = function(&key, iv, vector.from + done, vector.to + done, part);
        done += part;
    }
    return status;
}

static cmk_status run_ctr(const aes_variant *variant)
{
    size_t done = 0;
    cmk_aes_key key;
    cmk_aes_ctr_state state;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    (void)cmk_aes_ctr_init(&state, vector.iv.bytes);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = variant->ctr(&state, &key, vector.from + done, vector.to + done, part);
        done += part;
    }
    return status;
}

static cmk_status run_xts(const xts_variant *variant)
{
    cmk_aes_xts_key key;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    aes_xts_function *function = vector.algorithm == XTS_ENCRYPT ? variant->encrypt : variant->decrypt;
    return status != CMK_OK ? status
                            : function(&key, vector.iv.bytes, vector.from, vector.to, vector.in.length);
}

static cmk_status run_gcm_at_once(const gcm_variant *variant, const cmk_aes_gcm_key *key, uint8_t *tag)
{
    if (vector.algorithm == GCM_ENCRYPT) {
        return variant->encrypt(key, vector.iv.bytes, vector.iv.length, vector.aad.bytes, vector.aad.length,
                                vector.from, vector.to, vector.in.length, tag, vector.tag.length);
    }
    return variant->decrypt(key, vector.iv.bytes, vector.iv.length, vector.aad.bytes, vector.aad.length,
                            vector.from, vector.to, vector.in.length, tag, vector.tag.length);
}

/* The part of `length` bytes that begins `done` bytes after the beginning of the additional data. */
static cmk_status gcm_part(const gcm_variant *variant, const cmk_aes_gcm_key *key, cmk_aes_gcm_state *state,
                           size_t done, size_t length)
{
    aes_gcm_update_function *update =
        vector.algorithm == GCM_ENCRYPT ? variant->encrypt_update : variant->decrypt_update;
    cmk_status status = CMK_OK;
    if (done < vector.aad.length) {
        size_t aad = vector.aad.length - done < length ? vector.aad.length - done : length;
        status = variant->aad_update(state, key, vector.aad.bytes + done, aad);
        done += aad;
        length -= aad;
    }
    if (status == CMK_OK && done >= vector.aad.length && length != 0) {
        done -= vector.aad.length;
        status = update(state, key, vector.from + done, vector.to + done, length);
    }
    return status;
}

static cmk_status run_gcm_in_parts(const gcm_variant *variant, const cmk_aes_gcm_key *key, uint8_t *tag)
{
    size_t done = 0;
    cmk_aes_gcm_state state;
    cmk_status status = variant->init(&state, key, vector.iv.bytes, vector.iv.length);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = gcm_part(variant, key, &state, done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return vector.algorithm == GCM_ENCRYPT ? variant->encrypt_final(&state, key, tag, vector.tag.length)
                                           : variant->decrypt_final(&state, key, tag, vector.tag.length);
}

/* What is compared has the tag at its end. */
static cmk_status run_gcm(const gcm_variant *variant)
{
    uint8_t tag[16];
    cmk_aes_gcm_key key;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    memcpy(tag, vector.tag.bytes, vector.tag.length);
    if (status == CMK_OK) {
        status = vector.split_count == 0 ? run_gcm_at_once(variant, &key, tag) : run_gcm_in_parts(variant, &key, tag);
    }
    if (vector.algorithm == GCM_REFUSE) {
        return status == CMK_ERROR_TAG ? CMK_OK : CMK_ERROR_STATE;
    }
    memcpy(vector.to + vector.in.length, tag, vector.tag.length);
    memcpy(vector.out.bytes + vector.in.length, vector.tag.bytes, vector.tag.length);
    vector.out.length += vector.tag.length;
    return status;
}

static cmk_status run_sha256(const sha256_variant *variant)
{
    const int shorter = vector.algorithm == SHA224;
    size_t done = 0;
    cmk_sha256_context context;
    cmk_status status = shorter ? cmk_sha224_init(&context) : cmk_sha256_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = variant->update(&context, vector.from + done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return shorter ? variant->final_224(&context, vector.to) : variant->final(&context, vector.to);
}

static cmk_status run_sha512(const sha512_variant *variant)
{
    const int shorter = vector.algorithm == SHA384;
    size_t done = 0;
    cmk_sha512_context context;
    cmk_status status = shorter ? cmk_sha384_init(&context) : cmk_sha512_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = variant->update(&context, vector.from + done, part);
        done += part;
    }
    if (status != CMK_OK) {
        return status;
    }
    return shorter ? variant->final_384(&context, vector.to) : variant->final(&context, vector.to);
}

static cmk_status run_sha3(const sha3_variant *variant)
{
    size_t done = 0;
    cmk_sha3_context context;
    cmk_status status = cmk_sha3_init(&context, digest_sizes[vector.algorithm - SHA224]);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = variant->update(&context, vector.from + done, part);
        done += part;
    }
    return status != CMK_OK ? status : variant->final(&context, vector.to, vector.out.length);
}

/* The part of `length` bytes that begins `done` bytes after the beginning of the input. */
static cmk_status shake_part(const sha3_variant *variant, cmk_sha3_context *context, size_t done, size_t length)
{
    cmk_status status = CMK_OK;
    if (done < vector.in.length) {
        size_t in = vector.in.length - done < length ? vector.in.length - done : length;
        status = variant->update(context, vector.from + done, in);
        done += in;
        length -= in;
    }
    if (status == CMK_OK && done >= vector.in.length && length != 0) {
        status = variant->squeeze(context, vector.to + (done - vector.in.length), length);
    }
    return status;
}

static cmk_status run_shake(const sha3_variant *variant)
{
    size_t done = 0;
    cmk_sha3_context context;
    cmk_status status = vector.algorithm == SHAKE128 ? cmk_shake128_init(&context) : cmk_shake256_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = part_length(i, done);
        status = shake_part(variant, &context, done, part);
        done += part;
    }
    return status;
}

static cmk_status run(const char *variant)
{
    switch (vector.algorithm) {
    case SHA224:
    case SHA256:
        return run_sha256(find_sha256(variant));
    case SHA384:
    case SHA512:
        return run_sha512(find_sha512(variant));
    case SHA3_224:
    case SHA3_256:
    case SHA3_384:
    case SHA3_512:
        return run_sha3(find_sha3(variant));
    case SHAKE128:
    case SHAKE256:
        return run_shake(find_sha3(variant));
    case CTR:
        return run_ctr(find_aes(variant));
    case CBC_ENCRYPT:
    case CBC_DECRYPT:
        return run_cbc(find_aes(variant));
    case XTS_ENCRYPT:
    case XTS_DECRYPT:
        return run_xts(find_xts(variant));
    case GCM_ENCRYPT:
    case GCM_DECRYPT:
    case GCM_REFUSE:
        return run_gcm(find_gcm(variant));
    default:
        return run_ecb(find_aes(variant));
    }
}

/* One vector, one comparison; a refusal counts as a wrong value. */
static void check(const char *variant, size_t number)
{
    cmk_status status = run(variant);
    if (status == CMK_OK) {
        tap_equal(vector.to, vector.out.bytes, vector.out.length, "line", number);
    } else {
        tap_equal_number(status, CMK_OK, "status, line", number);
    }
}

int main(int count, char **arguments)
{
    int used[ALGORITHMS] = {0};
    size_t number = 0;
    const char *name = variant_argument(count, arguments);
    if (name == NULL) {
        return 2;
    }
    tap_start(name);
    while (fgets(line, sizeof line, stdin) != NULL) {
        number++;
        if (strlen(line) == sizeof line - 1 || !read_vector(line) || !has_algorithm(name)) {
            fprintf(stderr, "%s: line %lu is no vector for variant %s\n", arguments[0], (unsigned long)number, name);
            return 2;
        }
        used[vector.algorithm] = 1;
        tap_begin(names[vector.algorithm]);
        check(name, number);
    }
    if (number == 0) {
        fprintf(stderr, "%s: no vectors on standard input\n", arguments[0]);
        return 2;
    }
    for (unsigned algorithm = 0; algorithm < ALGORITHMS; algorithm++) {
        if (used[algorithm]) {
            tap_begin(names[algorithm]);
            tap_end();
        }
    }
    return tap_finish();
}
