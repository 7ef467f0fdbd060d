/* SPDX-License-Identifier: MIT */
/* The 25 lanes of Keccak's state by their names x and y, for cores that have each in a variable of its own. */
#ifndef CMK_PORTABLE_KECCAK_LANES_H
#define CMK_PORTABLE_KECCAK_LANES_H

/* DO(x, y) for the lanes in their order. */
#define KECCAK_EACH_LANE(DO)                                                                                          \
    DO(0, 0) DO(1, 0) DO(2, 0) DO(3, 0) DO(4, 0)                                                                      \
    DO(0, 1) DO(1, 1) DO(2, 1) DO(3, 1) DO(4, 1)                                                                      \
    DO(0, 2) DO(1, 2) DO(2, 2) DO(3, 2) DO(4, 2)                                                                      \
    DO(0, 3) DO(1, 3) DO(2, 3) DO(3, 3) DO(4, 3)                                                                      \
    DO(0, 4) DO(1, 4) DO(2, 4) DO(3, 4) DO(4, 4)

/* KECCAK_ADD(x, y) for the lanes that a block of `rate` bytes has: those that every rate has, and those that each has
 * more than the one before. */
#define KECCAK_ADD_BLOCK                                                                                              \
    if (rate >= 72) {                                                                                                 \
        KECCAK_ADD(0, 0) KECCAK_ADD(1, 0) KECCAK_ADD(2, 0) KECCAK_ADD(3, 0) KECCAK_ADD(4, 0)                          \
        KECCAK_ADD(0, 1) KECCAK_ADD(1, 1) KECCAK_ADD(2, 1) KECCAK_ADD(3, 1)                                           \
    }                                                                                                                 \
    if (rate >= 104) {                                                                                                \
        KECCAK_ADD(4, 1) KECCAK_ADD(0, 2) KECCAK_ADD(1, 2) KECCAK_ADD(2, 2)                                           \
    }                                                                                                                 \
    if (rate >= 136) {                                                                                                \
        KECCAK_ADD(3, 2) KECCAK_ADD(4, 2) KECCAK_ADD(0, 3) KECCAK_ADD(1, 3)                                           \
    }                                                                                                                 \
    if (rate >= 144) {                                                                                                \
        KECCAK_ADD(2, 3)                                                                                              \
    }                                                                                                                 \
    if (rate >= 168) {                                                                                                \
        KECCAK_ADD(3, 3) KECCAK_ADD(4, 3) KECCAK_ADD(0, 4)                                                            \
    }

#endif
