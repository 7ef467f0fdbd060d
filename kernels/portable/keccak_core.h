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
 * A64 turns an operand of an exclusive or, or of a BIC, within the same instruction. There no lane is turned where the
 * standard says so (rho): it stays as it is, and how far it should have been turned is known for each lane at each
 * place, the same in every round. Two lanes that meet are brought together by turning one of them as they meet. What
 * is written below is the same for all compilers; only the numbers differ, and where they are all 0 lanes are turned
 * by rho at once. That is so where the CPU cannot turn an operand for nothing, and on systems that are mostly run by
 * cores on which it takes longer: those of Apple, and of Qualcomm (Windows). */
#ifndef CMK_PORTABLE_KECCAK_CORE_H
#define CMK_PORTABLE_KECCAK_CORE_H

#include "bytes.h"
#include "keccak_constants.h"
#include "keccak_lanes.h"

#if defined(__aarch64__) && defined(__GNUC__) && !defined(__APPLE__) && !defined(_WIN32)
#define KECCAK_LAZY 1
#else
#define KECCAK_LAZY 0
#endif

/* By how many bits to the left lane (x, y) is yet to be turned between rounds; and the sum of a column, and what theta
 * makes of its neighbours for it. GCC 12 turns an operand of BIC by at most 32, which these make do with. */
#if KECCAK_LAZY
enum {
    lag00 = 0, lag10 = 1, lag20 = 31, lag30 = 48, lag40 = 57,
    lag01 = 55, lag11 = 21, lag21 = 45, lag31 = 8, lag41 = 37,
    lag02 = 42, lag12 = 51, lag22 = 52, lag32 = 9, lag42 = 26,
    lag03 = 20, lag13 = 27, lag23 = 51, lag33 = 2, lag43 = 19,
    lag04 = 8, lag14 = 18, lag24 = 40, lag34 = 43, lag44 = 43,
    lag_c0 = lag00, lag_c1 = lag10, lag_c2 = lag24, lag_c3 = lag32, lag_c4 = lag42,
    lag_d0 = lag_c1 + 1, lag_d1 = lag_c2 + 1, lag_d2 = lag_c3 + 1, lag_d3 = lag_c4 + 1, lag_d4 = lag_c0 + 1
};
#else
enum {
    lag00 = 0, lag10 = 0, lag20 = 0, lag30 = 0, lag40 = 0,
    lag01 = 0, lag11 = 0, lag21 = 0, lag31 = 0, lag41 = 0,
    lag02 = 0, lag12 = 0, lag22 = 0, lag32 = 0, lag42 = 0,
    lag03 = 0, lag13 = 0, lag23 = 0, lag33 = 0, lag43 = 0,
    lag04 = 0, lag14 = 0, lag24 = 0, lag34 = 0, lag44 = 0,
    lag_c0 = 0, lag_c1 = 0, lag_c2 = 0, lag_c3 = 0, lag_c4 = 0,
    lag_d0 = 0, lag_d1 = 0, lag_d2 = 0, lag_d3 = 0, lag_d4 = 0
};
#endif

/* `lane`, yet to be turned by `from` bits to the left, so that it is yet to be turned by `to`. */
#define KECCAK_TURN(lane, from, to) keccak_turn(lane, (unsigned)((to) - (from)) % 64)

static inline uint64_t keccak_turn(uint64_t lane, unsigned bits)
{
    return lane >> bits | lane << (64 - bits) % 64;
}

