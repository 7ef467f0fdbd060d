/* SPDX-License-Identifier: MIT */
/* answers --variant NAME: published values, and plain C, against one variant, in TAP. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "both.h"
#include "both_kernels_config.h"

typedef void mix_function(const unsigned char *state, const unsigned char *key, unsigned char *out);

typedef struct vector {
    const char *check;
    unsigned char state[16], key[16], round[16], product[16];
} vector;

/* The first round of FIPS 197 appendix B; the example of Intel's paper on carry-less multiplication (Gueron and
 * Kounavis, 2010). The sum's other half is computed by the definition. */
static const vector published[] = {
    {"mix/fips197",
     {0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b, 0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8, 0x48, 0x08},
     {0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1, 0x23, 0xa3, 0x39, 0x39, 0x2a, 0x6c, 0x76, 0x05},
     {0xa4, 0x9c, 0x7f, 0xf2, 0x68, 0x9f, 0x35, 0x2b, 0x6b, 0x5b, 0xea, 0x43, 0x02, 0x6a, 0x50, 0x49},
     {0xa0, 0xa5, 0x3d, 0x76, 0x45, 0x2c, 0xda, 0xd9, 0x7f, 0x5c, 0xc4, 0xb5, 0x45, 0x6d, 0x1c, 0x12}},
    {"mix/clmul",
     {0x5d, 0x47, 0x53, 0x5d, 0x72, 0x6f, 0x74, 0x63, 0x65, 0x56, 0x74, 0x73, 0x65, 0x54, 0x5b, 0x7b},
     {0x5d, 0x6e, 0x6f, 0x72, 0x65, 0x75, 0x47, 0x5b, 0x29, 0x79, 0x61, 0x68, 0x53, 0x28, 0x69, 0x48},
     {0x95, 0xe5, 0xd7, 0xde, 0x58, 0x4b, 0x10, 0x8b, 0xc5, 0xa3, 0xdb, 0x9f, 0x2f, 0x1c, 0x31, 0xa8},
     {0x51, 0x04, 0x6f, 0xd3, 0xd5, 0x33, 0x96, 0x92, 0xc0, 0x40, 0x34, 0x5c, 0xc8, 0x84, 0x4d, 0x1d}},
};
enum { PUBLISHED = sizeof published / sizeof published[0], RANDOM = 256 };

static const char *variant;
static unsigned checks, failures;

static void print_bytes(const char *label, const unsigned char bytes[16])
{
    printf("#   %s ", label);
    for (int i = 0; i < 16; i++) {
        printf("%02x", bytes[i]);
    }
    printf("\n");
}

static void check(const char *name, unsigned vectors, const unsigned char got[16], const unsigned char want[16])
{
    int equal = memcmp(got, want, 16) == 0;
    printf("%s %u - %s %s %u vectors\n", equal ? "ok" : "not ok", ++checks, name, variant, vectors);
    if (!equal) {
        failures++;
        print_bytes("got ", got);
        print_bytes("want", want);
    }
}

static void check_published(mix_function *mix, const vector *one)
{
    unsigned char got[16], want[16];
    for (int i = 0; i < 16; i++) {
        want[i] = one->round[i] ^ one->product[i];
    }
    mix(one->state, one->key, got);
    check(one->check, 1, got, want);
}

/* Each result is the next state, so the last one tells of all. */
static void check_random(mix_function *mix)
{
    unsigned char got[16] = {1}, want[16] = {1}, key[16];
    uint32_t seed = 46;
    for (int n = 0; n < RANDOM; n++) {
        for (int i = 0; i < 16; i++) {
            seed = seed * 1664525u + 1013904223u;
            key[i] = (unsigned char)(seed >> 24);
        }
        mix(got, key, got);
        both_mix_portable(want, key, want);
    }
    check("mix/plain_c", RANDOM, got, want);
}

static mix_function *find(const char *name)
{
#if BOTH_BUILD_MIX_X86
    if (strcmp(name, "x86") == 0) {
        return both_mix_x86;
    }
#endif
    if (strcmp(name, "dispatch") == 0) {
        return both_mix;
    }
    return strcmp(name, "portable") == 0 ? both_mix_portable : NULL;
}

int main(int count, char **arguments)
{
    mix_function *mix = count == 3 && strcmp(arguments[1], "--variant") == 0 ? find(arguments[2]) : NULL;
    if (mix == NULL) {
        fprintf(stderr, "usage: answers --variant NAME, of a variant that is built in\n");
        return 2;
    }
    variant = arguments[2];
    for (int i = 0; i < PUBLISHED; i++) {
        check_published(mix, &published[i]);
    }
    check_random(mix);
    printf("1..%u\n", checks);
    return failures != 0;
}
