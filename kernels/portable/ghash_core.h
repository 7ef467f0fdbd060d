/* SPDX-License-Identifier: MIT */
/* GHASH in plain C without tables, constant time.
 *
 * SP 800-38D section 6.3 numbers the bits of a byte from its highest; with the bits of each byte reversed a block is a
 * little-endian number whose bit i is the coefficient of x^i.
 *
 * A carry-less product is made of integer ones: with three zeros between the bits of both factors, up to fifteen
 * carries stay in their four bits, and bit 0 of each four is the sum wanted. Of a product of 64 by 64 bits the low half
 * comes out so; the high half is the low half of the product of the factors with their bits in reverse order.
 *
 * Four blocks are one sum of products with H^4 to H, which is reduced once. */
#ifndef CMK_PORTABLE_GHASH_CORE_H
#define CMK_PORTABLE_GHASH_CORE_H

#include "bytes.h"
#include "cmk/aes_gcm.h"

#define GHASH_LANES 8 /* powers in a key */
#define GHASH_SIZE (GHASH_LANES * CMK_AES_BLOCK_SIZE)
#define GHASH_BATCH 4 /* of them used at once */

/* ---- carry-less products -------------------------------------------------------------------------------- */

/* Every fourth bit, from bit 0, 1, 2 and 3 on. */
typedef struct spaced {
    uint64_t bits[4];
} spaced;

static inline spaced space(uint64_t x)
{
    spaced result = {{x & 0x1111111111111111, x & 0x2222222222222222, x & 0x4444444444444444, x & 0x8888888888888888}};
    return result;
}

/* The low half of the product. */
static inline uint64_t product(const spaced *a, const spaced *b)
{
    const uint64_t *x = a->bits, *y = b->bits;
    uint64_t z0 = x[0] * y[0] ^ x[1] * y[3] ^ x[2] * y[2] ^ x[3] * y[1];
    uint64_t z1 = x[0] * y[1] ^ x[1] * y[0] ^ x[2] * y[3] ^ x[3] * y[2];
    uint64_t z2 = x[0] * y[2] ^ x[1] * y[1] ^ x[2] * y[0] ^ x[3] * y[3];
    uint64_t z3 = x[0] * y[3] ^ x[1] * y[2] ^ x[2] * y[1] ^ x[3] * y[0];
    return (z0 & 0x1111111111111111) | (z1 & 0x2222222222222222) | (z2 & 0x4444444444444444) |
           (z3 & 0x8888888888888888);
}

