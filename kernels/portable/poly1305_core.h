/* SPDX-License-Identifier: MIT */
/* Poly1305 in plain C: RFC 8439 section 2.5. Of use beside the vector kernels too, whose rest it is.
 *
 * Numbers modulo p = 2^130 - 5 are five limbs of 26 bits in words of 32, the lowest first: products of limbs and
 * their sums fit 64 bits, and no carry is lost while limbs stay below 2^28. As 2^130 is 5 modulo p, what leaves the
 * highest limb comes back to the lowest times 5. */
#ifndef CMK_PORTABLE_POLY1305_CORE_H
#define CMK_PORTABLE_POLY1305_CORE_H

#include "bytes.h"
#include "cmk/poly1305.h"

#define POLY1305_LIMB UINT32_C(0x3ffffff)
#define POLY1305_BIT_128 (UINT32_C(1) << 24) /* of the highest limb: what every whole block gets */

enum { POLY1305_BEGUN = 1, POLY1305_WITH_POWERS = 2 }; /* stages of a context */

/* The limbs of a number of 128 bits. */
static inline void poly1305_split(uint32_t limbs[5], uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3)
{
    limbs[0] = w0 & POLY1305_LIMB;
    limbs[1] = (w0 >> 26 | w1 << 6) & POLY1305_LIMB;
    limbs[2] = (w1 >> 20 | w2 << 12) & POLY1305_LIMB;
    limbs[3] = (w2 >> 14 | w3 << 18) & POLY1305_LIMB;
    limbs[4] = w3 >> 8;
}

/* r of section 2.5.1, clamped, from the first half of a key. */
static inline void poly1305_clamp(uint32_t r[5], const uint8_t key[16])
{
    const uint32_t most = 0x0ffffffc;
    poly1305_split(r, load32_le(key) & 0x0fffffff, load32_le(key + 4) & most, load32_le(key + 8) & most,
                   load32_le(key + 12) & most);
}

/* Whether a message has begun and not ended. */
static inline int poly1305_is_begun(const cmk_poly1305_context *context)
{
    return (context->stage == POLY1305_BEGUN || context->stage == POLY1305_WITH_POWERS) &&
           context->filled < CMK_POLY1305_BLOCK_SIZE;
}

static inline uint64_t poly1305_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

/* sum = sum r modulo p. Limbs of `sum` may have 28 bits and those of `r` 27. Then all have 26, but the second of the
 * sum, which may be a little above. */
static inline void poly1305_multiply(uint32_t sum[5], const uint32_t r[5])
{
    const uint32_t h0 = sum[0], h1 = sum[1], h2 = sum[2], h3 = sum[3], h4 = sum[4];
    const uint32_t r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3], r4 = r[4];
    const uint32_t s1 = r1 * 5, s2 = r2 * 5, s3 = r3 * 5, s4 = r4 * 5;
    uint64_t d0 = poly1305_product(h0, r0) + poly1305_product(h1, s4) + poly1305_product(h2, s3) +
                  poly1305_product(h3, s2) + poly1305_product(h4, s1);
    uint64_t d1 = poly1305_product(h0, r1) + poly1305_product(h1, r0) + poly1305_product(h2, s4) +
                  poly1305_product(h3, s3) + poly1305_product(h4, s2);
    uint64_t d2 = poly1305_product(h0, r2) + poly1305_product(h1, r1) + poly1305_product(h2, r0) +
                  poly1305_product(h3, s4) + poly1305_product(h4, s3);
    uint64_t d3 = poly1305_product(h0, r3) + poly1305_product(h1, r2) + poly1305_product(h2, r1) +
                  poly1305_product(h3, r0) + poly1305_product(h4, s4);
    uint64_t d4 = poly1305_product(h0, r4) + poly1305_product(h1, r3) + poly1305_product(h2, r2) +
                  poly1305_product(h3, r1) + poly1305_product(h4, r0);
    d1 += d0 >> 26;
    d2 += d1 >> 26;
    d3 += d2 >> 26;
    d4 += d3 >> 26;
    d0 = (d0 & POLY1305_LIMB) + (d4 >> 26) * 5;
    sum[0] = (uint32_t)d0 & POLY1305_LIMB;
    sum[1] = ((uint32_t)d1 & POLY1305_LIMB) + (uint32_t)(d0 >> 26);
    sum[2] = (uint32_t)d2 & POLY1305_LIMB;
    sum[3] = (uint32_t)d3 & POLY1305_LIMB;
    sum[4] = (uint32_t)d4 & POLY1305_LIMB;
}

static inline void poly1305_copy(uint32_t to[5], const uint32_t from[5])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    to[3] = from[3];
    to[4] = from[4];
}

/* Adds `blocks` blocks of 16 bytes, any number of them, to the sum. `high` is POLY1305_BIT_128, or 0 for a last block
 * that is padded already. */
static inline void poly1305_plain_blocks(uint32_t sum[5], const uint32_t r[5], const uint8_t *in, size_t blocks,
                                         uint32_t high)
{
    uint32_t h[5];
    poly1305_copy(h, sum);
    for (; blocks != 0; blocks--, in += CMK_POLY1305_BLOCK_SIZE) {
        uint32_t block[5];
        poly1305_split(block, load32_le(in), load32_le(in + 4), load32_le(in + 8), load32_le(in + 12));
        h[0] += block[0];
        h[1] += block[1];
        h[2] += block[2];
        h[3] += block[3];
        h[4] += block[4] | high;
        poly1305_multiply(h, r);
    }
    poly1305_copy(sum, h);
}

/* Makes limbs of 26 bits of limbs of 28. Two rounds, as the first may leave the lowest limb a little above. */
static inline void poly1305_carry(uint32_t limbs[5])
{
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 4; i++) {
            limbs[i + 1] += limbs[i] >> 26;
            limbs[i] &= POLY1305_LIMB;
        }
        limbs[0] += (limbs[4] >> 26) * 5;
        limbs[4] &= POLY1305_LIMB;
    }
}

/* The tag: the sum reduced modulo p, plus s, modulo 2^128. */
static inline void poly1305_tag(const uint32_t sum[5], const uint32_t s[4], uint8_t tag[16])
{
    uint32_t h[5];
    uint32_t less[5]; /* h - p, if that is not negative */
    uint32_t carry = 5, keep;
    uint64_t total;
    poly1305_copy(h, sum);
    poly1305_carry(h);
    for (unsigned i = 0; i < 5; i++) {
        less[i] = h[i] + carry;
        carry = less[i] >> 26;
        less[i] &= POLY1305_LIMB;
    }
    keep = carry - 1; /* all ones if h is below p */
    for (unsigned i = 0; i < 5; i++) {
        h[i] = (h[i] & keep) | (less[i] & ~keep);
    }
    total = (uint64_t)(h[0] | h[1] << 26) + s[0];
    store32_le(tag, (uint32_t)total);
    total = (uint64_t)(h[1] >> 6 | h[2] << 20) + s[1] + (total >> 32);
    store32_le(tag + 4, (uint32_t)total);
    total = (uint64_t)(h[2] >> 12 | h[3] << 14) + s[2] + (total >> 32);
    store32_le(tag + 8, (uint32_t)total);
    total = (uint64_t)(h[3] >> 18 | h[4] << 8) + s[3] + (total >> 32);
    store32_le(tag + 12, (uint32_t)total);
    wipe(h, sizeof h);
    wipe(less, sizeof less);
}

#endif
