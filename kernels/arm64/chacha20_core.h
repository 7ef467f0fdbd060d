/* SPDX-License-Identifier: MIT */
/* ChaCha20 by Advanced SIMD: RFC 8439 sections 2.1 to 2.4.
 *
 * Eight blocks are in flight, in three forms, since none of them alone keeps all units of a CPU busy. Four blocks lie
 * across sixteen vectors, one a lane: no shuffles, and one long chain of rounds. Two more lie along, four vectors
 * each, which must be shuffled between columns and diagonals but wait for something else. The last two, one after the
 * other, are in general registers, whose units have nothing else to do; so each of the vectors' double rounds stands
 * beside two double rounds of theirs.
 *
 * Words of the state have no place in memory that could be wiped: in optimised code they are in registers only, but
 * for what a compiler that runs out of registers puts on the dead stack.
 *
 * A source includes dialect.h, opens its target attribute, and then includes this. Front ends find what they need,
 * variant_chacha20, at the end; its contract is in ../portable/chacha20_frontend.h. */
#ifndef CMK_ARM64_CHACHA20_CORE_H
#define CMK_ARM64_CHACHA20_CORE_H

#include "../portable/chacha20_core.h"

#define WIDE_BLOCKS 8
#define WIDE_SIZE (WIDE_BLOCKS * CMK_CHACHA20_BLOCK_SIZE)

static inline uint32x4_t rotate_16(uint32x4_t vector)
{
    return vreinterpretq_u32_u16(vrev32q_u16(vreinterpretq_u16_u32(vector)));
}

#define ROTATE_16(vector) rotate_16(vector)
#define ROTATE_12(vector) vsriq_n_u32(vshlq_n_u32(vector, 12), vector, 20)
#define ROTATE_8(vector) vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(vector), bytes_rotated))
#define ROTATE_7(vector) vsriq_n_u32(vshlq_n_u32(vector, 7), vector, 25)

/* ---- blocks 0 to 3: v0 to v15, where vector i has word i of each ---------------------------------------- */

#define LANES_ADD(a, b, d) v##a = vaddq_u32(v##a, v##b);
#define LANES_XOR(a, b, d) v##d = veorq_u32(v##d, v##a);
#define LANES_ROTATE_16(a, b, d) v##d = ROTATE_16(v##d);
#define LANES_ROTATE_12(a, b, d) v##d = ROTATE_12(v##d);
#define LANES_ROTATE_8(a, b, d) v##d = ROTATE_8(v##d);
#define LANES_ROTATE_7(a, b, d) v##d = ROTATE_7(v##d);
#define LANES_STEP(WHERE, bits) WHERE(LANES_ADD) WHERE(LANES_XOR) WHERE(LANES_ROTATE_##bits)
#define LANES_LOAD(i) uint32x4_t v##i = vdupq_n_u32(words[i]);

