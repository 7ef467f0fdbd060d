/* SPDX-License-Identifier: MIT */
/* SHA-512's compression in plain C (FIPS 180-4 sections 4.1.3 and 6.4), for front ends to include.
 *
 * sha512_compress(state, data, blocks): FIPS 180-4 section 6.4.2 on `blocks` blocks of 128 bytes at `data`, which
 * needs no alignment; `state` is H(i) as numbers, in and out. 0 blocks change nothing. It serves SHA-384 too. */
#ifndef CMK_PORTABLE_SHA512_CORE_H
#define CMK_PORTABLE_SHA512_CORE_H

#include "bytes.h"

/* FIPS 180-4 section 4.2.3. */
static const uint64_t sha512_constants[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static inline uint64_t sha512_rotate(uint64_t word, unsigned bits)
{
    return word >> bits | word << (64 - bits);
}

/* Ch and Maj in forms with one operation less than the standard's. */
static inline uint64_t sha512_choose(uint64_t x, uint64_t y, uint64_t z)
{
    return z ^ (x & (y ^ z));
}

static inline uint64_t sha512_majority(uint64_t x, uint64_t y, uint64_t z)
{
    return (x & y) | (z & (x | y));
}

static inline uint64_t sha512_big_sigma0(uint64_t x)
{
    return sha512_rotate(x, 28) ^ sha512_rotate(x, 34) ^ sha512_rotate(x, 39);
}

static inline uint64_t sha512_big_sigma1(uint64_t x)
{
    return sha512_rotate(x, 14) ^ sha512_rotate(x, 18) ^ sha512_rotate(x, 41);
}

static inline uint64_t sha512_small_sigma0(uint64_t x)
{
    return sha512_rotate(x, 1) ^ sha512_rotate(x, 8) ^ x >> 7;
}

static inline uint64_t sha512_small_sigma1(uint64_t x)
{
    return sha512_rotate(x, 19) ^ sha512_rotate(x, 61) ^ x >> 6;
}

/* Word t of the schedule from those before it; the last sixteen are kept. */
static inline uint64_t sha512_schedule(uint64_t w[16], unsigned t)
{
    w[t % 16] += sha512_small_sigma1(w[(t + 14) % 16]) + w[(t + 9) % 16] + sha512_small_sigma0(w[(t + 1) % 16]);
    return w[t % 16];
}

/* One round. Instead of moving the eight variables along, each of eight rounds names them differently. */
#define SHA512_ROUND(a, b, c, d, e, f, g, h, word, t)                                                                 \
    h += sha512_big_sigma1(e) + sha512_choose(e, f, g) + sha512_constants[t] + (word);                                \
    d += h;                                                                                                           \
    h += sha512_big_sigma0(a) + sha512_majority(a, b, c);

#define SHA512_EIGHT_ROUNDS(WORD, t)                                                                                  \
    SHA512_ROUND(a, b, c, d, e, f, g, h, WORD(t), t)                                                                  \
    SHA512_ROUND(h, a, b, c, d, e, f, g, WORD(t + 1), t + 1)                                                          \
    SHA512_ROUND(g, h, a, b, c, d, e, f, WORD(t + 2), t + 2)                                                          \
    SHA512_ROUND(f, g, h, a, b, c, d, e, WORD(t + 3), t + 3)                                                          \
    SHA512_ROUND(e, f, g, h, a, b, c, d, WORD(t + 4), t + 4)                                                          \
    SHA512_ROUND(d, e, f, g, h, a, b, c, WORD(t + 5), t + 5)                                                          \
    SHA512_ROUND(c, d, e, f, g, h, a, b, WORD(t + 6), t + 6)                                                          \
    SHA512_ROUND(b, c, d, e, f, g, h, a, WORD(t + 7), t + 7)

#define SHA512_FROM_BLOCK(t) (w[t] = load64_be(data + 8 * (t)))
#define SHA512_FROM_SCHEDULE(t) sha512_schedule(w, t)

static inline void sha512_compress(uint64_t state[8], const uint8_t *data, size_t blocks)
{
    uint64_t w[16];
    for (; blocks != 0; blocks--, data += 128) {
        uint64_t a = state[0], b = state[1], c = state[2], d = state[3];
        uint64_t e = state[4], f = state[5], g = state[6], h = state[7];
        SHA512_EIGHT_ROUNDS(SHA512_FROM_BLOCK, 0)
        SHA512_EIGHT_ROUNDS(SHA512_FROM_BLOCK, 8)
        for (unsigned t = 16; t < 80; t += 16) {
            SHA512_EIGHT_ROUNDS(SHA512_FROM_SCHEDULE, t)
            SHA512_EIGHT_ROUNDS(SHA512_FROM_SCHEDULE, t + 8)
        }
        state[0] += a;
        state[1] += b;
        state[2] += c;
        state[3] += d;
        state[4] += e;
        state[5] += f;
        state[6] += g;
        state[7] += h;
    }
    wipe(w, sizeof w);
}

#endif
