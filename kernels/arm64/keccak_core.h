/* SPDX-License-Identifier: MIT */
/* Keccak-f[1600] by the EOR3, RAX1, XAR and BCAX instructions, for front ends to include where the target attribute of
 * the feature sha3 is pushed and after dialect.h. A lane is in the low half of a vector; nothing is in the high half.
 *
 * keccak_blocks(lanes, data, rate, blocks): `blocks` times, `rate` bytes at `data` are added to the state and the
 * permutation is done. Lane x + 5 y is a number whose lowest byte comes first in the string of FIPS 202 section 3.1.2.
 * `rate` is one of those of section 6 in bytes, 72, 104, 136, 144 or 168, or 0, where `data` is not read. `data` needs
 * no alignment. 0 blocks change nothing.
 *
 * keccak_f1600(lanes): the permutation. */
#ifndef CMK_ARM64_KECCAK_CORE_H
#define CMK_ARM64_KECCAK_CORE_H

#include <stddef.h>

#include "../portable/keccak_constants.h"
#include "../portable/keccak_lanes.h"
#include "dialect.h"

/* Theta: the sum of column x. */
#define KECCAK_COLUMN(s, x) veor3q_u64(veor3q_u64(s##x##0, s##x##1, s##x##2), s##x##3, s##x##4)

/* Lane (x, y) with what theta adds, turned by rho. */
#define KECCAK_MOVED(s, x, y, rho) vxarq_u64(s##x##y, d##x, 64 - (rho))

/* Chi of row y. */
#define KECCAK_CHI(t, y)                                                                                              \
    t##0##y = vbcaxq_u64(b0##y, b2##y, b1##y);                                                                        \
    t##1##y = vbcaxq_u64(b1##y, b3##y, b2##y);                                                                        \
    t##2##y = vbcaxq_u64(b2##y, b4##y, b3##y);                                                                        \
    t##3##y = vbcaxq_u64(b3##y, b0##y, b4##y);                                                                        \
    t##4##y = vbcaxq_u64(b4##y, b1##y, b0##y);

/* One round (section 3.3), from the lanes s.. to the lanes t... Between, pi gives each lane another place: all of them
 * come there before chi, and the columns one after the other, so that there are never more vectors in use than
 * registers. */
