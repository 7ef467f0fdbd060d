/* SPDX-License-Identifier: MIT */
/* GHASH by the PMULL instructions.
 *
 * SP 800-38D section 6.3 numbers the bits of a byte from its highest. With the bits of each byte reversed (RBIT) a
 * block is the little-endian number whose bit i is the coefficient of x^i, and products are plain carry-less ones.
 *
 * Eight blocks are one sum of products with H^8 to H^1, which is reduced once. Each product is Karatsuba's, from three
 * of 64 by 64 bits: of the low halves, of the high halves, and of the sums of the halves. The third products of two
 * blocks come from one vector, so blocks are taken in pairs. */
#ifndef CMK_ARM64_GHASH_CORE_H
#define CMK_ARM64_GHASH_CORE_H

#include "cmk/aes_gcm.h"

/* Powers of H, as they stand in memory: H^8 down to H^1, 16 bytes each in the order above, and then for each two of
 * these, beginning with H^8 and H^7, the sum of the halves of one and of the other. */
#define GHASH_LANES 8
#define GHASH_SIZE (GHASH_LANES * CMK_AES_BLOCK_SIZE)

/* a ^ b ^ c. A source that has EOR3 defines GHASH_EOR3. */
static inline uint8x16_t xor3(uint8x16_t a, uint8x16_t b, uint8x16_t c)
{
#ifdef GHASH_EOR3
    return veor3q_u8(a, b, c);
#else
    return veorq_u8(a, veorq_u8(b, c));
#endif
}

/* The same, where `last` is there last. Without EOR3 it is added last; left alone, compilers choose another order. */
static inline uint8x16_t xor3_last(uint8x16_t last, uint8x16_t b, uint8x16_t c)
{
#ifdef GHASH_EOR3
    return xor3(last, b, c);
#else
    uint8x16_t others = veorq_u8(b, c);
    CMK_KEEP(others);
    return veorq_u8(last, others);
#endif
}

/* {low half of a, low half of b}, and the same of the high halves. */
static inline uint8x16_t low_halves(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u64(vzip1q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

static inline uint8x16_t high_halves(uint8x16_t a, uint8x16_t b)
{
    return vreinterpretq_u8_u64(vzip2q_u64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b)));
}

static inline uint8x16_t sums_of_halves(uint8x16_t a, uint8x16_t b)
{
    return veorq_u8(low_halves(a, b), high_halves(a, b));
}

static inline uint8x16_t ghash_polynomial(void)
{
    return vreinterpretq_u8_u64(vdupq_n_u64(0x87)); /* x^128 is x^7 + x^2 + x + 1 */
}

/* A sum of products that is not yet reduced: of the low halves, of the sums of halves, and of the high halves. */
typedef struct ghash_sum {
    uint8x16_t low, middle, high;
} ghash_sum;

/* The block that a sum stands for. With its four 64-bit words w3 to w0, w3 times 87 is added to w2 and w1, then w2
 * times 87 to w1 and w0. */
static inline uint8x16_t ghash_reduce(ghash_sum sum, uint8x16_t polynomial)
{
    uint8x16_t outer = xor3(sum.low, sum.high, vextq_u8(sum.low, sum.high, 8));
    CMK_KEEP(outer);
    const uint8x16_t middle = xor3_last(sum.middle, outer, pmull_high(sum.high, polynomial));
    return veorq_u8(low_halves(sum.low, middle), pmull_high(middle, polynomial));
}

/* Adds the products of the blocks x0 and x1 with the two powers of pair n; GHASH_SET begins a sum, GHASH_END
 * ends it with a product0 that is there last. `halves` are the sums of the powers' halves. */
#define GHASH_SET(sum, product0, product1) sum = veorq_u8(product0, product1)
#define GHASH_ADD(sum, product0, product1) sum = xor3(sum, product0, product1)
#define GHASH_END(sum, product0, product1) sum = xor3_last(product0, sum, product1)
#define GHASH_PAIR(ADD, n, x0, x1, halves)                                                                            \
    {                                                                                                                 \
        uint8x16_t power0 = vld1q_u8(powers + 2 * (n) * CMK_AES_BLOCK_SIZE);                                          \
        uint8x16_t power1 = vld1q_u8(powers + (2 * (n) + 1) * CMK_AES_BLOCK_SIZE);                                    \
        uint8x16_t sums = sums_of_halves(x0, x1);                                                                     \
        CMK_KEEP(power0);                                                                                             \
        CMK_KEEP(power1);                                                                                             \
        CMK_KEEP(sums);                                                                                               \
        ADD(sum.low, pmull_low(x0, power0), pmull_low(x1, power1));                                                   \
        ADD(sum.high, pmull_high(x0, power0), pmull_high(x1, power1));                                                \
        ADD(sum.middle, pmull_low(sums, halves), pmull_high(sums, halves));                                           \
    }

static inline uint8x16_t load_reversed(const uint8_t *block)
{
    return vrbitq_u8(vld1q_u8(block));
}

static inline uint8x16_t load_halves(const uint8_t *powers, size_t pair)
{
    return vld1q_u8(powers + GHASH_SIZE + pair * CMK_AES_BLOCK_SIZE);
}

