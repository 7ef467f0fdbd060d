/* SPDX-License-Identifier: MIT */
/* Blocks from one array. A block is given back only if it is the newest: programs here ask for little. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_SIZE ((size_t)16 << 20)
#define UNIT ((size_t)16)

/* Before each block stands its size, in a unit of its own. */
static __declspec(align(16)) uint8_t arena[ARENA_SIZE];
static size_t used;

static size_t *size_of(void *memory)
{
    return (size_t *)((uint8_t *)memory - UNIT);
}

void *malloc(size_t size)
{
    uint8_t *memory = arena + used + UNIT;
    size_t rounded = (size + UNIT - 1) / UNIT * UNIT;
    if (size > ARENA_SIZE || ARENA_SIZE - used < UNIT || rounded > ARENA_SIZE - used - UNIT) {
        return NULL;
    }
    used += UNIT + rounded;
    *size_of(memory) = rounded;
    return memory;
}

void free(void *memory)
{
    if (memory != NULL && (uint8_t *)memory + *size_of(memory) == arena + used) {
        used -= UNIT + *size_of(memory);
    }
}

void *calloc(size_t count, size_t size)
{
    void *memory;
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    memory = malloc(count * size);
    return memory == NULL ? NULL : memset(memory, 0, count * size);
}

void *realloc(void *memory, size_t size)
{
    void *other = malloc(size);
    if (other != NULL && memory != NULL) {
        memcpy(other, memory, *size_of(memory) < size ? *size_of(memory) : size);
        free(memory);
    }
    return other;
}
