/* SPDX-License-Identifier: MIT */
/* Keccak-f[1600] in plain C (FIPS 202 section 3), for front ends to include.
 *
 * keccak_f1600(lanes): the permutation in place. Lane x + 5 y is a number whose lowest byte comes first in the string
 * of section 3.1.2. */
#ifndef CMK_PORTABLE_KECCAK_CORE_H
#define CMK_PORTABLE_KECCAK_CORE_H

#include "bytes.h"

/* Section 3.2.5. */
static const uint64_t keccak_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static inline uint64_t keccak_rotate(uint64_t lane, unsigned bits)
{
    return lane << bits | lane >> (64 - bits);
}

/* Row y of the result: `b0` to `b4` come there by rho and pi, then chi. */
#define KECCAK_CHI(to, y, b0, b1, b2, b3, b4)                                                                         \
    {                                                                                                                 \
        const uint64_t r0 = b0, r1 = b1, r2 = b2, r3 = b3, r4 = b4;                                                   \
        to[5 * y] = r0 ^ (~r1 & r2);                                                                                  \
        to[5 * y + 1] = r1 ^ (~r2 & r3);                                                                              \
        to[5 * y + 2] = r2 ^ (~r3 & r4);                                                                              \
        to[5 * y + 3] = r3 ^ (~r4 & r0);                                                                              \
        to[5 * y + 4] = r4 ^ (~r0 & r1);                                                                              \
    }

/* Lane `at` after theta, turned by `bits`; `at` mod 5 is its column. */
#define KECCAK_MOVED(from, at, column, bits) keccak_rotate(from[at] ^ d##column, bits)
#define KECCAK_SUM(from, x) (from[x] ^ from[x + 5] ^ from[x + 10] ^ from[x + 15] ^ from[x + 20])

/* One round (section 3.3) from one array into another, so that no lane has to wait for its place. */
static inline void keccak_round(uint64_t to[25], const uint64_t from[25], uint64_t constant)
{
    const uint64_t c0 = KECCAK_SUM(from, 0), c1 = KECCAK_SUM(from, 1), c2 = KECCAK_SUM(from, 2);
    const uint64_t c3 = KECCAK_SUM(from, 3), c4 = KECCAK_SUM(from, 4);
    const uint64_t d0 = c4 ^ keccak_rotate(c1, 1), d1 = c0 ^ keccak_rotate(c2, 1), d2 = c1 ^ keccak_rotate(c3, 1);
    const uint64_t d3 = c2 ^ keccak_rotate(c4, 1), d4 = c3 ^ keccak_rotate(c0, 1);

    KECCAK_CHI(to, 0, from[0] ^ d0, KECCAK_MOVED(from, 6, 1, 44), KECCAK_MOVED(from, 12, 2, 43),
               KECCAK_MOVED(from, 18, 3, 21), KECCAK_MOVED(from, 24, 4, 14))
    to[0] ^= constant;
    KECCAK_CHI(to, 1, KECCAK_MOVED(from, 3, 3, 28), KECCAK_MOVED(from, 9, 4, 20), KECCAK_MOVED(from, 10, 0, 3),
               KECCAK_MOVED(from, 16, 1, 45), KECCAK_MOVED(from, 22, 2, 61))
    KECCAK_CHI(to, 2, KECCAK_MOVED(from, 1, 1, 1), KECCAK_MOVED(from, 7, 2, 6), KECCAK_MOVED(from, 13, 3, 25),
               KECCAK_MOVED(from, 19, 4, 8), KECCAK_MOVED(from, 20, 0, 18))
    KECCAK_CHI(to, 3, KECCAK_MOVED(from, 4, 4, 27), KECCAK_MOVED(from, 5, 0, 36), KECCAK_MOVED(from, 11, 1, 10),
               KECCAK_MOVED(from, 17, 2, 15), KECCAK_MOVED(from, 23, 3, 56))
    KECCAK_CHI(to, 4, KECCAK_MOVED(from, 2, 2, 62), KECCAK_MOVED(from, 8, 3, 55), KECCAK_MOVED(from, 14, 4, 39),
               KECCAK_MOVED(from, 15, 0, 41), KECCAK_MOVED(from, 21, 1, 2))
}

static inline void keccak_f1600(uint64_t lanes[25])
{
    uint64_t other[25];
    for (unsigned round = 0; round < 24; round += 2) {
        keccak_round(other, lanes, keccak_constants[round]);
        keccak_round(lanes, other, keccak_constants[round + 1]);
    }
    wipe(other, sizeof other);
}

#endif
