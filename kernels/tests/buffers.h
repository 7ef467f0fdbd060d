/* SPDX-License-Identifier: MIT */
/* Memory that shows what a kernel touched: between unreadable pages, or between known bytes. */
#ifndef CMK_TESTS_BUFFERS_H
#define CMK_TESTS_BUFFERS_H

#include <stddef.h>
#include <stdint.h>

#define CANARY_SIZE 48

/* With mmap or VirtualAlloc, the byte before `begin` and the byte at `end` are on pages that fault when they
 * are touched. At least 4096 bytes, on a page boundary at both sides; made once and never given back. */
typedef struct guarded {
    uint8_t *begin;
    uint8_t *end;
} guarded;

guarded guarded_make(void);

/* Bytes that look random and are the same in every run. */
void fill(uint8_t *bytes, size_t length, uint32_t seed);

/* Digits to bytes; answers the number of bytes. The text holds digits and spaces only. */
size_t from_hex(uint8_t *bytes, const char *digits);

/* Whether a length or a place is one to try where not all can be: it is small, at a block's end or beside one, or one
 * of five others. */
int worth_trying(size_t length);

/* Known bytes over `length` and over CANARY_SIZE bytes on either side of `bytes`. */
void canary_set(uint8_t *bytes, size_t length);

/* One vector of the current check: at `bytes` is `want`, and around it is still what canary_set put there.
 * `length` is at most CANARY_LENGTH. */
#define CANARY_LENGTH 1300
void canary_check(const uint8_t *bytes, const uint8_t *want, size_t length, const char *what, size_t number);

#endif