/* From four words of four blocks to four vectors with the words of a block each. */
#define LANES_TO_BLOCKS(a, b, c, d)                                                                                   \
    {                                                                                                                 \
        const uint32x4x2_t upper = vtrnq_u32(v##a, v##b);                                                             \
        const uint32x4x2_t lower = vtrnq_u32(v##c, v##d);                                                             \
        v##a = low_halves_u32(upper.val[0], lower.val[0]);                                                            \
        v##b = low_halves_u32(upper.val[1], lower.val[1]);                                                            \
        v##c = high_halves_u32(upper.val[0], lower.val[0]);                                                           \
        v##d = high_halves_u32(upper.val[1], lower.val[1]);                                                           \
    }

/* ---- blocks 4 and 5: p0 to p3 and q0 to q3, each a row of the state ------------------------------------- */

#define ROWS_STEP(a, b, d, bits)                                                                                      \
    p##a = vaddq_u32(p##a, p##b);                                                                                     \
    q##a = vaddq_u32(q##a, q##b);                                                                                     \
    p##d = veorq_u32(p##d, p##a);                                                                                     \
    q##d = veorq_u32(q##d, q##a);                                                                                     \
    p##d = ROTATE_##bits(p##d);                                                                                       \
    q##d = ROTATE_##bits(q##d);

/* Turns the lower three rows by so many words, which makes columns of diagonals (1, 2, 3) or back (3, 2, 1). */
#define ROWS_TURN(second, third, fourth)                                                                              \
    p1 = vextq_u32(p1, p1, second);                                                                                   \
    q1 = vextq_u32(q1, q1, second);                                                                                   \
    p2 = vextq_u32(p2, p2, third);                                                                                    \
    q2 = vextq_u32(q2, q2, third);                                                                                    \
    p3 = vextq_u32(p3, p3, fourth);                                                                                   \
    q3 = vextq_u32(q3, q3, fourth);

/* ---- all eight ------------------------------------------------------------------------------------------ */

/* Four quarter rounds of the vectors' blocks, eight of the block in general registers, in turn. */
#define WIDE_ROUND(UPPER, LOWER)                                                                                      \
    LANES_STEP(UPPER, 16)                                                                                             \
    WORDS_STEP(COLUMNS_UPPER, 16)                                                                                     \
    ROWS_STEP(0, 1, 3, 16)                                                                                            \
    WORDS_STEP(COLUMNS_LOWER, 12)                                                                                     \
    LANES_STEP(LOWER, 12)                                                                                             \
    WORDS_STEP(COLUMNS_UPPER, 8)                                                                                      \
    ROWS_STEP(2, 3, 1, 12)                                                                                            \
    WORDS_STEP(COLUMNS_LOWER, 7)                                                                                      \
    LANES_STEP(UPPER, 8)                                                                                              \
    WORDS_STEP(DIAGONALS_UPPER, 16)                                                                                   \
    ROWS_STEP(0, 1, 3, 8)                                                                                             \
    WORDS_STEP(DIAGONALS_LOWER, 12)                                                                                   \
    LANES_STEP(LOWER, 7)                                                                                              \
    WORDS_STEP(DIAGONALS_UPPER, 8)                                                                                    \
    ROWS_STEP(2, 3, 1, 7)                                                                                             \
    WORDS_STEP(DIAGONALS_LOWER, 7)

/* A row of block n: the row before the rounds is added, then the data. */
#define WIDE_STORE(n, row, vector, before)                                                                            \
    {                                                                                                                 \
        const size_t at = CMK_CHACHA20_BLOCK_SIZE * (n) + 16 * (row);                                                 \
        const uint8x16_t keystream = vreinterpretq_u8_u32(vaddq_u32(vector, before));                                 \
        vst1q_u8(out + at, veorq_u8(vld1q_u8(in + at), keystream));                                                   \
    }
#define WIDE_STORE_BLOCK(n, first, second, third, fourth)                                                             \
    WIDE_STORE(n, 0, first, row0)                                                                                     \
    WIDE_STORE(n, 1, second, row1)                                                                                    \
    WIDE_STORE(n, 2, third, row2)                                                                                     \
    WIDE_STORE(n, 3, fourth, row3)                                                                                    \
    row3 = vaddq_u32(row3, one);

/* `passes` times eight blocks, at least once. `words` is used and left as variant_chacha20 has it. */
static void chacha20_wide(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t passes)
{
    static const uint8_t order[16] = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};
    static const uint32_t numbers[4] = {0, 1, 2, 3};
    static const uint32_t next[4] = {1, 0, 0, 0};
    const uint8x16_t bytes_rotated = vld1q_u8(order);
    const uint32x4_t one = vld1q_u32(next);
    const uint32_t *const before = words;
    for (; passes != 0; passes--, in += WIDE_SIZE, out += WIDE_SIZE) {
        EACH_WORD(LANES_LOAD)
        uint32x4_t p0 = vld1q_u32(words), p1 = vld1q_u32(words + 4), p2 = vld1q_u32(words + 8);
        uint32x4_t p3 = vaddq_u32(vld1q_u32(words + 12), vshlq_n_u32(one, 2));
        uint32x4_t q0 = p0, q1 = p1, q2 = p2, q3 = vaddq_u32(p3, one);
        v12 = vaddq_u32(v12, vld1q_u32(numbers));
        for (uint32_t block = 6; block < WIDE_BLOCKS; block++) {
            const uint8_t *from = in + CMK_CHACHA20_BLOCK_SIZE * block;
            uint8_t *to = out + CMK_CHACHA20_BLOCK_SIZE * block;
            uint32_t x[16];
            EACH_WORD(WORD_LOAD)
            x[CHACHA20_COUNTER] += block;
            for (unsigned round = 0; round < 10; round += 2) {
                WIDE_ROUND(COLUMNS_UPPER, COLUMNS_LOWER)
                ROWS_TURN(1, 2, 3)
                WIDE_ROUND(DIAGONALS_UPPER, DIAGONALS_LOWER)
                ROWS_TURN(3, 2, 1)
                CMK_IN_ORDER(v12, v13, v14, v15); /* GCC 12 copies fewer vectors */
            }
            x[CHACHA20_COUNTER] += block;
            CMK_IN_MEMORY(words); /* the key is read anew: during the rounds it would be on the stack */
            EACH_WORD(WORD_STORE)
        }
        CMK_IN_MEMORY(words); /* and again */
        const uint32x4_t row0 = vld1q_u32(words), row1 = vld1q_u32(words + 4), row2 = vld1q_u32(words + 8);
        uint32x4_t row3 = vld1q_u32(words + 12);
        LANES_TO_BLOCKS(0, 1, 2, 3)
        LANES_TO_BLOCKS(4, 5, 6, 7)
        LANES_TO_BLOCKS(8, 9, 10, 11)
        LANES_TO_BLOCKS(12, 13, 14, 15)
        WIDE_STORE_BLOCK(0, v0, v4, v8, v12)
        WIDE_STORE_BLOCK(1, v1, v5, v9, v13)
        WIDE_STORE_BLOCK(2, v2, v6, v10, v14)
        WIDE_STORE_BLOCK(3, v3, v7, v11, v15)
        WIDE_STORE_BLOCK(4, p0, p1, p2, p3)
        WIDE_STORE_BLOCK(5, q0, q1, q2, q3)
        words[CHACHA20_COUNTER] += WIDE_BLOCKS;
    }
}

/* Less than eight blocks as eight. What is then too much is thrown away: it is keystream that may yet come, so it must
 * not stay. */
static inline void chacha20_part(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length)
{
    const size_t blocks = (length + CMK_CHACHA20_BLOCK_SIZE - 1) / CMK_CHACHA20_BLOCK_SIZE;
    uint8_t batch[WIDE_SIZE] = {0};
    memcpy(batch, in, length);
    chacha20_wide(words, batch, batch, 1);
    words[CHACHA20_COUNTER] -= (uint32_t)(WIDE_BLOCKS - blocks);
    memcpy(out, batch, length);
    wipe(batch, sizeof batch);
}

/* Two blocks one by one take less time than eight at once, three take more. */
static inline void variant_chacha20(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length)
{
    const size_t rest = length % WIDE_SIZE;
    if (length != rest) {
        chacha20_wide(words, in, out, length / WIDE_SIZE);
        in += length - rest;
        out += length - rest;
    }
    if (rest > 2 * CMK_CHACHA20_BLOCK_SIZE) {
        chacha20_part(words, in, out, rest);
    } else {
        chacha20_plain(words, in, out, rest);
    }
}

#endif
