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

static inline uint64_t load64_le(const uint8_t *p)
{
    return (uint64_t)load32_le(p + 4) << 32 | load32_le(p);
}

static inline void store64_le(uint8_t *p, uint64_t value)
{
    store32_le(p, (uint32_t)value);
    store32_le(p + 4, (uint32_t)(value >> 32));
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

/* The exclusive or of `length` bytes; `out` may be `a` or `b`. 64-bit steps are for speed; through memcpy they need
 * neither alignment nor a byte order. */
static inline void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t length)
{
    size_t i = 0;
    for (; i + 8 <= length; i += 8) {
        uint64_t x, y;
        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        x ^= y;
        memcpy(out + i, &x, 8);
    }
    for (; i < length; i++) {
        out[i] = (uint8_t)(a[i] ^ b[i]);
    }
}

/* Zeros that stay: the compiler may not assume what a volatile pointer points to, so it may not leave out
 * the call, although nobody reads the memory again. */
static inline void wipe(void *memory, size_t length)
{
    static void *(*const volatile set)(void *, int, size_t) = memset;
    set(memory, 0, length);
}

/* Whether two byte strings differ: 0 if they do not. What takes time is their length, not what is in them. */
static inline unsigned differ(const uint8_t *a, const uint8_t *b, size_t length)
{
    unsigned difference = 0;
    for (size_t i = 0; i < length; i++) {
        difference |= (unsigned)(a[i] ^ b[i]);
    }
    return difference;
}

#endif
