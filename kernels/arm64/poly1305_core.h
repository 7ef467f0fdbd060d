/* SPDX-License-Identifier: MIT */
/* Poly1305 by Advanced SIMD: RFC 8439 section 2.5.
 *
 * With blocks b0 to b7, and a sum whose two parts E and O stand in the two lanes of vectors of 64 bits, a pass is
 *
 *     E' = (E + b0) r^8 + b2 r^6 + b4 r^4 + b6 r^2
 *     O' = (O + b1) r^8 + b3 r^6 + b5 r^4 + b7 r^2
 *
 * and in the last pass all of O's powers are less by one, so that E' + O' is the sum. Eight blocks a pass rather than
 * four, since the carries of one pass, which the next one waits for, take as long as the products of eight; they stand
 * among products that do not wait for them.
 *
 * Limbs are those of ../portable/poly1305_core.h. Of four blocks, vector i has limb i of each, two in its low half
 * and two in its high half; so have the vectors of powers, and one multiplication makes the products of a half.
 *
 * Limbs have no place in memory that could be wiped: in optimised code they are in registers only, but for what a
 * compiler that runs out of registers puts on the dead stack.
 *
 * A source includes dialect.h, opens its target attribute, and then includes this. Front ends find what they need,
 * variant_poly1305_blocks, at the end; its contract is in ../portable/poly1305_frontend.h. Those that have contexts
 * of their own find poly1305_powers and poly1305_wide. */
#ifndef CMK_ARM64_POLY1305_CORE_H
#define CMK_ARM64_POLY1305_CORE_H

#include "../portable/poly1305_core.h"

#define PASS_BLOCKS 8
#define PASS_SIZE (PASS_BLOCKS * CMK_POLY1305_BLOCK_SIZE)

/* Sets `powers` to limbs 0 of r^8, r^7, ..., r, then their limbs 1, and so on. Limbs of `r` have 26 bits. */
static inline void poly1305_powers(uint32_t powers[5 * PASS_BLOCKS], const uint32_t r[5])
{
    uint32_t power[5];
    poly1305_copy(power, r);
    for (unsigned at = PASS_BLOCKS; at-- != 0;) {
        for (unsigned i = 0; i < 5; i++) {
            powers[PASS_BLOCKS * i + at] = power[i];
        }
        poly1305_multiply(power, r);
    }
    wipe(power, sizeof power);
}

/* The limbs m0 to m4 of the four blocks at `from`. */
#define LOAD_FOUR(from)                                                                                               \
    {                                                                                                                 \
        const uint32x4_t b0 = vreinterpretq_u32_u8(vld1q_u8(from));                                                   \
        const uint32x4_t b1 = vreinterpretq_u32_u8(vld1q_u8((from) + 16));                                            \
        const uint32x4_t b2 = vreinterpretq_u32_u8(vld1q_u8((from) + 32));                                            \
        const uint32x4_t b3 = vreinterpretq_u32_u8(vld1q_u8((from) + 48));                                            \
        const uint32x4x2_t upper = vtrnq_u32(b0, b1);                                                                 \
        const uint32x4x2_t lower = vtrnq_u32(b2, b3);                                                                 \
        const uint32x4_t w0 = low_halves_u32(upper.val[0], lower.val[0]);                                             \
        const uint32x4_t w1 = low_halves_u32(upper.val[1], lower.val[1]);                                             \
        const uint32x4_t w2 = high_halves_u32(upper.val[0], lower.val[0]);                                            \
        const uint32x4_t w3 = high_halves_u32(upper.val[1], lower.val[1]);                                            \
        m0 = vandq_u32(w0, limb);                                                                                     \
        m1 = vandq_u32(vsriq_n_u32(vshlq_n_u32(w1, 6), w0, 26), limb);                                                \
        m2 = vandq_u32(vsriq_n_u32(vshlq_n_u32(w2, 12), w1, 20), limb);                                               \
        m3 = vandq_u32(vsriq_n_u32(vshlq_n_u32(w3, 18), w2, 14), limb);                                               \
        m4 = vorrq_u32(vshrq_n_u32(w3, 8), bit_128);                                                                  \
    }

/* sum += a b, limb by limb, for the low or the high halves. */
#define ADD_LOW(sum, a, b) sum = vmlal_u32(sum, vget_low_u32(a), vget_low_u32(b));
#define ADD_HIGH(sum, a, b) sum = mlal_high_u32(sum, a, b);

/* d0 to d4 += m0 to m4 times the powers t0 to t4, of which t1 to t4 are in s1 to s4 times 5. */
#define ADD_PRODUCTS(ADD)                                                                                             \
    ADD(d0, m0, t0) ADD(d1, m0, t1) ADD(d2, m0, t2) ADD(d3, m0, t3) ADD(d4, m0, t4)                                   \
    ADD(d0, m1, s4) ADD(d1, m1, t0) ADD(d2, m1, t1) ADD(d3, m1, t2) ADD(d4, m1, t3)                                   \
    ADD(d0, m2, s3) ADD(d1, m2, s4) ADD(d2, m2, t0) ADD(d3, m2, t1) ADD(d4, m2, t2)                                   \
    ADD(d0, m3, s2) ADD(d1, m3, s3) ADD(d2, m3, s4) ADD(d3, m3, t0) ADD(d4, m3, t1)                                   \
    ADD(d0, m4, s1) ADD(d1, m4, s2) ADD(d2, m4, s3) ADD(d3, m4, s4) ADD(d4, m4, t0)

/* What is above 26 bits in `from` goes to `to`. */
#define CARRY(from, to)                                                                                               \
    to = vsraq_n_u64(to, from, 26);                                                                                   \
    from = vandq_u64(from, limb_64);

