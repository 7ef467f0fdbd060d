/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 32 /* bytes of a wrong value, from the sixteen that hold the first difference on */

#define OPEN 8 /* checks that may be open at once */

typedef struct open_check {
    const char *algorithm; /* NULL: free */
    unsigned vectors;
    unsigned wrong;
    unsigned char got[SHOWN], want[SHOWN]; /* of the first wrong vector */
    size_t shown;
    size_t offset;
    const char *what;
    size_t number;
} open_check;

static open_check open_checks[OPEN];
static open_check *current;
static const char *variant_name;
static unsigned checks;
static unsigned failed_checks;

void tap_start(const char *variant)
{
    variant_name = variant;
    puts("TAP version 13");
}

void tap_begin(const char *algorithm)
{
    for (int i = OPEN - 1; i >= 0; i--) {
        const char *name = open_checks[i].algorithm;
        if (name == NULL) {
            current = &open_checks[i];
        } else if (strcmp(name, algorithm) == 0) {
            current = &open_checks[i];
            return;
        }
    }
    memset(current, 0, sizeof *current);
    current->algorithm = algorithm;
}

static void remember(const unsigned char *got, const unsigned char *want, size_t length)
{
    size_t different = 0;
    while (got[different] == want[different]) {
        different++;
    }
    current->offset = different - different % 16;
    current->shown = length - current->offset < SHOWN ? length - current->offset : SHOWN;
    memcpy(current->got, got + current->offset, current->shown);
    memcpy(current->want, want + current->offset, current->shown);
}

/* By words: the memcmp of some C libraries goes byte by byte, and took a third of a whole run in an emulator. */
static int is_same(const unsigned char *a, const unsigned char *b, size_t length)
{
    size_t at = 0;
    for (; at + 8 <= length; at += 8) {
        uint64_t x, y;
        memcpy(&x, a + at, 8);
        memcpy(&y, b + at, 8);
        if (x != y) {
            return 0;
        }
    }
    for (; at < length; at++) {
        if (a[at] != b[at]) {
            return 0;
        }
    }
    return 1;
}

void tap_equal(const void *got, const void *want, size_t length, const char *what, size_t number)
{
    current->vectors++;
    if (is_same(got, want, length)) {
        return;
    }
    if (current->wrong++ == 0) {
        current->what = what;
        current->number = number;
        remember(got, want, length);
    }
}

void tap_equal_number(unsigned got, unsigned want, const char *what, size_t number)
{
    const unsigned char bytes[2] = {(unsigned char)got, (unsigned char)want};
    tap_equal(&bytes[0], &bytes[1], 1, what, number);
}

static void print_bytes(const char *name, const unsigned char *bytes)
{
    printf("#   %-4s ", name);
    for (size_t i = 0; i < current->shown; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    putchar('\n');
}

void tap_end(void)
{
    const char *verdict = current->wrong == 0 ? "ok" : "not ok";
    checks++;
    printf("%s %u - %s %s %u vectors\n", verdict, checks, current->algorithm, variant_name, current->vectors);
    if (current->wrong != 0) {
        failed_checks++;
        print_bytes("got", current->got);
        print_bytes("want", current->want);
        printf("#   at   %s %lu, byte %lu; %u wrong\n", current->what, (unsigned long)current->number,
               (unsigned long)current->offset, current->wrong);
    }
    current->algorithm = NULL;
}

int tap_finish(void)
{
    printf("1..%u\n", checks);
    return failed_checks != 0;
}
