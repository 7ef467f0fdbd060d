/* SPDX-License-Identifier: MIT */
#if defined(__unix__) || defined(__APPLE__)
#define CMK_TESTS_HAVE_MMAP 1
#define _DEFAULT_SOURCE 1 /* MAP_ANONYMOUS */
#endif

#include "buffers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#if defined(CMK_TESTS_HAVE_MMAP)
#include <sys/mman.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

#define GUARD_SIZE ((size_t)65536) /* no page is larger */
#define CANARY_BYTE 0xa5

/* Elsewhere a plain buffer: then only the canaries and the values are checked. */
guarded guarded_make(void)
{
    guarded memory = {NULL, NULL};
#if defined(CMK_TESTS_HAVE_MMAP)
    void *pages = mmap(NULL, 3 * GUARD_SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) {
        memory.begin = (uint8_t *)pages + GUARD_SIZE;
        if (mprotect(memory.begin, GUARD_SIZE, PROT_READ | PROT_WRITE) != 0) {
            memory.begin = NULL;
        }
    }
#elif defined(_WIN32)
    void *pages = VirtualAlloc(NULL, 3 * GUARD_SIZE, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    DWORD before;
    if (pages != NULL) {
        memory.begin = (uint8_t *)pages + GUARD_SIZE;
        if (!VirtualProtect(memory.begin, GUARD_SIZE, PAGE_READWRITE, &before)) {
            memory.begin = NULL;
        }
    }
#else
    memory.begin = malloc(GUARD_SIZE);
#endif
    if (memory.begin == NULL) {
        fputs("no memory for guarded buffers\n", stderr);
        exit(2);
    }
    memory.end = memory.begin + GUARD_SIZE;
    return memory;
}

void fill(uint8_t *bytes, size_t length, uint32_t seed)
{
    uint32_t x = seed * 2654435761u + 12345u;
    for (size_t i = 0; i < length; i++) {
        x = x * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(x >> 24);
    }
}

static unsigned digit_value(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

size_t from_hex(uint8_t *bytes, const char *digits)
{
    size_t count = 0;
    for (; *digits != '\0'; digits++) {
        if (*digits != ' ') {
            unsigned high = digit_value(*digits++);
            bytes[count++] = (uint8_t)(high << 4 | digit_value(*digits));
        }
    }
    return count;
}

int worth_trying(size_t length)
{
    return length < 33 || (length + 1) % 16 < 3 || length % 5 == 0;
}

void canary_set(uint8_t *bytes, size_t length)
{
    memset(bytes - CANARY_SIZE, CANARY_BYTE, length + 2 * CANARY_SIZE);
}

void canary_check(const uint8_t *bytes, const uint8_t *want, size_t length, const char *what, size_t number)
{
    uint8_t all[CANARY_LENGTH + 2 * CANARY_SIZE];
    canary_set(all + CANARY_SIZE, length);
    if (length != 0) {
        memcpy(all + CANARY_SIZE, want, length);
    }
    tap_equal(bytes - CANARY_SIZE, all, length + 2 * CANARY_SIZE, what, number);
}
