/* A machine made of words: `driver COMMAND...` sets the answers of its operating system and CPU, and asks the
 * generated C what it makes of them, in the order of the commands; `-` reads further ones from standard input, one
 * a line. What an answer is for does not depend on the system that the generated C was compiled for.
 *
 *   hwcap=N midr=N secure=N setugid=N        AT_HWCAP, MIDR_EL1, AT_SECURE, issetugid()
 *   sysctl=NAME,SIZE,VALUE                   one more name; all others are unknown
 *   present=N                                one more number that IsProcessorFeaturePresent confirms
 *   cpuid=LEAF,EAX,EBX,ECX,EDX xcr0=N        sub-leaf 0; leaf 0's EAX is the last leaf
 *   env=HEX unset                            the variable's value, in hexadecimal; no variable
 *   files=N                                  no more than N open files
 *   features fill word decide report call race=N asked
 */
#define _GNU_SOURCE
#include "policies.h"
#include "policies_cpu.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "apple/sys/sysctl.h"
#include "cl/intrin.h"
#include "windows/windows.h"

unsigned long fake_getauxval(unsigned long type);
int elf_aux_info(int what, void *answer, int size);
int issetugid(void);
void fake_cpuid(unsigned leaf, unsigned subleaf, unsigned answer[4]);
uint64_t fake_mrs(const char *text);
void fake_xgetbv(const char *text, uint32_t *low, uint32_t *high);

#define VARIABLE "POL_CPU_FEATURES"
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct value {
    char name[64];
    size_t size;
    uint64_t value;
};

static struct {
    unsigned long hwcap, secure;
    int setugid;
    uint64_t midr, xcr0;
    struct value sysctls[16];
    size_t sysctl_count;
    unsigned present[8];
    size_t present_count;
    unsigned cpuid[8][5];
    size_t cpuid_count;
} world;

/* What was asked, to be seen by `asked`. Threads may ask at once. */
static unsigned mrs_count, xgetbv_count;
static char sysctls_asked[1024];

static void fail(const char *what)
{
    fprintf(stderr, "driver: %s\n", what);
    exit(99);
}

/* The answers */

unsigned long fake_getauxval(unsigned long type)
{
    if (type == 16) {
        return world.hwcap;
    }
    if (type == 23) {
        return world.secure;
    }
    errno = ENOENT;
    return 0;
}

int elf_aux_info(int what, void *answer, int size)
{
    if (what != 25) {
        return ENOENT;
    }
    if (size != (int)sizeof world.hwcap) {
        return EINVAL;
    }
    memcpy(answer, &world.hwcap, sizeof world.hwcap);
    return 0;
}

int issetugid(void)
{
    return world.setugid;
}

int sysctlbyname(const char *name, void *answer, size_t *size, void *wanted, size_t wanted_size)
{
    size_t at = strlen(sysctls_asked), one;
    if (wanted != NULL || wanted_size != 0) {
        fail("sysctlbyname was asked to set something");
    }
    snprintf(sysctls_asked + at, sizeof sysctls_asked - at, " %s", name);
    for (one = 0; one < world.sysctl_count; one++) {
        const struct value *found = &world.sysctls[one];
        if (strcmp(found->name, name) == 0) {
            if (*size < found->size) {
                errno = ENOMEM;
                return -1;
            }
            memcpy(answer, &found->value, found->size); /* its low end: the CPU is little-endian */
            *size = found->size;
            return 0;
        }
    }
    errno = ENOENT;
    return -1;
}

BOOL IsProcessorFeaturePresent(DWORD feature)
{
    size_t one;
    for (one = 0; one < world.present_count; one++) {
        if (world.present[one] == feature) {
            return 1;
        }
    }
    return 0;
}

DWORD GetEnvironmentVariableA(const char *name, char *buffer, DWORD size)
{
    const char *found = getenv(name);
    size_t length;
    if (found == NULL) {
        return 0;
    }
    length = strlen(found);
    if (length >= size) {
        return (DWORD)length + 1; /* what it would take; the buffer's content is undefined */
    }
    memcpy(buffer, found, length + 1);
    return (DWORD)length;
}