#define KECCAK_ROUND(s, t, constant)                                                                                  \
    c0 = KECCAK_COLUMN(s, 0);                                                                                         \
    c1 = KECCAK_COLUMN(s, 1);                                                                                         \
    c2 = KECCAK_COLUMN(s, 2);                                                                                         \
    c3 = KECCAK_COLUMN(s, 3);                                                                                         \
    c4 = KECCAK_COLUMN(s, 4);                                                                                         \
    d1 = vrax1q_u64(c0, c2);                                                                                          \
    d3 = vrax1q_u64(c2, c4);                                                                                          \
    d0 = vrax1q_u64(c4, c1);                                                                                          \
    d2 = vrax1q_u64(c1, c3);                                                                                          \
    d4 = vrax1q_u64(c3, c0);                                                                                          \
    CMK_IN_ORDER_5(d0, d1, d2, d3, d4);                                                                               \
    b00 = veorq_u64(s##00, d0);                                                                                       \
    b13 = KECCAK_MOVED(s, 0, 1, 36);                                                                                  \
    b21 = KECCAK_MOVED(s, 0, 2, 3);                                                                                   \
    b34 = KECCAK_MOVED(s, 0, 3, 41);                                                                                  \
    b42 = KECCAK_MOVED(s, 0, 4, 18);                                                                                  \
    CMK_IN_ORDER_5(b00, b13, b21, b34, b42);                                                                          \
    b02 = KECCAK_MOVED(s, 1, 0, 1);                                                                                   \
    b10 = KECCAK_MOVED(s, 1, 1, 44);                                                                                  \
    b23 = KECCAK_MOVED(s, 1, 2, 10);                                                                                  \
    b31 = KECCAK_MOVED(s, 1, 3, 45);                                                                                  \
    b44 = KECCAK_MOVED(s, 1, 4, 2);                                                                                   \
    CMK_IN_ORDER_5(b02, b10, b23, b31, b44);                                                                          \
    b04 = KECCAK_MOVED(s, 2, 0, 62);                                                                                  \
    b12 = KECCAK_MOVED(s, 2, 1, 6);                                                                                   \
    b20 = KECCAK_MOVED(s, 2, 2, 43);                                                                                  \
    b33 = KECCAK_MOVED(s, 2, 3, 15);                                                                                  \
    b41 = KECCAK_MOVED(s, 2, 4, 61);                                                                                  \
    CMK_IN_ORDER_5(b04, b12, b20, b33, b41);                                                                          \
    b01 = KECCAK_MOVED(s, 3, 0, 28);                                                                                  \
    b14 = KECCAK_MOVED(s, 3, 1, 55);                                                                                  \
    b22 = KECCAK_MOVED(s, 3, 2, 25);                                                                                  \
    b30 = KECCAK_MOVED(s, 3, 3, 21);                                                                                  \
    b43 = KECCAK_MOVED(s, 3, 4, 56);                                                                                  \
    CMK_IN_ORDER_5(b01, b14, b22, b30, b43);                                                                          \
    b03 = KECCAK_MOVED(s, 4, 0, 27);                                                                                  \
    b11 = KECCAK_MOVED(s, 4, 1, 20);                                                                                  \
    b24 = KECCAK_MOVED(s, 4, 2, 39);                                                                                  \
    b32 = KECCAK_MOVED(s, 4, 3, 8);                                                                                   \
    b40 = KECCAK_MOVED(s, 4, 4, 14);                                                                                  \
    CMK_IN_ORDER_5(b03, b11, b24, b32, b40);                                                                          \
    KECCAK_CHI(t, 0)                                                                                                  \
    t##00 = veorq_u64(t##00, constant);                                                                               \
    KECCAK_CHI(t, 1)                                                                                                  \
    KECCAK_CHI(t, 2)                                                                                                  \
    KECCAK_CHI(t, 3)                                                                                                  \
    KECCAK_CHI(t, 4)

#define KECCAK_IN_LOW_HALF(half) vcombine_u64(half, vcreate_u64(0))
#define KECCAK_LOAD(x, y) uint64x2_t s##x##y = KECCAK_IN_LOW_HALF(vld1_u64(lanes + x + 5 * y)), t##x##y;
#define KECCAK_STORE(x, y) vst1_u64(lanes + x + 5 * y, vget_low_u64(s##x##y));
#define KECCAK_ADD(x, y)                                                                                              \
    s##x##y = veorq_u64(s##x##y, KECCAK_IN_LOW_HALF(vreinterpret_u64_u8(vld1_u8(data + 8 * (x + 5 * y)))));

static inline void keccak_blocks(uint64_t lanes[25], const uint8_t *data, size_t rate, size_t blocks)
{
    KECCAK_EACH_LANE(KECCAK_LOAD)
    for (; blocks != 0; blocks--, data += rate) {
        uint64x2_t c0, c1, c2, c3, c4, d0, d1, d2, d3, d4;
        uint64x2_t b00, b10, b20, b30, b40, b01, b11, b21, b31, b41, b02, b12, b22, b32, b42, b03, b13, b23, b33, b43;
        uint64x2_t b04, b14, b24, b34, b44;
        KECCAK_ADD_BLOCK
        for (const uint64_t *k = keccak_constants; k != keccak_constants + 24; k += 2) {
            KECCAK_ROUND(s, t, vld1q_dup_u64(k))
            KECCAK_ROUND(t, s, vld1q_dup_u64(k + 1))
        }
    }
    KECCAK_EACH_LANE(KECCAK_STORE)
}

static inline void keccak_f1600(uint64_t lanes[25])
{
    keccak_blocks(lanes, (const uint8_t *)lanes, 0, 1);
}

#endif
