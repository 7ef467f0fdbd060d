/* SPDX-License-Identifier: MIT */
/* Numbers from and to bytes on any byte order and alignment, and the wipe. */
#ifndef CMK_PORTABLE_BYTES_H
#define CMK_PORTABLE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t load32_le(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void store32_le(uint8_t *p, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    memcpy(p, bytes, 4);
}

static inline uint32_t load32_be(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

static inline void store32_be(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

static inline uint64_t load64_be(const uint8_t *p)
{
    return (uint64_t)load32_be(p) << 32 | load32_be(p + 4);
}

static inline void store64_be(uint8_t *p, uint64_t value)
{
    store32_be(p, (uint32_t)(value >> 32));
    store32_be(p + 4, (uint32_t)value);
}

/* Zeros that stay: the compiler may not assume what a volatile pointer points to, so it may not leave out
 * the call, although nobody reads the memory again. */
static inline void wipe(void *memory, size_t length)
{
    static void *(*const volatile set)(void *, int, size_t) = memset;
    set(memory, 0, length);
}

#endif
