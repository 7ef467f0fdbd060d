/* SPDX-License-Identifier: MIT */
/* What the benchmarks of a manifest are made of. cmaketool has the main program, the clock and the checksum; the
 * sources that the manifest lists define one function, cmaketool_bench_cases. */
#ifndef CMAKETOOL_BENCH_H
#define CMAKETOOL_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes behind `in` and `out` that are there too, for tags and digests. */
#define CMAKETOOL_BENCH_ROOM 256

/* `in` and `out` have `size` bytes and CMAKETOOL_BENCH_ROOM more. They begin with the same bytes in each run, and the
 * checksum, by which variants are compared, is of all of them at the end. */
typedef struct cmaketool_bench_work {
    uint8_t *in;
    uint8_t *out;
    size_t size;
    size_t repeats;
} cmaketool_bench_work;

/* Does the same thing `repeats` times, each time for `size` bytes; what comes before and after (keys to expand, say)
 * is not counted. Each time should begin with what the last one left, so that none of them can do less unnoticed.
 * Answers 0, or what it likes if that cannot be done. */
typedef int cmaketool_bench_function(const void *context, const cmaketool_bench_work *work);

/* Defined by the benchmarks: calls cmaketool_bench_case for every case that there is for `variant`, which is a name
 * of the manifest's. It is called for each of them, and more than once. */
void cmaketool_bench_cases(const char *variant);

/* `name` is a family of the manifest, or one and what of it is measured behind a slash: "aes_gcm/encrypt". `run` gets
 * the `context`, which is the variant's own: a table of its functions, say. */
void cmaketool_bench_case(const char *name, cmaketool_bench_function *run, const void *context);

#ifdef __cplusplus
}
#endif

#endif
