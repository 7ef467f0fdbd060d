#include "report.h"

#include <stdio.h>
#include <string.h>

#define START 0xcbf29ce484222325u /* FNV-1a, 64 bits */
#define PRIME 0x100000001b3u

#define NAMES 8

static const char *wanted[NAMES]; /* none: all */
static size_t names;
static const char *current;
static unsigned long cases;
static word64 of_group, of_case;
static byte space[MARGIN + ALIGNMENTS + MOST + MARGIN];
static byte *out;

void fill(byte *bytes, word32 length, word32 seed)
{
    word32 x = seed * 2654435761u + 12345u;
    for (word32 i = 0; i < length; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (byte)(x >> 24);
    }
}

void report_only(const char *name)
{
    if (names < NAMES) {
        wanted[names++] = name;
    }
}

int group(const char *name)
{
    current = name;
    cases = 0;
    of_group = of_case = START;
    for (size_t i = 0; i < names; i++) {
        if (strcmp(wanted[i], name) == 0) {
            return 1;
        }
    }
    return names == 0;
}

static void mix(word64 *hash, const byte *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        *hash = (*hash ^ bytes[i]) * PRIME;
    }
}

void bytes_of_case(const void *bytes, size_t length)
{
    mix(&of_case, bytes, length);
}

void number_of_case(long number)
{
    mix(&of_case, (const byte *)&number, sizeof number);
}

void case_done(void)
{
    cases++;
    if (names != 0) {
        printf("  case %lu %016llx\n", cases, (unsigned long long)of_case);
    }
    mix(&of_group, (const byte *)&of_case, sizeof of_case);
    of_case = START;
}

void group_done(void)
{
    printf("%s: %lu cases %016llx\n", current, cases, (unsigned long long)of_group);
}

const byte *input(word32 offset)
{
    static byte inputs[ALIGNMENTS + MOST];
    fill(inputs, sizeof inputs, 1 + offset);
    return inputs + offset % ALIGNMENTS;
}

byte *output(word32 offset, word32 length, const byte *in)
{
    memset(space, 0xa5, sizeof space);
    out = space + MARGIN + offset % ALIGNMENTS;
    if (in != NULL) {
        memcpy(out, in, length);
    }
    return out;
}

void output_of_case(word32 length)
{
    bytes_of_case(out - MARGIN, length + 2 * MARGIN);
}