void fake_cpuid(unsigned leaf, unsigned subleaf, unsigned answer[4])
{
    unsigned last = 0;
    size_t one;
    /* Beyond its last leaf a CPU answers with something else's data. */
    memset(answer, 0xff, 4 * sizeof answer[0]);
    for (one = 0; one < world.cpuid_count; one++) {
        last = world.cpuid[one][0] == 0 ? world.cpuid[one][1] : last;
    }
    if (leaf > last) {
        return;
    }
    memset(answer, 0, 4 * sizeof answer[0]);
    for (one = 0; one < world.cpuid_count; one++) {
        if (world.cpuid[one][0] == leaf && subleaf == 0) {
            memcpy(answer, &world.cpuid[one][1], 4 * sizeof answer[0]);
        }
    }
}

void __cpuidex(int answer[4], int leaf, int subleaf)
{
    fake_cpuid((unsigned)leaf, (unsigned)subleaf, (unsigned *)answer);
}

uint64_t fake_mrs(const char *text)
{
    if (strstr(text, "mrs ") == NULL || strstr(text, "midr_el1") == NULL) {
        fail(text);
    }
    __atomic_fetch_add(&mrs_count, 1, __ATOMIC_RELAXED);
    return world.midr;
}

void fake_xgetbv(const char *text, uint32_t *low, uint32_t *high)
{
    if (strstr(text, "xgetbv") == NULL) {
        fail(text);
    }
    __atomic_fetch_add(&xgetbv_count, 1, __ATOMIC_RELAXED);
    *low = (uint32_t)world.xcr0;
    *high = (uint32_t)(world.xcr0 >> 32);
}

unsigned long long _xgetbv(unsigned index)
{
    if (index != 0) {
        fail("_xgetbv was asked for another register");
    }
    __atomic_fetch_add(&xgetbv_count, 1, __ATOMIC_RELAXED);
    return world.xcr0;
}

int __iso_volatile_load32(const volatile int *at)
{
    return *at;
}

void __iso_volatile_store32(volatile int *at, int value)
{
    *at = value;
}

long _InterlockedExchangeAdd(long volatile *at, long value)
{
    return __atomic_fetch_add((volatile int *)at, (int)value, __ATOMIC_SEQ_CST);
}

/* The questions */

static void show_decision(void)
{
    pol_cpu_decision decision;
    memset(&decision, 0xa5, sizeof decision);
    pol_cpu_decide(&decision);
    printf("decide detected=%" PRIx32 " decided=%" PRIx32 " override=%d\n", decision.detected, decision.decided,
           (int)decision.override);
}

/* The report, asked for in three ways that must agree. */
static void show_report(void)
{
    char text[4096], small[32];
    size_t length = pol_cpu_report(NULL, 0), again = pol_cpu_report(text, sizeof text);
    if (length >= sizeof text || again != length || strlen(text) != length) {
        fail("the report's length is wrong");
    }
    if (pol_cpu_report(small, sizeof small) != length || memcmp(small, text, sizeof small - 1) != 0 ||
        small[sizeof small - 1] != '\0') {
        fail("a short report is not the beginning of the long one");
    }
    fputs(text, stdout);
}

static const char *digest(void)
{
    const char *variant = NULL;
    pol_digest(&variant);
    return variant;
}

static void calls(char *text, size_t size)
{
    snprintf(text, size, "ghash=%s digest=%s sha3=%s,%s first=%s blocks=%s", pol_ghash(0), digest(), pol_sha3(),
             pol_sha3_blocks(NULL, 0), pol_first(), pol_blocks());
}

/* Threads that ask for the first time, all at once */

static pthread_barrier_t start;

struct answers {
    uint32_t word;
    char calls[256], report[4096];
};

static void *ask(void *argument)
{
    struct answers *mine = argument;
    pthread_barrier_wait(&start);
    calls(mine->calls, sizeof mine->calls);
    mine->word = pol_cpu_features();
    pol_cpu_report(mine->report, sizeof mine->report);
    return NULL;
}

static void race(unsigned count)
{
    pthread_t threads[64];
    static struct answers answers[64];
    unsigned one;
    if (count > LENGTH(threads) || pthread_barrier_init(&start, NULL, count) != 0) {
        fail("so many threads cannot be had");
    }
    for (one = 0; one < count; one++) {
        if (pthread_create(&threads[one], NULL, ask, &answers[one]) != 0) {
            fail("a thread cannot be had");
        }
    }
    for (one = 0; one < count; one++) {
        pthread_join(threads[one], NULL);
        printf("race features=%" PRIx32 " %s\n", answers[one].word, answers[one].calls);
        if (strcmp(answers[one].report, answers[0].report) != 0) {
            fail("two threads got different reports");
        }
    }
    fputs(answers[0].report, stdout);
}

