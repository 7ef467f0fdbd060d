/* SPDX-License-Identifier: MIT */
/* AES in plain C without tables: bitsliced, four blocks at a time, constant time.
 *
 * The 64 bytes of four blocks are held as eight 64-bit planes. Plane k has bit k of every byte; the byte of
 * row r and column c of block b (FIPS 197 section 3.4) is at bit 16 r + 4 c + b of the plane. So the S-box is
 * a Boolean circuit on planes, ShiftRows turns the 16-bit lane of each row, and MixColumns turns planes.
 *
 * This and the other core headers define what the front ends ask for; the contracts are there. */
#ifndef CMK_PORTABLE_AES_CORE_H
#define CMK_PORTABLE_AES_CORE_H

#include "aes_words.h"
#include "bytes.h"
#include "cmk/aes.h"

#define PLANES 8
#define BATCH 4 /* blocks in one set of planes */
#define BATCH_SIZE (BATCH * CMK_AES_BLOCK_SIZE)

typedef struct key_planes {
    uint64_t round[CMK_AES_MAX_ROUNDS + 1][PLANES];
} key_planes;

/* ---- bytes to planes and back ------------------------------------------------------------------------- */

/* Exchanges the bits `mask << shift` of `a` with the bits `mask` of `b`. */
static inline void swap_bits(uint64_t *a, uint64_t *b, unsigned shift, uint64_t mask)
{
    uint64_t difference = (*a >> shift ^ *b) & mask;
    *b ^= difference;
    *a ^= difference << shift;
}

/* Swaps the three bits of a word's index with the three lowest bits of bit positions: its own inverse. */
static inline void transpose(uint64_t q[PLANES])
{
    swap_bits(&q[0], &q[4], 4, 0x0f0f0f0f0f0f0f0f);
    swap_bits(&q[1], &q[5], 4, 0x0f0f0f0f0f0f0f0f);
    swap_bits(&q[2], &q[6], 4, 0x0f0f0f0f0f0f0f0f);
    swap_bits(&q[3], &q[7], 4, 0x0f0f0f0f0f0f0f0f);
    swap_bits(&q[0], &q[2], 2, 0x3333333333333333);
    swap_bits(&q[1], &q[3], 2, 0x3333333333333333);
    swap_bits(&q[4], &q[6], 2, 0x3333333333333333);
    swap_bits(&q[5], &q[7], 2, 0x3333333333333333);
    swap_bits(&q[0], &q[1], 1, 0x5555555555555555);
    swap_bits(&q[2], &q[3], 1, 0x5555555555555555);
    swap_bits(&q[4], &q[5], 1, 0x5555555555555555);
    swap_bits(&q[6], &q[7], 1, 0x5555555555555555);
}

/* The four bytes of a column to the low bytes of the four rows' lanes. */
static inline uint64_t spread(uint32_t column)
{
    uint64_t x = column;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    return (x | x << 8) & 0x00ff00ff00ff00ff;
}

static inline uint32_t gather(uint64_t lanes)
{
    uint64_t x = lanes & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(x | x >> 16);
}

/* Columns `column` and `column + 2` of a block. */
static inline uint64_t load_columns(const uint8_t *block, unsigned column)
{
    return spread(load32_le(block + 4 * column)) | spread(load32_le(block + 4 * column + 8)) << 8;
}

static inline void store_columns(uint8_t *block, unsigned column, uint64_t lanes)
{
    store32_le(block + 4 * column, gather(lanes));
    store32_le(block + 4 * column + 8, gather(lanes >> 8));
}

static inline void load_batch(uint64_t q[PLANES], const uint8_t *in)
{
    q[0] = load_columns(in, 0);
    q[1] = load_columns(in + 16, 0);
    q[2] = load_columns(in + 32, 0);
    q[3] = load_columns(in + 48, 0);
    q[4] = load_columns(in, 1);
    q[5] = load_columns(in + 16, 1);
    q[6] = load_columns(in + 32, 1);
    q[7] = load_columns(in + 48, 1);
    transpose(q);
}

