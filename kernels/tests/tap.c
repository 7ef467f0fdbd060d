/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 32 /* bytes of a wrong value, from the sixteen that hold the first difference on */

static struct {
    const char *variant;
    const char *algorithm;
    unsigned checks;
    unsigned failed_checks;
    unsigned vectors;
    unsigned wrong;
    unsigned char got[SHOWN], want[SHOWN];
    size_t shown;
    size_t offset;
    const char *what;
    size_t number;
} tap;

void tap_start(const char *variant)
{
    tap.variant = variant;
    puts("TAP version 13");
}

void tap_begin(const char *algorithm)
{
    tap.algorithm = algorithm;
    tap.vectors = 0;
    tap.wrong = 0;
}

static void remember(const unsigned char *got, const unsigned char *want, size_t length)
{
    size_t different = 0;
    while (got[different] == want[different]) {
        different++;
    }
    tap.offset = different - different % 16;
    tap.shown = length - tap.offset < SHOWN ? length - tap.offset : SHOWN;
    memcpy(tap.got, got + tap.offset, tap.shown);
    memcpy(tap.want, want + tap.offset, tap.shown);
}

void tap_equal(const void *got, const void *want, size_t length, const char *what, size_t number)
{
    tap.vectors++;
    if (length == 0 || memcmp(got, want, length) == 0) {
        return;
    }
    if (tap.wrong++ == 0) {
        tap.what = what;
        tap.number = number;
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
    for (size_t i = 0; i < tap.shown; i++) {
        printf("%02x", (unsigned)bytes[i]);
    }
    putchar('\n');
}

void tap_end(void)
{
    const char *verdict = tap.wrong == 0 ? "ok" : "not ok";
    tap.checks++;
    printf("%s %u - %s %s %u vectors\n", verdict, tap.checks, tap.algorithm, tap.variant, tap.vectors);
    if (tap.wrong != 0) {
        tap.failed_checks++;
        print_bytes("got", tap.got);
        print_bytes("want", tap.want);
        printf("#   at   %s %lu, byte %lu; %u wrong\n", tap.what, (unsigned long)tap.number,
               (unsigned long)tap.offset, tap.wrong);
    }
}

int tap_finish(void)
{
    printf("1..%u\n", tap.checks);
    return tap.failed_checks != 0;
}
