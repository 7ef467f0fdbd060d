/* SPDX-License-Identifier: MIT */
/* vectors --variant NAME: checks vectors from standard input, one a line, in TAP.
 *
 *     aes_ecb_encrypt|aes_ecb_decrypt|aes_ctr|sha256 KEY IV IN OUT [SPLITS]
 *     chacha20|poly1305|chacha20_poly1305|chacha20_poly1305_open KEY IV IN OUT [SPLITS] [@FROM[,TO]]
 *
 * KEY, IV, IN and OUT are hexadecimal digits, or - for none. SPLITS are the lengths of the first calls, as in
 * 1,15,17; the rest goes into one more. They are for aes_ctr, chacha20, poly1305 and sha256. FROM and TO are where in
 * their buffers IN and the output begin; without TO, the output goes where IN is. One check an algorithm that occurs.
 * What IV is for the second line, vectors_chacha20.c says.
 *
 * Exit status: 0 all right, 1 a wrong value, 2 bad usage or a malformed line, which is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "variants.h"
#include "vectors.h"

#define LINE_SIZE ((size_t)1 << 18)

static const char *const names[ALGORITHMS] = {"aes_ecb_encrypt", "aes_ecb_decrypt", "aes_ctr",
                                              "sha256",          "chacha20",        "poly1305",
                                              "chacha20_poly1305", "chacha20_poly1305_open"};

static known_vector vector;

static char line[LINE_SIZE];

/* ---- reading ------------------------------------------------------------------------------------------ */

static int digit_value(char digit)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *place = digit == '\0' ? NULL : strchr(digits, digit);
    return place == NULL ? -1 : (int)((place - digits) % 16);
}

static int read_data(vector_data *to, const char *text)
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
        if (low < 0 || to->length == VECTOR_DATA_SIZE) {
            return 0;
        }
        to->bytes[to->length++] = (uint8_t)(high << 4 | low);
    }
    return to->length != 0;
}

static int read_splits(char *text)
{
    size_t total = 0;
    vector.split_count = 0;
    while (text != NULL && *text != '\0') {
        char *end = text;
        unsigned long length = strtoul(text, &end, 10);
        if (digit_value(*text) < 0 || length > vector.in.length - total || vector.split_count == VECTOR_MAX_SPLITS) {
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

/* "@FROM" or "@FROM,TO". */
static int read_places(const char *text)
{
    char *end = NULL;
    vector.from = strtoul(text + 1, &end, 10);
    vector.in_place = *end != ',';
    if (!vector.in_place) {
        vector.to = strtoul(end + 1, &end, 10);
    }
    return *end == '\0' && vector.from < VECTOR_PLACES && vector.to < VECTOR_PLACES && is_chacha20_vector(&vector);
}

static int read_how(char *text)
{
    vector.from = vector.to = 0;
    vector.in_place = 0;
    vector.split_count = 0;
    if (text != NULL && text[0] != '@') {
        if (!read_splits(text)) {
            return 0;
        }
        text = strtok(NULL, " \t\r\n");
    }
    return text == NULL || (text[0] == '@' && read_places(text) && strtok(NULL, " \t\r\n") == NULL);
}

static int well_formed(void)
{
    size_t key = vector.key.length;
    int aes_key = key == 16 || key == 24 || key == 32;
    if (is_chacha20_vector(&vector)) {
        return chacha20_vector_is_well_formed(&vector);
    }
    if (vector.algorithm == SHA256) {
        return key == 0 && vector.iv.length == 0 && vector.out.length == CMK_SHA256_DIGEST_SIZE;
    }
    if (vector.algorithm == CTR) {
        return aes_key && vector.iv.length == CMK_AES_BLOCK_SIZE && vector.in.length == vector.out.length;
    }
    return aes_key && vector.iv.length == 0 && vector.in.length == vector.out.length &&
           vector.in.length % CMK_AES_BLOCK_SIZE == 0 && vector.split_count == 0;
}

/* Whether `text`, which is taken apart, is a vector. */
static int read_vector(char *text)
{
    const char *name = strtok(text, " \t\r\n");
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
    return read_how(strtok(NULL, " \t\r\n")) && well_formed();
}

static int has_algorithm(const char *variant)
{
    if (is_chacha20_vector(&vector)) {
        return has_chacha20_vector(&vector, variant);
    }
    return vector.algorithm == SHA256 ? find_sha256(variant) != NULL : find_aes(variant) != NULL;
}

/* ---- checking ----------------------------------------------------------------------------------------- */

static cmk_status run_ecb(const aes_variant *variant)
{
    cmk_aes_key key;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    aes_ecb_function *function = vector.algorithm == ECB_ENCRYPT ? variant->ecb_encrypt : variant->ecb_decrypt;
    return status != CMK_OK ? status : function(&key, vector.in.bytes, vector.got.bytes, vector.in.length);
}

static cmk_status run_ctr(const aes_variant *variant)
{
    size_t done = 0;
    cmk_aes_key key;
    cmk_aes_ctr_state state;
    cmk_status status = variant->set_key(&key, vector.key.bytes, vector.key.length);
    (void)cmk_aes_ctr_init(&state, vector.iv.bytes);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = i < vector.split_count ? vector.splits[i] : vector.in.length - done;
        status = variant->ctr(&state, &key, vector.in.bytes + done, vector.got.bytes + done, part);
        done += part;
    }
    return status;
}

static cmk_status run_sha256(const sha256_variant *variant)
{
    size_t done = 0;
    cmk_sha256_context context;
    cmk_status status = cmk_sha256_init(&context);
    for (size_t i = 0; status == CMK_OK && i <= vector.split_count; i++) {
        size_t part = i < vector.split_count ? vector.splits[i] : vector.in.length - done;
        status = variant->update(&context, vector.in.bytes + done, part);
        done += part;
    }
    return status != CMK_OK ? status : variant->final(&context, vector.got.bytes);
}

/* One vector, one comparison; a refusal counts as a wrong value. */
static void check(const char *variant, size_t number)
{
    cmk_status status;
    if (is_chacha20_vector(&vector)) {
        status = run_chacha20_vector(&vector, variant);
    } else if (vector.algorithm == SHA256) {
        status = run_sha256(find_sha256(variant));
    } else {
        status = vector.algorithm == CTR ? run_ctr(find_aes(variant)) : run_ecb(find_aes(variant));
    }
    if (status == CMK_OK) {
        tap_equal(vector.got.bytes, vector.out.bytes, vector.out.length, "line", number);
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