static inline void store_batch(uint8_t *out, uint64_t q[PLANES])
{
    transpose(q);
    store_columns(out, 0, q[0]);
    store_columns(out + 16, 0, q[1]);
    store_columns(out + 32, 0, q[2]);
    store_columns(out + 48, 0, q[3]);
    store_columns(out, 1, q[4]);
    store_columns(out + 16, 1, q[5]);
    store_columns(out + 32, 1, q[6]);
    store_columns(out + 48, 1, q[7]);
}

/* ---- S-box -------------------------------------------------------------------------------------------- */

/* SubBytes: the circuit of J. Boyar and R. Peralta, "A new combinational logic minimization technique with
 * applications to cryptology" (SEA 2010; IACR ePrint 2009/191), in the paper's names: x0 is the highest bit. */
static inline void sub_bytes(uint64_t q[PLANES])
{
    uint64_t x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4], x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];

    /* into GF((2^4)^2) */
    uint64_t y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5;
    uint64_t t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14;
    uint64_t y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12;
    uint64_t y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0;
    uint64_t y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
    uint64_t y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* the inverse there */
    uint64_t t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7, t6 = t5 ^ t2;
    uint64_t t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7, t10 = y2 & y7, t11 = t10 ^ t7;
    uint64_t t12 = y9 & y11, t13 = y14 & y17, t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12;
    uint64_t t17 = t4 ^ t14, t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16;
    uint64_t t21 = t17 ^ y20, t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18;
    uint64_t t25 = t21 ^ t22, t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22;
    uint64_t t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24;
    uint64_t t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34;
    uint64_t t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39;
    uint64_t t41 = t40 ^ t37, t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    uint64_t z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16, z4 = t40 & y1, z5 = t29 & y7;
    uint64_t z6 = t42 & y11, z7 = t45 & y17, z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    uint64_t z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9, z16 = t45 & y14, z17 = t41 & y8;

    /* back, together with the affine map */
    uint64_t t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10, t50 = z2 ^ z12, t51 = z2 ^ z5;
    uint64_t t52 = z7 ^ z8, t53 = z0 ^ z3, t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    uint64_t t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57, t62 = t52 ^ t58;
    uint64_t t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62, t66 = z1 ^ t63, t67 = t64 ^ t65;
    uint64_t s3 = t53 ^ t66;

    q[7] = t59 ^ t63;
    q[6] = ~(t64 ^ s3);
    q[5] = ~(t55 ^ t67);
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = ~(t56 ^ t62);
    q[0] = ~(t48 ^ t60);
}

/* The inverse of the S-box's affine map: bit i of the result is the sum of bits i + 2, i + 5 and i + 7 of the
 * argument and of bit i of 05 (FIPS 197 section 5.3.2, solved for the argument). */
static inline void inverse_affine(uint64_t q[PLANES])
{
    uint64_t q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3], q4 = q[4], q5 = q[5], q6 = q[6], q7 = q[7];
    q[0] = ~(q2 ^ q5 ^ q7);
    q[1] = q3 ^ q6 ^ q0;
    q[2] = ~(q4 ^ q7 ^ q1);
    q[3] = q5 ^ q0 ^ q2;
    q[4] = q6 ^ q1 ^ q3;
    q[5] = q7 ^ q2 ^ q4;
    q[6] = q0 ^ q3 ^ q5;
    q[7] = q1 ^ q4 ^ q6;
}

/* With S(x) = A(1/x), the inverse S-box is 1/A'(x) = A'(S(A'(x))), where A' is the inverse of A. */
static inline void inverse_sub_bytes(uint64_t q[PLANES])
{
    inverse_affine(q);
    sub_bytes(q);
    inverse_affine(q);
}

/* ---- the other steps ---------------------------------------------------------------------------------- */