/* Commands */

static void set_variable(const char *hex)
{
    static char text[16384];
    size_t length;
    unsigned byte;
    for (length = 0; length < sizeof text - 1 && sscanf(hex + 2 * length, "%2x", &byte) == 1; length++) {
        text[length] = (char)byte;
    }
    text[length] = '\0';
    setenv(VARIABLE, text, 1);
}

static void limit_files(unsigned count)
{
    struct rlimit limit = {count, count};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        fail("the number of open files cannot be limited");
    }
}

static void add_sysctl(const char *text)
{
    struct value *one = &world.sysctls[world.sysctl_count++];
    if (world.sysctl_count > LENGTH(world.sysctls) ||
        sscanf(text, "%63[^,],%zu,%" SCNu64, one->name, &one->size, &one->value) != 3 || one->size > 8) {
        fail(text);
    }
}

static void add_cpuid(const char *text)
{
    unsigned *one = world.cpuid[world.cpuid_count++];
    if (world.cpuid_count > LENGTH(world.cpuid) ||
        sscanf(text, "%u,%x,%x,%x,%x", &one[0], &one[1], &one[2], &one[3], &one[4]) != 5) {
        fail(text);
    }
}

static void set(const char *name, const char *value)
{
    unsigned long long number = strtoull(value, NULL, 0);
    if (strcmp(name, "hwcap") == 0) {
        world.hwcap = (unsigned long)number;
    } else if (strcmp(name, "midr") == 0) {
        world.midr = number;
    } else if (strcmp(name, "secure") == 0) {
        world.secure = (unsigned long)number;
    } else if (strcmp(name, "setugid") == 0) {
        world.setugid = (int)number;
    } else if (strcmp(name, "xcr0") == 0) {
        world.xcr0 = number;
    } else if (strcmp(name, "present") == 0 && world.present_count < LENGTH(world.present)) {
        world.present[world.present_count++] = (unsigned)number;
    } else if (strcmp(name, "sysctl") == 0) {
        add_sysctl(value);
    } else if (strcmp(name, "cpuid") == 0) {
        add_cpuid(value);
    } else if (strcmp(name, "env") == 0) {
        set_variable(value);
    } else if (strcmp(name, "files") == 0) {
        limit_files((unsigned)number);
    } else if (strcmp(name, "race") == 0) {
        race((unsigned)number);
    } else {
        fail(name);
    }
}

static void answer(const char *name)
{
    char text[256];
    if (strcmp(name, "unset") == 0) {
        unsetenv(VARIABLE);
    } else if (strcmp(name, "features") == 0) {
        printf("features=%" PRIx32 "\n", pol_cpu_features());
    } else if (strcmp(name, "fill") == 0) {
        printf("fill=%" PRIx32 "\n", pol_cpu_fill());
    } else if (strcmp(name, "word") == 0) {
        printf("word=%" PRIx32 "\n", __atomic_load_n(&pol_cpu_word, __ATOMIC_RELAXED));
    } else if (strcmp(name, "decide") == 0) {
        show_decision();
    } else if (strcmp(name, "report") == 0) {
        show_report();
    } else if (strcmp(name, "call") == 0) {
        calls(text, sizeof text);
        printf("call %s\n", text);
    } else if (strcmp(name, "asked") == 0) {
        printf("asked mrs=%u xgetbv=%u sysctl=%s\n", mrs_count, xgetbv_count, sysctls_asked);
    } else {
        fail(name);
    }
}

static void obey(char *command)
{
    char *equals = strchr(command, '=');
    if (equals == NULL) {
        answer(command);
    } else {
        *equals = '\0';
        set(command, equals + 1);
    }
}

static void obey_input(void)
{
    static char line[65536];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        obey(line);
    }
}

int main(int count, char **words)
{
    int one;
    for (one = 1; one < count; one++) {
        if (strcmp(words[one], "-") == 0) {
            obey_input();
        } else {
            obey(words[one]);
        }
    }
    return 0;
}
