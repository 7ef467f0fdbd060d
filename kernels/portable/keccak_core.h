/* SPDX-License-Identifier: MIT */
/* Keccak-f[1600] in plain C (FIPS 202 section 3), for front ends to include.
 *
 * keccak_blocks(lanes, data, rate, blocks): `blocks` times, `rate` bytes at `data` are added to the state and the
 * permutation is done. Lane x + 5 y is a number whose lowest byte comes first in the string of section 3.1.2. `rate`
 * is one of those of section 6 in bytes, 72, 104, 136, 144 or 168, or 0, where `data` is not read. `data` needs no
 * alignment. 0 blocks change nothing.
 *
 * keccak_f1600(lanes): the permutation.
 *
 * A64 can turn an operand within an exclusive or, so that rho could be left to whatever reads a lane: a sixth less
 * time on Arm's Neoverse cores. It is not done. Such an instruction takes Qualcomm's and Apple's cores two cycles, and
 * nearly all would be such: by the model of Oryon 12 cycles per byte in place of 5. With every turn where the standard
 * has it, all cores are within a few percent of the best assembly known (docs/performance.md). */
#ifndef CMK_PORTABLE_KECCAK_CORE_H
#define CMK_PORTABLE_KECCAK_CORE_H

#include "bytes.h"
#include "keccak_constants.h"
#include "keccak_lanes.h"

static inline uint64_t keccak_turn(uint64_t lane, unsigned bits)
{
    return lane << bits | lane >> (64 - bits) % 64;
}

/* Theta: the sum of column x; and what it adds to the lanes of a column, from the sums of those before and after. */
#define KECCAK_COLUMN(s, x) (s##x##0 ^ s##x##1 ^ s##x##2 ^ s##x##3 ^ s##x##4)
#define KECCAK_SIDES(before, after) (before ^ keccak_turn(after, 1))

/* Lane (x, y) with what theta adds, turned by rho. */
#define KECCAK_MOVED(s, x, y, rho) keccak_turn(s##x##y ^ d##x, rho)

/* Row y after pi and chi. Lane x of it comes from row x, from the column and with the rotation given. */
#define KECCAK_ROW(s, t, y, x0, r0, x1, r1, x2, r2, x3, r3, x4, r4)                                                   \
    b0 = KECCAK_MOVED(s, x0, 0, r0);                                                                                  \
    b1 = KECCAK_MOVED(s, x1, 1, r1);                                                                                  \
    b2 = KECCAK_MOVED(s, x2, 2, r2);                                                                                  \
    b3 = KECCAK_MOVED(s, x3, 3, r3);                                                                                  \
    b4 = KECCAK_MOVED(s, x4, 4, r4);                                                                                  \
    t##0##y = b0 ^ (b2 & ~b1);                                                                                        \
    t##1##y = b1 ^ (b3 & ~b2);                                                                                        \
    t##2##y = b2 ^ (b4 & ~b3);                                                                                        \
    t##3##y = b3 ^ (b0 & ~b4);                                                                                        \
    t##4##y = b4 ^ (b1 & ~b0);

/* One round (section 3.3), from the lanes s.. to the lanes t... */
#define KECCAK_ROUND(s, t, constant)                                                                                  \
    c0 = KECCAK_COLUMN(s, 0);                                                                                         \
    c1 = KECCAK_COLUMN(s, 1);                                                                                         \
    c2 = KECCAK_COLUMN(s, 2);                                                                                         \
    c3 = KECCAK_COLUMN(s, 3);                                                                                         \
    c4 = KECCAK_COLUMN(s, 4);                                                                                         \
    d1 = KECCAK_SIDES(c0, c2);                                                                                        \
    d3 = KECCAK_SIDES(c2, c4);                                                                                        \
    d0 = KECCAK_SIDES(c4, c1);                                                                                        \
    d2 = KECCAK_SIDES(c1, c3);                                                                                        \
    d4 = KECCAK_SIDES(c3, c0);                                                                                        \
    KECCAK_ROW(s, t, 0, 0, 0, 1, 44, 2, 43, 3, 21, 4, 14)                                                             \
    t##00 ^= constant;                                                                                                \
    KECCAK_ROW(s, t, 1, 3, 28, 4, 20, 0, 3, 1, 45, 2, 61)                                                             \
    KECCAK_ROW(s, t, 2, 1, 1, 2, 6, 3, 25, 4, 8, 0, 18)                                                               \
    KECCAK_ROW(s, t, 3, 4, 27, 0, 36, 1, 10, 2, 15, 3, 56)                                                            \
    KECCAK_ROW(s, t, 4, 2, 62, 3, 55, 4, 39, 0, 41, 1, 2)

#define KECCAK_LOAD(x, y) uint64_t s##x##y = lanes[x + 5 * y], t##x##y;
#define KECCAK_STORE(x, y) lanes[x + 5 * y] = s##x##y;
#define KECCAK_ADD(x, y) s##x##y ^= load64_le(data + 8 * (x + 5 * y));

static inline void keccak_blocks(uint64_t lanes[25], const uint8_t *data, size_t rate, size_t blocks)
{
    KECCAK_EACH_LANE(KECCAK_LOAD)
    for (; blocks != 0; blocks--, data += rate) {
        uint64_t b0, b1, b2, b3, b4, c0, c1, c2, c3, c4, d0, d1, d2, d3, d4;
        KECCAK_ADD_BLOCK
        for (const uint64_t *k = keccak_constants; k != keccak_constants + 24; k += 2) {
            KECCAK_ROUND(s, t, k[0])
            KECCAK_ROUND(t, s, k[1])
        }
    }
    KECCAK_EACH_LANE(KECCAK_STORE)
}

static inline void keccak_f1600(uint64_t lanes[25])
{
    keccak_blocks(lanes, (const uint8_t *)lanes, 0, 1);
}

#endif