/* Row r moves by r columns, that is 4 r bits in its lane: rows 2 and 3 by 8 bits, then 1 and 3 by 4. */
static inline uint64_t shift_rows_plane(uint64_t plane)
{
    uint64_t halves = (plane ^ plane >> 8) & 0x00ff00ff00000000;
    plane ^= halves ^ halves << 8;
    return (plane & 0x0000ffff0000ffff) | (plane >> 4 & 0x0fff00000fff0000) | (plane << 12 & 0xf0000000f0000000);
}

static inline uint64_t inverse_shift_rows_plane(uint64_t plane)
{
    uint64_t halves = (plane ^ plane >> 8) & 0x00ff00ff00000000;
    plane ^= halves ^ halves << 8;
    return (plane & 0x0000ffff0000ffff) | (plane << 4 & 0xfff00000fff00000) | (plane >> 12 & 0x000f0000000f0000);
}

#define EACH_PLANE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

static inline void shift_rows(uint64_t q[PLANES])
{
#define SHIFT(k) q[k] = shift_rows_plane(q[k]);
    EACH_PLANE(SHIFT)
#undef SHIFT
}

static inline void inverse_shift_rows(uint64_t q[PLANES])
{
#define SHIFT(k) q[k] = inverse_shift_rows_plane(q[k]);
    EACH_PLANE(SHIFT)
#undef SHIFT
}

/* The plane with row r + 1, or r + 2, where row r was. */
static inline uint64_t next_row(uint64_t plane)
{
    return plane >> 16 | plane << 48;
}

static inline uint64_t row_after_next(uint64_t plane)
{
    return plane >> 32 | plane << 32;
}

/* 2 a + 3 b + c + d for rows a, b, c, d from each row on: with e = a + b it is 2 e + b + (e two rows on). */
static inline void mix_columns(uint64_t q[PLANES])
{
#define NEXT(k) uint64_t b##k = next_row(q[k]), e##k = q[k] ^ b##k;
    EACH_PLANE(NEXT)
#undef NEXT
    q[0] = e7 ^ b0 ^ row_after_next(e0);
    q[1] = e0 ^ e7 ^ b1 ^ row_after_next(e1);
    q[2] = e1 ^ b2 ^ row_after_next(e2);
    q[3] = e2 ^ e7 ^ b3 ^ row_after_next(e3);
    q[4] = e3 ^ e7 ^ b4 ^ row_after_next(e4);
    q[5] = e4 ^ b5 ^ row_after_next(e5);
    q[6] = e5 ^ b6 ^ row_after_next(e6);
    q[7] = e6 ^ b7 ^ row_after_next(e7);
}

/* The polynomial of InvMixColumns is that of MixColumns times 04 x^2 + 05: each row gets four times the sum
 * of itself and the row after next, and then MixColumns follows. */
static inline void inverse_mix_columns(uint64_t q[PLANES])
{
#define SUM(k) uint64_t u##k = q[k] ^ row_after_next(q[k]);
    EACH_PLANE(SUM)
#undef SUM
    q[0] ^= u6;
    q[1] ^= u6 ^ u7;
    q[2] ^= u0 ^ u7;
    q[3] ^= u1 ^ u6;
    q[4] ^= u2 ^ u6 ^ u7;
    q[5] ^= u3 ^ u7;
    q[6] ^= u4;
    q[7] ^= u5;
    mix_columns(q);
}

static inline void add_round_key(uint64_t q[PLANES], const uint64_t key[PLANES])
{
#define ADD(k) q[k] ^= key[k];
    EACH_PLANE(ADD)
#undef ADD
}

/* ---- the cipher on four blocks ------------------------------------------------------------------------ */

static inline void load_key(key_planes *planes, const uint8_t *schedule, unsigned rounds)
{
    uint8_t batch[BATCH_SIZE];
    for (unsigned round = 0; round <= rounds; round++) {
        for (unsigned block = 0; block < BATCH; block++) {
            memcpy(batch + block * CMK_AES_BLOCK_SIZE, schedule + round * CMK_AES_BLOCK_SIZE, CMK_AES_BLOCK_SIZE);
        }
        load_batch(planes->round[round], batch);
    }
    wipe(batch, sizeof batch);
}

