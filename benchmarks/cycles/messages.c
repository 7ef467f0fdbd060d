/* SPDX-License-Identifier: MIT */
/* Runs one case of the benchmarks that `cmaketool bench` measures, and prints nothing.
 *
 *     messages CASE VARIANT COUNT LENGTH
 *
 * Works on COUNT messages of LENGTH bytes. The exit code is 0 when all went well. */
#include <stdlib.h>
#include <string.h>

#include "cmaketool_bench.h"

#define LONGEST 65536

static const char *wanted;
static cmaketool_bench_function *found;
static const void *found_context;

void cmaketool_bench_case(const char *name, cmaketool_bench_function *run, const void *context)
{
    if (strcmp(name, wanted) == 0) {
        found = run;
        found_context = context;
    }
}

int main(int count, char **words)
{
    static uint8_t in[LONGEST + CMAKETOOL_BENCH_ROOM], out[LONGEST + CMAKETOOL_BENCH_ROOM];
    cmaketool_bench_work work = {in, out, 0, 0};
    if (count != 5) {
        return 2;
    }
    wanted = words[1];
    work.repeats = strtoul(words[3], NULL, 10);
    work.size = strtoul(words[4], NULL, 10);
    cmaketool_bench_cases(words[2]);
    if (found == NULL || work.repeats == 0 || work.size > LONGEST) {
        return 2;
    }
    return found(found_context, &work) != 0;
}
