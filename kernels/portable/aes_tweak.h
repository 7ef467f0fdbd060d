/* SPDX-License-Identifier: MIT */
/* The tweak of XTS: 128 bits, little endian in memory. */
#ifndef CMK_PORTABLE_AES_TWEAK_H
#define CMK_PORTABLE_AES_TWEAK_H

#include "bytes.h"

typedef struct tweak128 {
    uint64_t low;
    uint64_t high;
} tweak128;

static inline tweak128 tweak_load(const uint8_t *bytes)
{
    tweak128 tweak = {load64_le(bytes), load64_le(bytes + 8)};
    return tweak;
}

static inline void tweak_store(uint8_t *bytes, tweak128 tweak)
{
    store64_le(bytes, tweak.low);
    store64_le(bytes + 8, tweak.high);
}

/* Times alpha (IEEE 1619 section 5.2): a shift by one bit; what comes out is x^128, that is x^7 + x^2 + x + 1. */
static inline tweak128 tweak_next(tweak128 tweak)
{
    const uint64_t carry = (0 - (tweak.high >> 63)) & 0x87;
    tweak.high = tweak.high << 1 | tweak.low >> 63;
    tweak.low = tweak.low << 1 ^ carry;
    return tweak;
}

#endif
