/* SPDX-License-Identifier: MIT */
/* Four bytes of an AES state in a word, the lowest byte first. */
#ifndef CMK_PORTABLE_AES_WORDS_H
#define CMK_PORTABLE_AES_WORDS_H

#include <stdint.h>

static inline uint32_t rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Each byte times x in GF(2^8) (section 4.2): 0x1b is added, as x^4 + x^3 + x + 1, where x^8 came out. */
static inline uint32_t times_x(uint32_t word)
{
    uint32_t carry = word >> 7 & 0x01010101;
    return (word & 0x7f7f7f7f) << 1 ^ carry << 4 ^ carry << 3 ^ carry << 1 ^ carry;
}

#endif
