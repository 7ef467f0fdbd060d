/* SPDX-License-Identifier: MIT */
/* Checks and their report in the Test Anything Protocol, version 13.
 *
 * A check is one line: `ok N - <algorithm> <variant> <count> vectors`, or `not ok ...` followed by the first
 * wrong value and the right one. */
#ifndef CMK_TESTS_TAP_H
#define CMK_TESTS_TAP_H

#include <stddef.h>

/* Prints the head. `variant` is what the lines will name, and must outlive the run. */
void tap_start(const char *variant);

/* Begins a check, or goes back to the one of that name that was begun and not ended. At most eight may be open.
 * `algorithm` must outlive the check. */
void tap_begin(const char *algorithm);

/* One vector of the check: `length` bytes that must be equal. `what` and `number` say which vector it is if it
 * is the first wrong one. */
void tap_equal(const void *got, const void *want, size_t length, const char *what, size_t number);

/* One vector of the check: two small numbers. */
void tap_equal_number(unsigned got, unsigned want, const char *what, size_t number);

/* Ends the current check and prints its line. */
void tap_end(void);

/* Prints the plan and answers the exit status: 0, or 1 after a wrong value. */
int tap_finish(void);

#endif