/* The bits of each byte, and of the whole word, in reverse order. */
static inline uint64_t reverse_in_bytes(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    return (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
}

static inline uint64_t reverse_bits(uint64_t x)
{
    x = reverse_in_bytes(x);
    x = (x >> 8 & 0x00ff00ff00ff00ff) | (x & 0x00ff00ff00ff00ff) << 8;
    x = (x >> 16 & 0x0000ffff0000ffff) | (x & 0x0000ffff0000ffff) << 16;
    return x >> 32 | x << 32;
}

/* ---- blocks --------------------------------------------------------------------------------------------- */

/* A block's low and high half and their sum, and the same in reverse. */
typedef struct ghash_factor {
    spaced low, high, sum, low_reversed, high_reversed, sum_reversed;
} ghash_factor;

static inline ghash_factor ghash_prepare(uint64_t low, uint64_t high, uint64_t low_reversed, uint64_t high_reversed)
{
    ghash_factor factor;
    factor.low = space(low);
    factor.high = space(high);
    factor.sum = space(low ^ high);
    factor.low_reversed = space(low_reversed);
    factor.high_reversed = space(high_reversed);
    factor.sum_reversed = space(low_reversed ^ high_reversed);
    return factor;
}

/* Products not yet reduced: Karatsuba's three, each its low half and its high half in reverse. */
typedef struct ghash_sum {
    uint64_t low[2], high[2], middle[2];
} ghash_sum;

static inline void ghash_add(ghash_sum *sum, const ghash_factor *a, const ghash_factor *b)
{
    sum->low[0] ^= product(&a->low, &b->low);
    sum->low[1] ^= product(&a->low_reversed, &b->low_reversed);
    sum->high[0] ^= product(&a->high, &b->high);
    sum->high[1] ^= product(&a->high_reversed, &b->high_reversed);
    sum->middle[0] ^= product(&a->sum, &b->sum);
    sum->middle[1] ^= product(&a->sum_reversed, &b->sum_reversed);
}

/* A block as a number. */
typedef struct block128 {
    uint64_t low, high;
} block128;

/* The top 64 bits of the 127 of a product are its low 64 in reverse, one place further down. */
static inline block128 ghash_reduce(const ghash_sum *sum)
{
    block128 result;
    uint64_t low_top = reverse_bits(sum->low[1]) >> 1, high_top = reverse_bits(sum->high[1]) >> 1;
    uint64_t middle = sum->middle[0] ^ sum->low[0] ^ sum->high[0];
    uint64_t middle_top = (reverse_bits(sum->middle[1]) >> 1) ^ low_top ^ high_top;
    uint64_t w0 = sum->low[0], w1 = low_top ^ middle, w2 = sum->high[0] ^ middle_top, w3 = high_top;
    /* x^128 is x^7 + x^2 + x + 1: w3 goes to w2 and w1, then w2 to w1 and w0 */
    w2 ^= w3 >> 63 ^ w3 >> 62 ^ w3 >> 57;
    w1 ^= w3 ^ w3 << 1 ^ w3 << 2 ^ w3 << 7;
    w1 ^= w2 >> 63 ^ w2 >> 62 ^ w2 >> 57;
    w0 ^= w2 ^ w2 << 1 ^ w2 << 2 ^ w2 << 7;
    result.low = w0;
    result.high = w1;
    return result;
}

/* ---- what the front end asks for ---------------------------------------------------------------------- */

static inline ghash_factor ghash_load_power(const uint8_t *power)
{
    uint64_t low = load64_le(power), high = load64_le(power + 8);
    return ghash_prepare(low, high, reverse_bits(low), reverse_bits(high));
}

/* A block of data and the hash so far. */
static inline ghash_factor ghash_load(const uint8_t *block, block128 hash)
{
    return ghash_prepare(reverse_in_bytes(load64_le(block)) ^ hash.low,
                         reverse_in_bytes(load64_le(block + 8)) ^ hash.high,
                         load64_be(block) ^ reverse_bits(hash.low), load64_be(block + 8) ^ reverse_bits(hash.high));
}

/* One to four blocks. `powers` begins with H. */
static inline block128 ghash_some(block128 hash, const ghash_factor *powers, const uint8_t *data, size_t blocks)
{
    static const block128 nothing = {0, 0};
    ghash_sum sum = {{0, 0}, {0, 0}, {0, 0}};
    ghash_factor factor = ghash_load(data, hash);
    while (ghash_add(&sum, &factor, &powers[--blocks]), blocks != 0) {
        data += CMK_AES_BLOCK_SIZE;
        factor = ghash_load(data, nothing);
    }
    return ghash_reduce(&sum);
}

static inline void variant_ghash(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t blocks)
{
    ghash_factor factors[GHASH_BATCH];
    size_t batch = blocks < GHASH_BATCH ? blocks : GHASH_BATCH;
    block128 sum = {reverse_in_bytes(load64_le(hash)), reverse_in_bytes(load64_le(hash + 8))};
    for (size_t i = 0; i < batch; i++) {
        factors[i] = ghash_load_power(powers + (GHASH_LANES - 1 - i) * CMK_AES_BLOCK_SIZE);
    }
    while (blocks != 0) {
        size_t count = blocks < GHASH_BATCH ? blocks : GHASH_BATCH;
        sum = ghash_some(sum, factors, data, count);
        data += count * CMK_AES_BLOCK_SIZE;
        blocks -= count;
    }
    store64_le(hash, reverse_in_bytes(sum.low));
    store64_le(hash + 8, reverse_in_bytes(sum.high));
    wipe(factors, sizeof factors);
}

static inline void variant_ghash_powers(uint8_t *powers, const uint8_t *h)
{
    static const uint8_t zero[CMK_AES_BLOCK_SIZE] = {0};
    block128 power = {reverse_in_bytes(load64_le(h)), reverse_in_bytes(load64_le(h + 8))};
    ghash_factor first = ghash_prepare(power.low, power.high, load64_be(h), load64_be(h + 8));
    for (size_t i = GHASH_LANES; i-- != 0;) {
        store64_le(powers + i * CMK_AES_BLOCK_SIZE, power.low);
        store64_le(powers + i * CMK_AES_BLOCK_SIZE + 8, power.high);
        store64_le(powers + GHASH_SIZE + i * 8, power.low ^ power.high);
        power = ghash_some(power, &first, zero, 1);
    }
    wipe(&first, sizeof first);
}

#endif
