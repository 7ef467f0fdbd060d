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
static inline uint64_t product(uint64_t a, const spaced *b)
{
    const spaced spaced_a = space(a);
    const uint64_t *x = spaced_a.bits, *y = b->bits;
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

/* What products are made of: a block's low and high half and the sum of the two, and the same with their bits in
 * reverse order. */
enum { LOW, HIGH, SUM, LOW_REVERSED, HIGH_REVERSED, SUM_REVERSED, GHASH_PARTS };

typedef struct ghash_block {
    uint64_t parts[GHASH_PARTS];
} ghash_block;

/* The block whose halves are given in both orders. */
static inline void ghash_set(ghash_block *block, uint64_t low, uint64_t high, uint64_t low_reversed,
                             uint64_t high_reversed)
{
    block->parts[LOW] = low;
    block->parts[HIGH] = high;
    block->parts[SUM] = low ^ high;
    block->parts[LOW_REVERSED] = low_reversed;
    block->parts[HIGH_REVERSED] = high_reversed;
    block->parts[SUM_REVERSED] = low_reversed ^ high_reversed;
}

static inline void ghash_load(ghash_block *block, const uint8_t *bytes)
{
    ghash_set(block, reverse_in_bytes(load64_le(bytes)), reverse_in_bytes(load64_le(bytes + 8)), load64_be(bytes),
              load64_be(bytes + 8));
}

/* A block that is a factor many times, with spaces between the bits. */
typedef struct ghash_factor {
    spaced parts[GHASH_PARTS];
} ghash_factor;

static inline void ghash_prepare(ghash_factor *factor, const ghash_block *block)
{
    for (unsigned i = 0; i < GHASH_PARTS; i++) {
        factor->parts[i] = space(block->parts[i]);
    }
}

/* Adds the parts of a product, not yet reduced: Karatsuba's three, each its low half and its high half in reverse. */
static inline void ghash_add(ghash_block *sum, const ghash_block *a, const ghash_factor *b)
{
    for (unsigned i = 0; i < GHASH_PARTS; i++) {
        sum->parts[i] ^= product(a->parts[i], &b->parts[i]);
    }
}

/* The top 64 bits of the 127 of a product are its low 64 in reverse, one place further down. */
static inline void ghash_reduce(ghash_block *block, const ghash_block *sum)
{
    const uint64_t *parts = sum->parts;
    uint64_t low_top = reverse_bits(parts[LOW_REVERSED]) >> 1, high_top = reverse_bits(parts[HIGH_REVERSED]) >> 1;
    uint64_t middle = parts[SUM] ^ parts[LOW] ^ parts[HIGH];
    uint64_t middle_top = (reverse_bits(parts[SUM_REVERSED]) >> 1) ^ low_top ^ high_top;
    uint64_t w0 = parts[LOW], w1 = low_top ^ middle, w2 = parts[HIGH] ^ middle_top, w3 = high_top;
    /* x^128 is x^7 + x^2 + x + 1: w3 goes to w2 and w1, then w2 to w1 and w0 */
    w2 ^= w3 >> 63 ^ w3 >> 62 ^ w3 >> 57;
    w1 ^= w3 ^ w3 << 1 ^ w3 << 2 ^ w3 << 7;
    w1 ^= w2 >> 63 ^ w2 >> 62 ^ w2 >> 57;
    w0 ^= w2 ^ w2 << 1 ^ w2 << 2 ^ w2 << 7;
    ghash_set(block, w0, w1, reverse_bits(w0), reverse_bits(w1));
}

/* All that is in memory meanwhile, to be wiped: it tells H. */
typedef struct ghash_work {
    ghash_factor powers[GHASH_BATCH]; /* H, H^2... */
    ghash_block hash, block, sum;
} ghash_work;

/* One to four blocks. */
static inline void ghash_some(ghash_work *work, const uint8_t *data, size_t blocks)
{
    memset(&work->sum, 0, sizeof work->sum);
    ghash_load(&work->block, data);
    for (unsigned i = 0; i < GHASH_PARTS; i++) {
        work->block.parts[i] ^= work->hash.parts[i];
    }
    while (ghash_add(&work->sum, &work->block, &work->powers[--blocks]), blocks != 0) {
        data += CMK_AES_BLOCK_SIZE;
        ghash_load(&work->block, data);
    }
    ghash_reduce(&work->hash, &work->sum);
}

/* ---- what the front end asks for ---------------------------------------------------------------------- */

static inline void variant_ghash(uint8_t *hash, const uint8_t *powers, const uint8_t *data, size_t blocks)
{
    ghash_work work;
    size_t batch = blocks < GHASH_BATCH ? blocks : GHASH_BATCH;
    for (size_t i = 0; i < batch; i++) {
        const uint8_t *power = powers + (GHASH_LANES - 1 - i) * CMK_AES_BLOCK_SIZE;
        uint64_t low = load64_le(power), high = load64_le(power + 8);
        ghash_set(&work.block, low, high, reverse_bits(low), reverse_bits(high));
        ghash_prepare(&work.powers[i], &work.block);
    }
    ghash_load(&work.hash, hash);
    while (blocks != 0) {
        size_t count = blocks < GHASH_BATCH ? blocks : GHASH_BATCH;
        ghash_some(&work, data, count);
        data += count * CMK_AES_BLOCK_SIZE;
        blocks -= count;
    }
    store64_be(hash, work.hash.parts[LOW_REVERSED]);
    store64_be(hash + 8, work.hash.parts[HIGH_REVERSED]);
    wipe(&work, sizeof work);
}

static inline void variant_ghash_powers(uint8_t *powers, const uint8_t *h)
{
    static const uint8_t zero[CMK_AES_BLOCK_SIZE] = {0};
    ghash_work work;
    ghash_load(&work.hash, h);
    ghash_prepare(&work.powers[0], &work.hash);
    for (size_t i = GHASH_LANES; i-- != 0;) {
        store64_le(powers + i * CMK_AES_BLOCK_SIZE, work.hash.parts[LOW]);
        store64_le(powers + i * CMK_AES_BLOCK_SIZE + 8, work.hash.parts[HIGH]);
        store64_le(powers + GHASH_SIZE + i * 8, work.hash.parts[SUM]);
        ghash_some(&work, zero, 1);
    }
    wipe(&work, sizeof work);
}

#endif