/* h0 to h4 to 26 bits, h1 and h4 a little above; two chains side by side. */
#define CARRY_ALL                                                                                                     \
    CARRY(h0, h1)                                                                                                     \
    CARRY(h3, h4)                                                                                                     \
    CARRY(h1, h2)                                                                                                     \
    above = vshrq_n_u64(h4, 26);                                                                                      \
    h4 = vandq_u64(h4, limb_64);                                                                                      \
    h0 = vaddq_u64(h0, vaddq_u64(above, vshlq_n_u64(above, 2)));                                                      \
    CARRY(h2, h3)                                                                                                     \
    CARRY(h0, h1)                                                                                                     \
    CARRY(h3, h4)

/* The sum of the passes before, in lanes of 64 bits, to the first two blocks. */
#define ADD_SUM(i) m##i = vaddq_u32(m##i, vcombine_u32(vmovn_u64(h##i), vdup_n_u32(0)));
#define EACH_LIMB(DO) DO(0) DO(1) DO(2) DO(3) DO(4)

#define BEGIN_SUM(i) h##i = pair_u64(sum[i], 0);
#define NEXT_SUM(i) h##i = d##i;
#define END_SUM(i) sum[i] = (uint32_t)(vgetq_lane_u64(h##i, 0) + vgetq_lane_u64(h##i, 1));

/* The powers as a pass uses them: first those of the last four blocks, then of the first four; of each, limbs 0 to 4,
 * then limbs 1 to 4 times 5. There are more than vectors in the CPU. In memory, rather than where a compiler puts
 * what it has no room for, they can be wiped. */
#define POWERS_SIZE (9 * 4)

/* From the powers as they are, which is for the last pass, or with O's like E's, which is for all others. */
static inline void poly1305_spread(uint32_t table[2 * POWERS_SIZE], const uint32_t powers[5 * PASS_BLOCKS], int last)
{
    for (unsigned i = 0; i < 10; i++) {
        const unsigned at = i % 5;
        uint32_t *to = table + POWERS_SIZE * (i / 5) + 4 * at;
        uint32x4_t limbs = vld1q_u32(powers + PASS_BLOCKS * at + (i < 5 ? 4 : 0));
        if (!last) {
            limbs = vtrnq_u32(limbs, limbs).val[0];
        }
        vst1q_u32(to, limbs);
        if (at != 0) {
            vst1q_u32(to + 16, vaddq_u32(limbs, vshlq_n_u32(limbs, 2)));
        }
    }
}

#define LOAD_POWERS(from)                                                                                             \
    const uint32x4_t t0 = vld1q_u32(from), t1 = vld1q_u32((from) + 4), t2 = vld1q_u32((from) + 8);                    \
    const uint32x4_t t3 = vld1q_u32((from) + 12), t4 = vld1q_u32((from) + 16), s1 = vld1q_u32((from) + 20);           \
    const uint32x4_t s2 = vld1q_u32((from) + 24), s3 = vld1q_u32((from) + 28), s4 = vld1q_u32((from) + 32);

/* Adds `passes` times eight blocks, at least once, to the sum. Limbs of the sum have 28 bits, before and after. */
static void poly1305_wide(uint32_t sum[5], const uint32_t powers[5 * PASS_BLOCKS], const uint8_t *in, size_t passes)
{
    const uint32x4_t limb = vdupq_n_u32(POLY1305_LIMB);
    const uint64x2_t limb_64 = vdupq_n_u64(POLY1305_LIMB);
    const uint32x4_t bit_128 = vdupq_n_u32(POLY1305_BIT_128);
    uint32_t table[2 * POWERS_SIZE];
    uint32x4_t m0, m1, m2, m3, m4;
    uint64x2_t h0, h1, h2, h3, h4, d0, d1, d2, d3, d4, above;
    EACH_LIMB(BEGIN_SUM)
    poly1305_spread(table, powers, 0);
    for (; passes != 0; passes--, in += PASS_SIZE) {
        if (passes == 1) {
            poly1305_spread(table, powers, 1);
        }
        CMK_IN_MEMORY(table);
        d0 = d1 = d2 = d3 = d4 = vdupq_n_u64(0);
        {
            LOAD_POWERS(table)
            LOAD_FOUR(in + PASS_SIZE / 2)
            ADD_PRODUCTS(ADD_HIGH)
            CARRY_ALL
            ADD_PRODUCTS(ADD_LOW)
        }
        {
            LOAD_POWERS(table + POWERS_SIZE)
            LOAD_FOUR(in)
            ADD_PRODUCTS(ADD_HIGH)
            EACH_LIMB(ADD_SUM)
            ADD_PRODUCTS(ADD_LOW)
        }
        EACH_LIMB(NEXT_SUM)
    }
    CARRY_ALL
    EACH_LIMB(END_SUM)
    wipe(table, sizeof table);
}

/* The powers take as long as about eight blocks one by one. */
static inline void variant_poly1305_blocks(cmk_poly1305_context *context, const uint8_t *in, size_t blocks)
{
    if (context->stage == POLY1305_BEGUN && blocks >= 2 * PASS_BLOCKS) {
        poly1305_powers(context->powers, context->r);
        context->stage = POLY1305_WITH_POWERS;
    }
    if (context->stage == POLY1305_WITH_POWERS && blocks >= PASS_BLOCKS) {
        poly1305_wide(context->sum, context->powers, in, blocks / PASS_BLOCKS);
        in += blocks / PASS_BLOCKS * PASS_SIZE;
        blocks %= PASS_BLOCKS;
    }
    poly1305_plain_blocks(context->sum, context->r, in, blocks, POLY1305_BIT_128);
}

#endif
