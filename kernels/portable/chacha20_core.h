/* SPDX-License-Identifier: MIT */
/* ChaCha20 in plain C: RFC 8439 sections 2.1 to 2.4. Of use beside the vector kernels too, whose rest it is.
 *
 * A quarter round is four steps "a += b; d ^= a; d <<<= n", of which two have the rows of the state as they stand
 * (words 0 to 3, 4 to 7, 12 to 15) and two begin lower (8 to 11, 12 to 15, 4 to 7). Four quarter rounds at a time
 * do not depend on each other, so each step is done for all four, which keeps a CPU busier than one chain. */
#ifndef CMK_PORTABLE_CHACHA20_CORE_H
#define CMK_PORTABLE_CHACHA20_CORE_H

#include "bytes.h"
#include "cmk/chacha20.h"

#define CHACHA20_COUNTER 12 /* which word of the state it is */

/* The words a, b and d of a step of four quarter rounds, on columns and on diagonals: section 2.3. */
#define COLUMNS_UPPER(DO) DO(0, 4, 12) DO(1, 5, 13) DO(2, 6, 14) DO(3, 7, 15)
#define COLUMNS_LOWER(DO) DO(8, 12, 4) DO(9, 13, 5) DO(10, 14, 6) DO(11, 15, 7)
#define DIAGONALS_UPPER(DO) DO(0, 5, 15) DO(1, 6, 12) DO(2, 7, 13) DO(3, 4, 14)
#define DIAGONALS_LOWER(DO) DO(10, 15, 5) DO(11, 12, 6) DO(8, 13, 7) DO(9, 14, 4)

#define WORD_ADD(a, b, d) x[a] += x[b];
#define WORD_XOR(a, b, d) x[d] ^= x[a];
#define WORD_ROTATE_16(a, b, d) x[d] = x[d] << 16 | x[d] >> 16;
#define WORD_ROTATE_12(a, b, d) x[d] = x[d] << 12 | x[d] >> 20;
#define WORD_ROTATE_8(a, b, d) x[d] = x[d] << 8 | x[d] >> 24;
#define WORD_ROTATE_7(a, b, d) x[d] = x[d] << 7 | x[d] >> 25;

/* A step of four quarter rounds of one block, whose words are `x`. */
#define WORDS_STEP(WHERE, bits) WHERE(WORD_ADD) WHERE(WORD_XOR) WHERE(WORD_ROTATE_##bits)

#define WORDS_COLUMNS                                                                                                 \
    WORDS_STEP(COLUMNS_UPPER, 16)                                                                                     \
    WORDS_STEP(COLUMNS_LOWER, 12)                                                                                     \
    WORDS_STEP(COLUMNS_UPPER, 8)                                                                                      \
    WORDS_STEP(COLUMNS_LOWER, 7)
#define WORDS_DIAGONALS                                                                                               \
    WORDS_STEP(DIAGONALS_UPPER, 16)                                                                                   \
    WORDS_STEP(DIAGONALS_LOWER, 12)                                                                                   \
    WORDS_STEP(DIAGONALS_UPPER, 8)                                                                                    \
    WORDS_STEP(DIAGONALS_LOWER, 7)

/* The words of a state one by one: in a loop over an index they would not stay in registers. */
#define EACH_WORD(DO)                                                                                                 \
    DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11) DO(12) DO(13) DO(14) DO(15)
#define WORD_LOAD(i) x[i] = words[i];
#define WORD_STORE(i) store32_le(to + 4 * (i), load32_le(from + 4 * (i)) ^ (x[i] + before[i]));

/* Encrypts or decrypts `blocks` blocks of 64 bytes, any number of them. `words` is the state of section 2.3 with
 * the first block's counter; it is left with that of the block after the last, modulo 2^32. `to` may be `from`. */
static inline void chacha20_plain_blocks(uint32_t words[16], const uint8_t *from, uint8_t *to, size_t blocks)
{
    const volatile uint32_t *const before = words; /* read anew: during the rounds the key would be on the stack */
    for (; blocks != 0; blocks--, from += CMK_CHACHA20_BLOCK_SIZE, to += CMK_CHACHA20_BLOCK_SIZE) {
        uint32_t x[16];
        EACH_WORD(WORD_LOAD)
        for (unsigned round = 0; round < 20; round += 2) {
            WORDS_COLUMNS
            WORDS_DIAGONALS
        }
        EACH_WORD(WORD_STORE)
        words[CHACHA20_COUNTER]++;
    }
}

/* The same with any length: a last block of which only a part is wanted is used up, and what is not wanted of it is
 * not kept. */
static inline void chacha20_plain(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length)
{
    const size_t part = length % CMK_CHACHA20_BLOCK_SIZE;
    chacha20_plain_blocks(words, in, out, length / CMK_CHACHA20_BLOCK_SIZE);
    if (part != 0) {
        uint8_t last[CMK_CHACHA20_BLOCK_SIZE] = {0};
        memcpy(last, in + (length - part), part);
        chacha20_plain_blocks(words, last, last, 1);
        memcpy(out + (length - part), last, part);
        wipe(last, sizeof last);
    }
}

#endif
