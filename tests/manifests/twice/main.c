/* SPDX-License-Identifier: MIT */
/* Prints what each copy computes and decides. */
#include <stdio.h>

#include "first.h"
#include "first_cpu.h"
#include "second.h"
#include "second_cpu.h"

/* FIPS 197 appendix B: at the start of round 1, and its key. */
static const unsigned char start[16] = {0x19, 0x3d, 0xe3, 0xbe, 0xa0, 0xf4, 0xe2, 0x2b,
                                        0x9a, 0xc6, 0x8d, 0x2a, 0xe9, 0xf8, 0x48, 0x08};
static const unsigned char key[16] = {0xa0, 0xfa, 0xfe, 0x17, 0x88, 0x54, 0x2c, 0xb1,
                                      0x23, 0xa3, 0x39, 0x39, 0x2a, 0x6c, 0x76, 0x05};

static void show(void (*round)(unsigned char *, const unsigned char *), size_t (*report)(char *, size_t))
{
    unsigned char state[16];
    char text[2048];
    for (int i = 0; i < 16; i++) {
        state[i] = start[i];
    }
    round(state, key);
    for (int i = 0; i < 16; i++) {
        printf("%02x", state[i]);
    }
    printf("\n");
    report(text, sizeof text);
    printf("%s", text);
}

int main(void)
{
    show(alpha_round, alpha_cpu_report);
    show(beta_round, beta_cpu_report);
    return 0;
}
