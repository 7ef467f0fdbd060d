/* Included before all else: the generated C's two instructions, executed by the driver.
 *
 * A macro that looks like a function takes the place of __asm__ only where a parenthesis follows, which the C
 * library's headers also have: they come first. */
#ifndef FAKE_ASM_H
#define FAKE_ASM_H

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__aarch64__)
uint64_t fake_mrs(const char *text);
#define __asm__(...) (midr = fake_mrs(#__VA_ARGS__))
#else
void fake_xgetbv(const char *text, uint32_t *low, uint32_t *high);
#define __asm__(...) fake_xgetbv(#__VA_ARGS__, &low, &high)
#endif

#endif
