/* SPDX-License-Identifier: MIT */
/* The main program of benchmarks.
 *
 *   list VARIANT...                   prints "CASE VARIANT" for each case of each
 *   run CASE VARIANT SIZE:REPEATS...  prints "SIZE REPEATS CHECKSUM CLOCK" for each pair, the clock in nanoseconds;
 *                                     "SIZE REPEATS cannot CODE" where the case says that it cannot be done
 *
 * An emulator whose clock counts instructions makes instructions of the nanoseconds. */
#if !defined(_WIN32)
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#endif

#include "cmaketool_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <time.h>
#endif

static const char *listed;  /* the variant whose cases are printed, if that is what is done */
static const char *wanted;  /* else the case to look for, and what was found */
static cmaketool_bench_function *found;
static const void *found_context;

void cmaketool_bench_case(const char *name, cmaketool_bench_function *run, const void *context)
{
    if (listed != NULL) {
        printf("%s %s\n", name, listed);
    } else if (strcmp(name, wanted) == 0) {
        found = run;
        found_context = context;
    }
}

static uint64_t clock_now(void)
{
#if defined(_WIN32)
    LARGE_INTEGER frequency;
    LARGE_INTEGER ticks;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&ticks);
    return (uint64_t)((double)ticks.QuadPart * 1e9 / (double)frequency.QuadPart);
#else
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) {
        fputs("there is no monotonic clock\n", stderr);
        exit(2);
    }
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

/* Bytes that look random and are the same in every run. */
static void fill(uint8_t *bytes, size_t length, uint32_t seed)
{
    uint32_t state = seed;
    for (size_t i = 0; i < length; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
}

/* FNV-1a of 64 bits. */
static uint64_t checksum(uint64_t sum, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    }
    return sum;
}

static uint8_t *memory(size_t length)
{
    uint8_t *bytes = malloc(length);
    if (bytes == NULL) {
        fputs("no memory\n", stderr);
        exit(2);
    }
    return bytes;
}

static void run_pair(size_t size, size_t repeats)
{
    const size_t length = size + CMAKETOOL_BENCH_ROOM;
    const cmaketool_bench_work work = {memory(length), memory(length), size, repeats};
    fill(work.in, length, 1);
    fill(work.out, length, 2);
    clock_now(); /* the first call may cost more */
    const uint64_t before = clock_now();
    const int status = found(found_context, &work);
    const uint64_t after = clock_now();
    if (status != 0) {
        printf("%zu %zu cannot %d\n", size, repeats, status);
    } else {
        const uint64_t sum = checksum(checksum(0xcbf29ce484222325u, work.in, length), work.out, length);
        printf("%zu %zu %016" PRIx64 " %" PRIu64 "\n", size, repeats, sum, after - before);
    }
    free(work.in);
    free(work.out);
}

int main(int count, char **words)
{
    if (count >= 2 && strcmp(words[1], "list") == 0) {
        for (int i = 2; i < count; i++) {
            listed = words[i];
            cmaketool_bench_cases(listed);
        }
        return 0;
    }
    if (count < 4 || strcmp(words[1], "run") != 0) {
        fputs("usage: list VARIANT..., or run CASE VARIANT SIZE:REPEATS...\n", stderr);
        return 2;
    }
    wanted = words[2];
    cmaketool_bench_cases(words[3]);
    if (found == NULL) {
        fprintf(stderr, "there is no case %s of %s\n", words[2], words[3]);
        return 2;
    }
    for (int i = 4; i < count; i++) {
        char *end;
        const unsigned long long size = strtoull(words[i], &end, 10);
        run_pair((size_t)size, *end == ':' ? (size_t)strtoull(end + 1, NULL, 10) : 1);
    }
    return 0;
}
