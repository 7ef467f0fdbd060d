/* SPDX-License-Identifier: MIT */
/* vectors --variant NAME: checks vectors from standard input, one a line, in TAP.
 *
 *     aes_ecb_encrypt|aes_ecb_decrypt|aes_xts_encrypt|aes_xts_decrypt KEY IV IN OUT [PLACE]
 *     aes_cbc_encrypt|aes_cbc_decrypt|aes_ctr KEY IV IN OUT [SPLITS] [PLACE]
 *     aes_gcm_encrypt|aes_gcm_decrypt|aes_gcm_refuse KEY IV IN OUT AAD TAG [SPLITS] [PLACE]
 *     chacha20|poly1305|chacha20_poly1305|chacha20_poly1305_open KEY IV IN OUT [SPLITS] [PLACE]
 *     sha224|sha256|sha384|sha512|sha3_224|sha3_256|sha3_384|sha3_512|shake128|shake256 - - IN OUT [SPLITS] [PLACE]
 *
 * KEY, IV, IN, OUT, AAD and TAG are hexadecimal digits, or - for none. SPLITS are the lengths of the first calls, as in
 * 1,15,17; the rest goes into one more. PLACE is @FROM,TO: how far from the beginnings of their buffers, which are
 * aligned, IN and the output begin; or @FROM, where the output goes where IN is. One check an algorithm that occurs.
 * More is said in vectors_aes.c, vectors_chacha20.c and vectors_hashes.c.
 *
 * Exit status: 0 all right, 1 a wrong value, 2 bad usage or a malformed line, which is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "variants.h"
#include "vectors.h"

#define LINE_SIZE ((size_t)1 << 18)

static const char *const names[ALGORITHMS] = {
    "aes_ecb_encrypt", "aes_ecb_decrypt", "aes_cbc_encrypt", "aes_cbc_decrypt",   "aes_ctr",
    "aes_xts_encrypt", "aes_xts_decrypt", "aes_gcm_encrypt", "aes_gcm_decrypt",   "aes_gcm_refuse",
    "sha224",          "sha256",          "sha384",          "sha512",            "sha3_224",
    "sha3_256",        "sha3_384",        "sha3_512",        "shake128",          "shake256",
    "chacha20",        "poly1305",        "chacha20_poly1305", "chacha20_poly1305_open",
};

static known_vector vector;

#define SPACE (sizeof vector.in.bytes / 8 + VECTOR_PLACES / 8)
static uint64_t from_space[SPACE], to_space[SPACE];

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

/* What the calls take together. */
static size_t length_of_all(const known_vector *of)
{
    return of->in.length + of->aad.length + (is_shake_vector(of) ? of->out.length : 0);
}

size_t vector_part(const known_vector *of, size_t call, size_t done)
{
    return call < of->split_count ? of->splits[call] : length_of_all(of) - done;
}

static int read_splits(char *text)
{
    const size_t most = length_of_all(&vector);
    size_t total = 0;
    while (*text != '\0') {
        char *end = text;
        unsigned long length = strtoul(text, &end, 10);
        if (digit_value(*text) < 0 || length > most - total || vector.split_count == VECTOR_MAX_SPLITS) {
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

/* "@FROM" or "@FROM,TO"; without it both are at the beginning. */
static int read_place(const char *text)
{
    char *end = NULL;
    unsigned long from = 0, to = 0;
    int in_place = 0;
    if (text != NULL) {
        from = strtoul(text + 1, &end, 10);
        in_place = *end != ',';
        if (!in_place) {
            to = strtoul(end + 1, &end, 10);
        }
        if (text[0] != '@' || digit_value(text[1]) < 0 || *end != '\0' || from >= VECTOR_PLACES ||
            to >= VECTOR_PLACES) {
            return 0;
        }
    }
    vector.from = (uint8_t *)from_space + from;
    vector.to = in_place ? vector.from : (uint8_t *)to_space + to;
    memcpy(vector.from, vector.in.bytes, vector.in.length);
    return 1;
}

static int read_how(char *text)
{
    vector.split_count = 0;
    if (text != NULL && text[0] != '@') {
        if (!read_splits(text)) {
            return 0;
        }
        text = strtok(NULL, " \t\r\n");
    }
    return read_place(text) && strtok(NULL, " \t\r\n") == NULL;
}

static int well_formed(void)
{
    if (is_chacha20_vector(&vector)) {
        return chacha20_vector_is_well_formed(&vector);
    }
    return is_aes_vector(&vector) ? aes_vector_is_well_formed(&vector) : hash_vector_is_well_formed(&vector);
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
    vector.aad.length = vector.tag.length = 0;
    if (is_gcm_vector(&vector) && (!read_data(&vector.aad, strtok(NULL, " \t\r\n")) ||
                                   !read_data(&vector.tag, strtok(NULL, " \t\r\n")))) {
        return 0;
    }
    return read_how(strtok(NULL, " \t\r\n")) && well_formed();
}

static int has_algorithm(const char *variant)
{
    if (is_chacha20_vector(&vector)) {
        return has_chacha20_vector(&vector, variant);
    }
    return is_aes_vector(&vector) ? has_aes_vector(&vector, variant) : has_hash_vector(&vector, variant);
}

/* ---- checking ----------------------------------------------------------------------------------------- */

static cmk_status run(const char *variant)
{
    if (is_chacha20_vector(&vector)) {
        return run_chacha20_vector(&vector, variant);
    }
    return is_aes_vector(&vector) ? run_aes_vector(&vector, variant) : run_hash_vector(&vector, variant);
}

/* One vector, one comparison; a refusal counts as a wrong value. */
static void check(const char *variant, size_t number)
{
    cmk_status status = run(variant);
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