/* The same for two pairs, which are loaded together. */
#define GHASH_LOAD_HALVES(m, n)                                                                                       \
    uint8x16_t halves##m = load_halves(powers, m), halves##n = load_halves(powers, n);                                \
    CMK_KEEP(halves##m);                                                                                              \
    CMK_KEEP(halves##n);

/* Two blocks of `data`, block 2 n and the next. */
#define GHASH_BLOCKS(ADD, n, halves)                                                                                  \
    {                                                                                                                 \
        const uint8x16_t x0 = load_reversed(data + 2 * (n) * CMK_AES_BLOCK_SIZE);                                     \
        const uint8x16_t x1 = load_reversed(data + (2 * (n) + 1) * CMK_AES_BLOCK_SIZE);                               \
        GHASH_PAIR(ADD, n, x0, x1, halves)                                                                            \
    }

/* Eight blocks. The first two come last: only they wait for the hash so far. */
CMK_INLINE uint8x16_t ghash_batch(uint8x16_t hash, const uint8_t *powers, const uint8_t *data, uint8x16_t polynomial)
{
    ghash_sum sum;
    const uint8x16_t first = veorq_u8(load_reversed(data), hash);
    const uint8x16_t second = load_reversed(data + CMK_AES_BLOCK_SIZE);
    GHASH_LOAD_HALVES(2, 3)
    GHASH_BLOCKS(GHASH_SET, 3, halves3)
    GHASH_BLOCKS(GHASH_ADD, 2, halves2)
    GHASH_LOAD_HALVES(0, 1)
    GHASH_BLOCKS(GHASH_ADD, 1, halves1)
    GHASH_PAIR(GHASH_END, 0, first, second, halves0)
    return ghash_reduce(sum, polynomial);
}

/* One to seven blocks. Odd powers are second in their pair. */
static inline uint8x16_t ghash_rest(uint8x16_t hash, const uint8_t *powers, const uint8_t *data, size_t blocks,
                                    uint8x16_t polynomial)
{
    ghash_sum sum = {vdupq_n_u8(0), vdupq_n_u8(0), vdupq_n_u8(0)};
    size_t pair = (GHASH_LANES - blocks) / 2;
    if (blocks % 2 != 0) {
        const uint8x16_t x = veorq_u8(load_reversed(data), hash);
        const uint8x16_t power = vld1q_u8(powers + (2 * pair + 1) * CMK_AES_BLOCK_SIZE);
        sum.low = pmull_low(x, power);
        sum.high = pmull_high(x, power);
        sum.middle = pmull_high(sums_of_halves(x, x), load_halves(powers, pair));
        hash = vdupq_n_u8(0);
        data += CMK_AES_BLOCK_SIZE;
        pair++;
    }
    for (; pair < GHASH_LANES / 2; pair++, data += 2 * CMK_AES_BLOCK_SIZE) {
        const uint8x16_t x0 = veorq_u8(load_reversed(data), hash);
        const uint8x16_t x1 = load_reversed(data + CMK_AES_BLOCK_SIZE);
        const uint8x16_t halves = load_halves(powers, pair);
        GHASH_PAIR(GHASH_ADD, pair, x0, x1, halves)
        hash = vdupq_n_u8(0);
    }
    return ghash_reduce(sum, polynomial);
}

/* ---- what the front end asks for ---------------------------------------------------------------------- */

CMK_APART void variant_ghash(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t blocks)
{
    uint8x16_t polynomial = ghash_polynomial();
    uint8x16_t sum = load_reversed(hash);
    CMK_KEEP(polynomial);
    for (; blocks >= GHASH_LANES; blocks -= GHASH_LANES, data += GHASH_SIZE) {
        CMK_IN_MEMORY(powers); /* as not all compilers have registers for them, and some would use the stack */
        sum = ghash_batch(sum, powers, data, polynomial);
    }
    if (blocks != 0) {
        CMK_IN_MEMORY(powers);
        sum = ghash_rest(sum, powers, data, blocks, polynomial);
    }
    vst1q_u8(hash, vrbitq_u8(sum));
}

static inline uint8x16_t ghash_times(uint8x16_t a, uint8x16_t b)
{
    const uint8x16_t a_sums = sums_of_halves(a, a), b_sums = sums_of_halves(b, b);
    const ghash_sum sum = {pmull_low(a, b), pmull_low(a_sums, b_sums), pmull_high(a, b)};
    return ghash_reduce(sum, ghash_polynomial());
}

CMK_APART void variant_ghash_powers(uint8_t *powers, const uint8_t *h)
{
    const uint8x16_t first = load_reversed(h);
    uint8x16_t power = first;
    for (size_t pair = GHASH_LANES / 2; pair-- != 0;) {
        const uint8x16_t next = ghash_times(power, first);
        vst1q_u8(powers + 2 * pair * CMK_AES_BLOCK_SIZE, next);
        vst1q_u8(powers + (2 * pair + 1) * CMK_AES_BLOCK_SIZE, power);
        vst1q_u8(powers + GHASH_SIZE + pair * CMK_AES_BLOCK_SIZE, sums_of_halves(next, power));
        power = ghash_times(next, first);
    }
}

#endif