static inline void encrypt_batch(const key_planes *key, unsigned rounds, const uint8_t *in, uint8_t *out)
{
    uint64_t q[PLANES];
    load_batch(q, in);
    add_round_key(q, key->round[0]);
    for (unsigned round = 1; round < rounds; round++) {
        sub_bytes(q);
        shift_rows(q);
        mix_columns(q);
        add_round_key(q, key->round[round]);
    }
    sub_bytes(q);
    shift_rows(q);
    add_round_key(q, key->round[rounds]);
    store_batch(out, q);
}

static inline void decrypt_batch(const key_planes *key, unsigned rounds, const uint8_t *in, uint8_t *out)
{
    uint64_t q[PLANES];
    load_batch(q, in);
    add_round_key(q, key->round[0]);
    for (unsigned round = 1; round < rounds; round++) {
        inverse_sub_bytes(q);
        inverse_shift_rows(q);
        inverse_mix_columns(q);
        add_round_key(q, key->round[round]);
    }
    inverse_sub_bytes(q);
    inverse_shift_rows(q);
    add_round_key(q, key->round[rounds]);
    store_batch(out, q);
}

/* ---- what the front ends ask for ---------------------------------------------------------------------- */

static inline uint32_t variant_sub_word(uint32_t word)
{
    uint8_t batch[BATCH_SIZE] = {0};
    uint64_t q[PLANES];
    store32_le(batch, word);
    load_batch(q, batch);
    sub_bytes(q);
    store_batch(batch, q);
    word = load32_le(batch);
    wipe(batch, sizeof batch);
    return word;
}

static inline uint32_t inverse_mix_column(uint32_t word)
{
    uint32_t x2 = times_x(word);
    uint32_t x4 = times_x(x2);
    uint32_t x8 = times_x(x4);
    uint32_t x9 = x8 ^ word;
    return (x8 ^ x4 ^ x2) ^ rotate_right(x9 ^ x2, 8) ^ rotate_right(x9 ^ x4, 16) ^ rotate_right(x9, 24);
}

static inline void variant_inverse_mix_columns(const uint8_t *in, uint8_t *out)
{
    for (unsigned i = 0; i < CMK_AES_BLOCK_SIZE; i += 4) {
        store32_le(out + i, inverse_mix_column(load32_le(in + i)));
    }
}

/* encrypt_batch or decrypt_batch. */
typedef void batch_cipher(const key_planes *key, unsigned rounds, const uint8_t *in, uint8_t *out);

/* One batch, of which only the first `blocks` blocks, one to four, are there. */
static inline void some_blocks(batch_cipher *cipher, const key_planes *key, unsigned rounds, const uint8_t *in,
                               uint8_t *out, size_t blocks)
{
    uint8_t batch[BATCH_SIZE] = {0};
    memcpy(batch, in, blocks * CMK_AES_BLOCK_SIZE);
    cipher(key, rounds, batch, batch);
    memcpy(out, batch, blocks * CMK_AES_BLOCK_SIZE);
    wipe(batch, sizeof batch);
}

static inline void all_blocks(batch_cipher *cipher, const uint8_t *schedule, unsigned rounds, const uint8_t *in,
                              uint8_t *out, size_t blocks)
{
    key_planes planes;
    load_key(&planes, schedule, rounds);
    for (; blocks >= BATCH; blocks -= BATCH, in += BATCH_SIZE, out += BATCH_SIZE) {
        cipher(&planes, rounds, in, out);
    }
    if (blocks != 0) {
        some_blocks(cipher, &planes, rounds, in, out, blocks);
    }
    wipe(&planes, sizeof planes);
}

static inline void variant_encrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                          size_t blocks)
{
    all_blocks(encrypt_batch, schedule, rounds, in, out, blocks);
}

static inline void variant_decrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                          size_t blocks)
{
    all_blocks(decrypt_batch, schedule, rounds, in, out, blocks);
}

#endif
