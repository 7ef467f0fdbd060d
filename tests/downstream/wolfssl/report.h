/* Groups of cases and what came of them: one line for each group, which must be the same whatever is inside wolfSSL. */
#ifndef REPORT_H
#define REPORT_H

#ifndef WOLFSSL_USER_SETTINGS
#include <wolfssl/options.h>
#endif
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/types.h>

#define MOST 8192   /* bytes of the longest input */
#define MARGIN 64   /* bytes around an output that must stay as they are */
#define ALIGNMENTS 16

/* Bytes that look random and are the same in every run. */
void fill(byte *bytes, word32 length, word32 seed);

/* Only the groups that are named so, eight at most, and their cases one by one. */
void report_only(const char *name);

/* A group begins, unless only others were asked for: then 0. */
int group(const char *name);
/* What belongs to the current case, in the order in which it comes. */
void bytes_of_case(const void *bytes, size_t length);
void number_of_case(long number);
/* The current case ends; where groups were asked for it is printed. */
void case_done(void);
void group_done(void);

/* The input, at one of the offsets from an aligned address, and as long as MOST; its bytes depend on the offset. */
const byte *input(word32 offset);
/* An output of `length` bytes at an offset, all known bytes, or a copy of `in` in its place. */
byte *output(word32 offset, word32 length, const byte *in);
/* It, and what is around it, belongs to the case. */
void output_of_case(word32 length);

#endif
