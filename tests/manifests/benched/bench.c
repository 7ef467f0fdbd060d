#include <string.h>

#include "benched.h"
#include "benched_kernels_config.h"
#include "cmaketool_bench.h"

typedef struct variant {
    uint32_t (*sum)(const uint8_t *bytes, size_t size);
    void (*turn)(uint8_t *bytes, size_t size);
} variant;

static int sum(const void *context, const cmaketool_bench_work *work)
{
    const variant *functions = context;
    for (size_t i = 0; i < work->repeats; i++) {
        const uint32_t got = functions->sum(work->in, work->size);
        memcpy(work->in, &got, sizeof got);
    }
    return 0;
}

/* It cannot be done for 48 bytes: so that there is something that cannot be done. */
static int turn(const void *context, const cmaketool_bench_work *work)
{
    const variant *functions = context;
    for (size_t i = 0; i < work->repeats; i++) {
        functions->turn(work->in, work->size);
    }
    return work->size == 48 ? 7 : 0;
}

void cmaketool_bench_cases(const char *name)
{
#if BENCHED_BUILD_SUMS_ARM64
    static const variant arm64 = {benched_sum_arm64, benched_turn_arm64};
#endif
    static const variant portable = {benched_sum_portable, benched_turn_portable};
    const variant *functions = NULL;
    if (strcmp(name, "portable") == 0) {
        functions = &portable;
    }
#if BENCHED_BUILD_SUMS_ARM64
    if (strcmp(name, "arm64") == 0) {
        functions = &arm64;
    }
#endif
    if (functions != NULL) {
        cmaketool_bench_case("sum", sum, functions);
        cmaketool_bench_case("turn/over", turn, functions);
    }
}
