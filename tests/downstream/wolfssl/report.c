#include "report.h"

#include <stdio.h>
#include <string.h>

#define START 0xcbf29ce484222325u /* FNV-1a, 64 bits */
#define PRIME 0x100000001b3u

static const char *wanted; /* one group, or all of them */
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
    wanted = name;
}

int group(const char *name)
{
    current = name;
    cases = 0;
    of_group = of_case = START;
    return wanted == NULL || strcmp(wanted, name) == 0;
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
    if (wanted != NULL) {
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