/* Theta: the sum of column x, its lanes in the order y0 to y4. */
#define KECCAK_JOIN(sum, s, x, y0, y) (s##x##y ^ KECCAK_TURN(sum, lag##x##y0, lag##x##y))
#define KECCAK_COLUMN(s, x, y0, y1, y2, y3, y4)                                                                       \
    KECCAK_JOIN(KECCAK_JOIN(KECCAK_JOIN(KECCAK_JOIN(s##x##y0, s, x, y0, y1), s, x, y1, y2), s, x, y2, y3), s, x, y3,  \
                y4)

/* What theta adds to the lanes of column x: the sums of the columns before and, turned by one, after. */
#define KECCAK_SIDES(x, before, after)                                                                                \
    (KECCAK_TURN(c##before, lag_c##before, lag_d##x) ^ KECCAK_TURN(c##after, lag_c##after + 1, lag_d##x))

/* Lane (x, y) with what theta adds, turned by rho, for pi's (to_x, to_y): in two instructions if it may wait. */
#define KECCAK_MEETING(rho, to_x, to_y) (KECCAK_LAZY ? lag##to_x##to_y - (rho) : 0)
#define KECCAK_MOVED(s, x, y, rho, to_x, to_y)                                                                        \
    KECCAK_TURN(KECCAK_TURN(s##x##y, lag##x##y, KECCAK_MEETING(rho, to_x, to_y)) ^                                    \
                    KECCAK_TURN(d##x, lag_d##x, KECCAK_MEETING(rho, to_x, to_y)),                                     \
                KECCAK_MEETING(rho, to_x, to_y) + (rho), lag##to_x##to_y)

/* Chi: lane (x, y) from it and the next two. */
#define KECCAK_CHI(t, y, x, x1, x2)                                                                                   \
    t##x##y = b##x ^ KECCAK_TURN(b##x2 & ~KECCAK_TURN(b##x1, lag##x1##y, lag##x2##y), lag##x2##y, lag##x##y);

/* Row y after chi. Lane x of it comes from row x, from the column and with the rotation given. */
#define KECCAK_ROW(s, t, y, x0, r0, x1, r1, x2, r2, x3, r3, x4, r4)                                                   \
    b0 = KECCAK_MOVED(s, x0, 0, r0, 0, y);                                                                            \
    b1 = KECCAK_MOVED(s, x1, 1, r1, 1, y);                                                                            \
    b2 = KECCAK_MOVED(s, x2, 2, r2, 2, y);                                                                            \
    b3 = KECCAK_MOVED(s, x3, 3, r3, 3, y);                                                                            \
    b4 = KECCAK_MOVED(s, x4, 4, r4, 4, y);                                                                            \
    KECCAK_CHI(t, y, 0, 1, 2)                                                                                         \
    KECCAK_CHI(t, y, 1, 2, 3)                                                                                         \
    KECCAK_CHI(t, y, 2, 3, 4)                                                                                         \
    KECCAK_CHI(t, y, 3, 4, 0)                                                                                         \
    KECCAK_CHI(t, y, 4, 0, 1)

/* 25 lanes and theta's five are all but what registers there are. Compilers that mix rows run out of them: after this,
 * nothing of the next row is done before row y. It writes no instruction. */
#if KECCAK_LAZY
#define KECCAK_ROW_ENDS(t, y)                                                                                         \
    __asm__ volatile("" : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3), "+r"(d4), "+r"(t##0##y), "+r"(t##1##y),             \
                     "+r"(t##2##y), "+r"(t##3##y), "+r"(t##4##y));
#else
#define KECCAK_ROW_ENDS(t, y)
#endif

/* One round (section 3.3), from the lanes s.. to the lanes t... */
#define KECCAK_ROUND(s, t, constant)                                                                                  \
    c0 = KECCAK_COLUMN(s, 0, 1, 2, 3, 4, 0);                                                                          \
    c1 = KECCAK_COLUMN(s, 1, 1, 2, 3, 4, 0);                                                                          \
    c2 = KECCAK_COLUMN(s, 2, 0, 1, 2, 3, 4);                                                                          \
    c3 = KECCAK_COLUMN(s, 3, 0, 1, 3, 4, 2);                                                                          \
    c4 = KECCAK_COLUMN(s, 4, 0, 1, 3, 4, 2);                                                                          \
    d1 = KECCAK_SIDES(1, 0, 2);                                                                                       \
    d3 = KECCAK_SIDES(3, 2, 4);                                                                                       \
    d0 = KECCAK_SIDES(0, 4, 1);                                                                                       \
    d2 = KECCAK_SIDES(2, 1, 3);                                                                                       \
    d4 = KECCAK_SIDES(4, 3, 0);                                                                                       \
    KECCAK_ROW(s, t, 0, 0, 0, 1, 44, 2, 43, 3, 21, 4, 14)                                                             \
    t##00 ^= constant;                                                                                                \
    KECCAK_ROW_ENDS(t, 0)                                                                                             \
    KECCAK_ROW(s, t, 1, 3, 28, 4, 20, 0, 3, 1, 45, 2, 61)                                                             \
    KECCAK_ROW_ENDS(t, 1)                                                                                             \
    KECCAK_ROW(s, t, 2, 1, 1, 2, 6, 3, 25, 4, 8, 0, 18)                                                               \
    KECCAK_ROW_ENDS(t, 2)                                                                                             \
    KECCAK_ROW(s, t, 3, 4, 27, 0, 36, 1, 10, 2, 15, 3, 56)                                                            \
    KECCAK_ROW_ENDS(t, 3)                                                                                             \
    KECCAK_ROW(s, t, 4, 2, 62, 3, 55, 4, 39, 0, 41, 1, 2)

#define KECCAK_LOAD(x, y) uint64_t s##x##y = KECCAK_TURN(lanes[x + 5 * y], 0, lag##x##y), t##x##y;
#define KECCAK_STORE(x, y) lanes[x + 5 * y] = KECCAK_TURN(s##x##y, lag##x##y, 0);
#define KECCAK_ADD(x, y) s##x##y ^= KECCAK_TURN(load64_le(data + 8 * (x + 5 * y)), 0, lag##x##y);

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
