/* SPDX-License-Identifier: MIT */
/* A model of what Microsoft's header of this name lets C code say; written for this project from public facts.
 *
 * - All 128-bit vector types are one union, __n128, all 64-bit ones another, __n64. The array of 64-bit lanes is
 *   first, so that is what {a, b} fills. There are no operators, subscripts or casts on them.
 * - Intrinsics are macros with parameters: they have no address, and a brace list in an argument falls apart.
 * - vmull_p64 takes two __n64, and poly128_t has no name.
 * - An immediate is an integer constant in its range.
 * - Cryptographic instructions need no switch.
 *
 * The names that code may use are in arm64_neon_names.h, which is made from the model's evidence; each stands for
 * the function mm_NAME here. What is one instruction is written as that instruction: compilers change the names
 * of their own built-in functions, and some want a switch for them. */
#ifndef MSVC_MODEL_ARM64_NEON_H
#define MSVC_MODEL_ARM64_NEON_H

#if !defined(_M_ARM64) && !defined(_M_ARM64EC)
#error This header is specific to ARM64 targets
#endif

/* ---- types -------------------------------------------------------------------------------------------- */

#define MM_VECTOR(lane, size, name) typedef lane name __attribute__((vector_size(size), may_alias));
MM_VECTOR(unsigned char, 8, mm_8_u8)
MM_VECTOR(unsigned short, 8, mm_8_u16)
MM_VECTOR(unsigned int, 8, mm_8_u32)
MM_VECTOR(unsigned long long, 8, mm_8_u64)
MM_VECTOR(unsigned char, 16, mm_16_u8)
MM_VECTOR(unsigned short, 16, mm_16_u16)
MM_VECTOR(unsigned int, 16, mm_16_u32)
MM_VECTOR(unsigned long long, 16, mm_16_u64)

typedef union __n64 {
    unsigned long long n64_u64[1];
    unsigned int n64_u32[2];
    unsigned short n64_u16[4];
    unsigned char n64_u8[8];
    long long n64_i64[1];
    int n64_i32[2];
    short n64_i16[4];
    signed char n64_i8[8];
    float n64_f32[2];
    double n64_f64[1];
    mm_8_u8 mm_u8;
    mm_8_u16 mm_u16;
    mm_8_u32 mm_u32;
    mm_8_u64 mm_u64;
} __n64;

typedef union __n128 {
    unsigned long long n128_u64[2];
    unsigned int n128_u32[4];
    unsigned short n128_u16[8];
    unsigned char n128_u8[16];
    long long n128_i64[2];
    int n128_i32[4];
    short n128_i16[8];
    signed char n128_i8[16];
    float n128_f32[4];
    double n128_f64[2];
    mm_16_u8 mm_u8;
    mm_16_u16 mm_u16;
    mm_16_u32 mm_u32;
    mm_16_u64 mm_u64;
} __n128;

#define MM_ARRAYS(type)                                                                                               \
    typedef struct type##x2 {                                                                                         \
        type val[2];                                                                                                  \
    } type##x2;                                                                                                       \
    typedef struct type##x3 {                                                                                         \
        type val[3];                                                                                                  \
    } type##x3;                                                                                                       \
    typedef struct type##x4 {                                                                                         \
        type val[4];                                                                                                  \
    } type##x4;
MM_ARRAYS(__n64)
MM_ARRAYS(__n128)

typedef unsigned char poly8_t;
typedef unsigned short poly16_t;
typedef unsigned long long poly64_t;

/* The names of the Arm C Language Extensions for them: `few` lanes in 64 bits, `many` in 128. */
#define MM_NAMES(lane, few, many)                                                                                     \
    typedef __n64 lane##x##few##_t;                                                                                   \
    typedef __n64x2 lane##x##few##x2_t;                                                                               \
    typedef __n64x3 lane##x##few##x3_t;                                                                               \
    typedef __n64x4 lane##x##few##x4_t;                                                                               \
    typedef __n128 lane##x##many##_t;                                                                                 \
    typedef __n128x2 lane##x##many##x2_t;                                                                             \
    typedef __n128x3 lane##x##many##x3_t;                                                                             \
    typedef __n128x4 lane##x##many##x4_t;
MM_NAMES(int8, 8, 16)
MM_NAMES(int16, 4, 8)
MM_NAMES(int32, 2, 4)
MM_NAMES(int64, 1, 2)
MM_NAMES(uint8, 8, 16)
MM_NAMES(uint16, 4, 8)
MM_NAMES(uint32, 2, 4)
MM_NAMES(uint64, 1, 2)
MM_NAMES(poly8, 8, 16)
MM_NAMES(poly16, 4, 8)
MM_NAMES(poly64, 1, 2)
MM_NAMES(float32, 2, 4)
MM_NAMES(float64, 1, 2)

/* ---- how functions are written ------------------------------------------------------------------------ */

#define MM_INLINE static __inline __attribute__((always_inline, unused))

/* The immediate `value`: a constant from `least` to `greatest`, else the file does not compile. */
#define MM_IMMEDIATE(value, least, greatest)                                                                          \
    ((int)(value) +                                                                                                   \
     0 * (int)sizeof(struct { int mm_immediate : ((value) >= (least) && (value) <= (greatest)) ? 1 : -1; }))

/* `value` of the lanes `lanes` of the vectors a, b, c. */
#define MM_LANES1(name, type, lanes, value)                                                                           \
    MM_INLINE type mm_##name(type a)                                                                                  \
    {                                                                                                                 \
        type r;                                                                                                       \
        r.lanes = value;                                                                                              \
        return r;                                                                                                     \
    }
#define MM_LANES2(name, type, lanes, value)                                                                           \
    MM_INLINE type mm_##name(type a, type b)                                                                          \
    {                                                                                                                 \
        type r;                                                                                                       \
        r.lanes = value;                                                                                              \
        return r;                                                                                                     \
    }

/* One instruction from new registers to a new one. */
#define MM_CODE1(name, to, from, code)                                                                                \
    MM_INLINE to mm_##name(from a)                                                                                    \
    {                                                                                                                 \
        to r;                                                                                                         \
        __asm__(code : "=w"(r.mm_u64) : "w"(a.mm_u64));                                                               \
        return r;                                                                                                     \
    }
#define MM_CODE2(name, to, from, code)                                                                                \
    MM_INLINE to mm_##name(from a, from b)                                                                            \
    {                                                                                                                 \
        to r;                                                                                                         \
        __asm__(code : "=w"(r.mm_u64) : "w"(a.mm_u64), "w"(b.mm_u64));                                                \
        return r;                                                                                                     \
    }

/* One instruction that changes its first register. */
#define MM_CODE1_INTO(name, from, code)                                                                               \
    MM_INLINE __n128 mm_##name(__n128 r, from a)                                                                      \
    {                                                                                                                 \
        __asm__(code : "+w"(r.mm_u64) : "w"(a.mm_u64));                                                               \
        return r;                                                                                                     \
    }
#define MM_CODE2_INTO(name, from, code)                                                                               \
    MM_INLINE __n128 mm_##name(__n128 r, from a, from b)                                                              \
    {                                                                                                                 \
        __asm__(code : "+w"(r.mm_u64) : "w"(a.mm_u64), "w"(b.mm_u64));                                                \
        return r;                                                                                                     \
    }

#define MM_AES ".arch_extension aes\n\t"
#define MM_SHA2 ".arch_extension sha2\n\t"
#define MM_SHA3 ".arch_extension sha3\n\t"

/* ---- cryptographic instructions ----------------------------------------------------------------------- */

MM_CODE1_INTO(vaeseq_u8, __n128, MM_AES "aese %0.16b, %1.16b")
MM_CODE1_INTO(vaesdq_u8, __n128, MM_AES "aesd %0.16b, %1.16b")
MM_CODE1(vaesmcq_u8, __n128, __n128, MM_AES "aesmc %0.16b, %1.16b")
MM_CODE1(vaesimcq_u8, __n128, __n128, MM_AES "aesimc %0.16b, %1.16b")

MM_CODE2(vmull_p64, __n128, __n64, MM_AES "pmull %0.1q, %1.1d, %2.1d")
MM_CODE2(vmull_high_p64, __n128, __n128, MM_AES "pmull2 %0.1q, %1.2d, %2.2d")

/* Their second operand is one word, in a vector register. */
#define MM_SHA1(name, code)                                                                                           \
    MM_INLINE __n128 mm_##name(__n128 r, unsigned int e, __n128 w)                                                    \
    {                                                                                                                 \
        __asm__(MM_SHA2 code " %q0, %s1, %2.4s" : "+w"(r.mm_u64) : "w"(e), "w"(w.mm_u64));                            \
        return r;                                                                                                     \
    }
MM_SHA1(vsha1cq_u32, "sha1c")
MM_SHA1(vsha1pq_u32, "sha1p")
MM_SHA1(vsha1mq_u32, "sha1m")
MM_INLINE unsigned int mm_vsha1h_u32(unsigned int e)
{
    unsigned int r;
    __asm__(MM_SHA2 "sha1h %s0, %s1" : "=w"(r) : "w"(e));
    return r;
}
MM_CODE2_INTO(vsha1su0q_u32, __n128, MM_SHA2 "sha1su0 %0.4s, %1.4s, %2.4s")
MM_CODE1_INTO(vsha1su1q_u32, __n128, MM_SHA2 "sha1su1 %0.4s, %1.4s")

MM_CODE2_INTO(vsha256hq_u32, __n128, MM_SHA2 "sha256h %q0, %q1, %2.4s")
MM_CODE2_INTO(vsha256h2q_u32, __n128, MM_SHA2 "sha256h2 %q0, %q1, %2.4s")
MM_CODE1_INTO(vsha256su0q_u32, __n128, MM_SHA2 "sha256su0 %0.4s, %1.4s")
MM_CODE2_INTO(vsha256su1q_u32, __n128, MM_SHA2 "sha256su1 %0.4s, %1.4s, %2.4s")

MM_CODE2_INTO(vsha512hq_u64, __n128, MM_SHA3 "sha512h %q0, %q1, %2.2d")
MM_CODE2_INTO(vsha512h2q_u64, __n128, MM_SHA3 "sha512h2 %q0, %q1, %2.2d")
MM_CODE1_INTO(vsha512su0q_u64, __n128, MM_SHA3 "sha512su0 %0.2d, %1.2d")
MM_CODE2_INTO(vsha512su1q_u64, __n128, MM_SHA3 "sha512su1 %0.2d, %1.2d, %2.2d")

/* ---- order of bits, bytes and lanes ------------------------------------------------------------------- */

MM_CODE1(vrbitq_u8, __n128, __n128, "rbit %0.16b, %1.16b")
MM_CODE1(vrev16q_u8, __n128, __n128, "rev16 %0.16b, %1.16b")
MM_CODE1(vrev32q_u8, __n128, __n128, "rev32 %0.16b, %1.16b")
MM_CODE1(vrev32q_u16, __n128, __n128, "rev32 %0.8h, %1.8h")
MM_CODE1(vrev64_u8, __n64, __n64, "rev64 %0.8b, %1.8b")
MM_CODE1(vrev64q_u8, __n128, __n128, "rev64 %0.16b, %1.16b")
MM_CODE1(vrev64q_u32, __n128, __n128, "rev64 %0.4s, %1.4s")
MM_CODE2(vqtbl1q_u8, __n128, __n128, "tbl %0.16b, {%1.16b}, %2.16b")
MM_CODE2(vzip1q_u32, __n128, __n128, "zip1 %0.4s, %1.4s, %2.4s")
MM_CODE2(vzip2q_u32, __n128, __n128, "zip2 %0.4s, %1.4s, %2.4s")
MM_CODE2(vzip1q_u64, __n128, __n128, "zip1 %0.2d, %1.2d, %2.2d")
MM_CODE2(vzip2q_u64, __n128, __n128, "zip2 %0.2d, %1.2d, %2.2d")
MM_CODE2(vuzp1q_u32, __n128, __n128, "uzp1 %0.4s, %1.4s, %2.4s")
MM_CODE2(vuzp2q_u32, __n128, __n128, "uzp2 %0.4s, %1.4s, %2.4s")
MM_CODE2(vtrn1q_u32, __n128, __n128, "trn1 %0.4s, %1.4s, %2.4s")
MM_CODE2(vtrn2q_u32, __n128, __n128, "trn2 %0.4s, %1.4s, %2.4s")
MM_CODE2(vtrn1q_u64, __n128, __n128, "trn1 %0.2d, %1.2d, %2.2d")
MM_CODE2(vtrn2q_u64, __n128, __n128, "trn2 %0.2d, %1.2d, %2.2d")

#define MM_BOTH(name, first, second)                                                                                  \
    MM_INLINE __n128x2 mm_##name(__n128 a, __n128 b)                                                                  \
    {                                                                                                                 \
        __n128x2 r;                                                                                                   \
        r.val[0] = mm_##first(a, b);                                                                                  \
        r.val[1] = mm_##second(a, b);                                                                                 \
        return r;                                                                                                     \
    }
MM_BOTH(vtrnq_u32, vtrn1q_u32, vtrn2q_u32)
MM_BOTH(vzipq_u32, vzip1q_u32, vzip2q_u32)
MM_BOTH(vuzpq_u32, vuzp1q_u32, vuzp2q_u32)

/* Not the instruction: without optimisation the immediate of an inlined function is none to an assembler. */
MM_INLINE __n128 mm_vextq_u8(__n128 a, __n128 b, int n)
{
    __n128 r;
    int i;
    for (i = 0; i < 16; i++) {
        r.n128_u8[i] = i + n < 16 ? a.n128_u8[i + n] : b.n128_u8[i + n - 16];
    }
    return r;
}
MM_INLINE __n128 mm_vextq_u32(__n128 a, __n128 b, int n)
{
    return mm_vextq_u8(a, b, 4 * n);
}
MM_INLINE __n128 mm_vextq_u64(__n128 a, __n128 b, int n)
{
    return mm_vextq_u8(a, b, 8 * n);
}

/* ---- logic -------------------------------------------------------------------------------------------- */

MM_LANES2(veorq_u8, __n128, mm_u8, a.mm_u8 ^ b.mm_u8)
MM_LANES2(veorq_u32, __n128, mm_u32, a.mm_u32 ^ b.mm_u32)
MM_LANES2(veorq_u64, __n128, mm_u64, a.mm_u64 ^ b.mm_u64)
MM_LANES2(veor_u8, __n64, mm_u8, a.mm_u8 ^ b.mm_u8)
MM_LANES2(vandq_u8, __n128, mm_u8, a.mm_u8 & b.mm_u8)
MM_LANES2(vandq_u32, __n128, mm_u32, a.mm_u32 & b.mm_u32)
MM_LANES2(vandq_u64, __n128, mm_u64, a.mm_u64 & b.mm_u64)
MM_LANES2(vorrq_u8, __n128, mm_u8, a.mm_u8 | b.mm_u8)
MM_LANES2(vorrq_u32, __n128, mm_u32, a.mm_u32 | b.mm_u32)
MM_LANES2(vorrq_u64, __n128, mm_u64, a.mm_u64 | b.mm_u64)
MM_LANES2(vbicq_u8, __n128, mm_u8, a.mm_u8 & ~b.mm_u8)
MM_LANES2(vbicq_u32, __n128, mm_u32, a.mm_u32 & ~b.mm_u32)
MM_LANES2(vbicq_u64, __n128, mm_u64, a.mm_u64 & ~b.mm_u64)
MM_LANES1(vmvnq_u8, __n128, mm_u8, ~a.mm_u8)
MM_LANES1(vmvnq_u32, __n128, mm_u32, ~a.mm_u32)
MM_LANES2(vceqq_u8, __n128, mm_u8, (mm_16_u8)(a.mm_u8 == b.mm_u8))
MM_LANES2(vceqq_u32, __n128, mm_u32, (mm_16_u32)(a.mm_u32 == b.mm_u32))

/* The bits of b where m has ones, else those of c. */
MM_INLINE __n128 mm_vbslq_u8(__n128 m, __n128 b, __n128 c)
{
    __n128 r;
    r.mm_u64 = (b.mm_u64 & m.mm_u64) | (c.mm_u64 & ~m.mm_u64);
    return r;
}
MM_INLINE __n128 mm_vbslq_u32(__n128 m, __n128 b, __n128 c)
{
    return mm_vbslq_u8(m, b, c);
}

/* ---- sums --------------------------------------------------------------------------------------------- */

MM_LANES2(vaddq_u8, __n128, mm_u8, a.mm_u8 + b.mm_u8)
MM_LANES2(vaddq_u32, __n128, mm_u32, a.mm_u32 + b.mm_u32)
MM_LANES2(vaddq_u64, __n128, mm_u64, a.mm_u64 + b.mm_u64)
MM_LANES2(vadd_u32, __n64, mm_u32, a.mm_u32 + b.mm_u32)
MM_LANES2(vadd_u64, __n64, mm_u64, a.mm_u64 + b.mm_u64)
MM_LANES2(vsubq_u8, __n128, mm_u8, a.mm_u8 - b.mm_u8)
MM_LANES2(vsubq_u32, __n128, mm_u32, a.mm_u32 - b.mm_u32)
MM_LANES2(vsubq_u64, __n128, mm_u64, a.mm_u64 - b.mm_u64)
MM_CODE2(vpaddq_u32, __n128, __n128, "addp %0.4s, %1.4s, %2.4s")
MM_CODE2(vpaddq_u64, __n128, __n128, "addp %0.2d, %1.2d, %2.2d")
MM_CODE1(vpaddlq_u32, __n128, __n128, "uaddlp %0.2d, %1.4s")
MM_INLINE __n128 mm_vaddw_u32(__n128 a, __n64 b)
{
    a.n128_u64[0] += b.n64_u32[0];
    a.n128_u64[1] += b.n64_u32[1];
    return a;
}
MM_INLINE unsigned int mm_vaddvq_u32(__n128 a)
{
    return a.n128_u32[0] + a.n128_u32[1] + a.n128_u32[2] + a.n128_u32[3];
}

/* ---- products ----------------------------------------------------------------------------------------- */

MM_LANES2(vmulq_u32, __n128, mm_u32, a.mm_u32 * b.mm_u32)
MM_CODE2(vmull_u32, __n128, __n64, "umull %0.2d, %1.2s, %2.2s")
MM_CODE2(vmull_high_u32, __n128, __n128, "umull2 %0.2d, %1.4s, %2.4s")
MM_CODE2_INTO(vmlal_u32, __n64, "umlal %0.2d, %1.2s, %2.2s")
MM_CODE2_INTO(vmlal_high_u32, __n128, "umlal2 %0.2d, %1.4s, %2.4s")
MM_INLINE __n128 mm_vmull_n_u32(__n64 a, unsigned int b)
{
    __n128 r;
    r.n128_u64[0] = (unsigned long long)a.n64_u32[0] * b;
    r.n128_u64[1] = (unsigned long long)a.n64_u32[1] * b;
    return r;
}

/* ---- shifts and widths -------------------------------------------------------------------------------- */

#define MM_SHIFT_LEFT(name, type, lanes)                                                                              \
    MM_INLINE type mm_##name(type a, int n)                                                                           \
    {                                                                                                                 \
        a.lanes = a.lanes << n;                                                                                       \
        return a;                                                                                                     \
    }
/* In two steps, as n may be the whole width, which C leaves open. */
#define MM_SHIFT_RIGHT(name, type, lanes)                                                                             \
    MM_INLINE type mm_##name(type a, int n)                                                                           \
    {                                                                                                                 \
        a.lanes = a.lanes >> (n - 1) >> 1;                                                                            \
        return a;                                                                                                     \
    }
MM_SHIFT_LEFT(vshlq_n_u32, __n128, mm_u32)
MM_SHIFT_LEFT(vshlq_n_u64, __n128, mm_u64)
MM_SHIFT_LEFT(vshl_n_u64, __n64, mm_u64)
MM_SHIFT_RIGHT(vshrq_n_u8, __n128, mm_u8)
MM_SHIFT_RIGHT(vshrq_n_u32, __n128, mm_u32)
MM_SHIFT_RIGHT(vshrq_n_u64, __n128, mm_u64)
MM_SHIFT_RIGHT(vshr_n_u64, __n64, mm_u64)

/* The shifted b takes its place in a; the other bits of a stay. */
#define MM_INSERT(name, lanes, shift)                                                                                 \
    MM_INLINE __n128 mm_##name(__n128 a, __n128 b, int n)                                                             \
    {                                                                                                                 \
        __n128 ones;                                                                                                  \
        ones.mm_u64 = ~(a.mm_u64 ^ a.mm_u64);                                                                         \
        a.lanes = (a.lanes & ~mm_##shift(ones, n).lanes) | mm_##shift(b, n).lanes;                                    \
        return a;                                                                                                     \
    }
MM_INSERT(vsliq_n_u32, mm_u32, vshlq_n_u32)
MM_INSERT(vsliq_n_u64, mm_u64, vshlq_n_u64)
MM_INSERT(vsriq_n_u32, mm_u32, vshrq_n_u32)
MM_INSERT(vsriq_n_u64, mm_u64, vshrq_n_u64)

MM_INLINE __n128 mm_vsraq_n_u32(__n128 a, __n128 b, int n)
{
    return mm_vaddq_u32(a, mm_vshrq_n_u32(b, n));
}
MM_INLINE __n128 mm_vsraq_n_u64(__n128 a, __n128 b, int n)
{
    return mm_vaddq_u64(a, mm_vshrq_n_u64(b, n));
}
MM_INLINE __n64 mm_vshrn_n_u64(__n128 a, int n)
{
    __n64 r;
    r.n64_u32[0] = (unsigned int)(a.n128_u64[0] >> n);
    r.n64_u32[1] = (unsigned int)(a.n128_u64[1] >> n);
    return r;
}
MM_INLINE __n64 mm_vmovn_u64(__n128 a)
{
    return mm_vshrn_n_u64(a, 0);
}
MM_INLINE __n128 mm_vmovl_u32(__n64 a)
{
    __n128 r;
    r.n128_u64[0] = a.n64_u32[0];
    r.n128_u64[1] = a.n64_u32[1];
    return r;
}

/* ---- loads and stores --------------------------------------------------------------------------------- */

#define MM_LOAD(name, type, from)                                                                                     \
    MM_INLINE type mm_##name(const from *p)                                                                           \
    {                                                                                                                 \
        type r;                                                                                                       \
        __builtin_memcpy(&r, p, sizeof r);                                                                            \
        return r;                                                                                                     \
    }
#define MM_STORE(name, type, to)                                                                                      \
    MM_INLINE void mm_##name(to *p, type a)                                                                           \
    {                                                                                                                 \
        __builtin_memcpy(p, &a, sizeof a);                                                                            \
    }
MM_LOAD(vld1q_u8, __n128, unsigned char)
MM_LOAD(vld1q_u32, __n128, unsigned int)
MM_LOAD(vld1q_u64, __n128, unsigned long long)
MM_LOAD(vld1_u8, __n64, unsigned char)
MM_LOAD(vld1_u32, __n64, unsigned int)
MM_LOAD(vld1_u64, __n64, unsigned long long)
MM_LOAD(vld1q_u8_x2, __n128x2, unsigned char)
MM_LOAD(vld1q_u8_x4, __n128x4, char) /* not unsigned char: C2664 of cl */
MM_LOAD(vld1q_u32_x4, __n128x4, unsigned int)
MM_STORE(vst1q_u8, __n128, unsigned char)
MM_STORE(vst1q_u32, __n128, unsigned int)
MM_STORE(vst1q_u64, __n128, unsigned long long)
MM_STORE(vst1_u8, __n64, unsigned char)
MM_STORE(vst1_u32, __n64, unsigned int)
MM_STORE(vst1_u64, __n64, unsigned long long)
MM_STORE(vst1q_u8_x2, __n128x2, unsigned char)
MM_STORE(vst1q_u8_x4, __n128x4, unsigned char)
MM_STORE(vst1q_u32_x4, __n128x4, unsigned int)
MM_INLINE __n128 mm_vld1q_dup_u64(const unsigned long long *p)
{
    __n128 r;
    r.n128_u64[0] = r.n128_u64[1] = *p;
    return r;
}

/* ---- lanes and halves --------------------------------------------------------------------------------- */

#define MM_REPEAT(name, type, lane, lanes)                                                                            \
    MM_INLINE type mm_##name(lane x)                                                                                  \
    {                                                                                                                 \
        type r;                                                                                                       \
        int i;                                                                                                        \
        for (i = 0; i < (int)(sizeof r.lanes / sizeof *r.lanes); i++) {                                               \
            r.lanes[i] = x;                                                                                           \
        }                                                                                                             \
        return r;                                                                                                     \
    }
MM_REPEAT(vdupq_n_u8, __n128, unsigned char, n128_u8)
MM_REPEAT(vdupq_n_u32, __n128, unsigned int, n128_u32)
MM_REPEAT(vdupq_n_u64, __n128, unsigned long long, n128_u64)
MM_REPEAT(vdup_n_u8, __n64, unsigned char, n64_u8)
MM_REPEAT(vdup_n_u32, __n64, unsigned int, n64_u32)
MM_REPEAT(vmovq_n_u8, __n128, unsigned char, n128_u8)

#define MM_GET(name, type, lane, lanes)                                                                               \
    MM_INLINE lane mm_##name(type a, int n)                                                                           \
    {                                                                                                                 \
        return a.lanes[n];                                                                                            \
    }
#define MM_SET(name, type, lane, lanes)                                                                               \
    MM_INLINE type mm_##name(lane x, type a, int n)                                                                   \
    {                                                                                                                 \
        a.lanes[n] = x;                                                                                               \
        return a;                                                                                                     \
    }
MM_GET(vgetq_lane_u8, __n128, unsigned char, n128_u8)
MM_GET(vgetq_lane_u32, __n128, unsigned int, n128_u32)
MM_GET(vgetq_lane_u64, __n128, unsigned long long, n128_u64)
MM_GET(vgetq_lane_p64, __n128, unsigned long long, n128_u64)
MM_GET(vget_lane_u32, __n64, unsigned int, n64_u32)
MM_GET(vget_lane_u64, __n64, unsigned long long, n64_u64)
MM_GET(vget_lane_p64, __n64, unsigned long long, n64_u64)
MM_SET(vsetq_lane_u8, __n128, unsigned char, n128_u8)
MM_SET(vsetq_lane_u32, __n128, unsigned int, n128_u32)
MM_SET(vsetq_lane_u64, __n128, unsigned long long, n128_u64)
MM_SET(vset_lane_u32, __n64, unsigned int, n64_u32)

#define MM_HALF(name, n)                                                                                              \
    MM_INLINE __n64 mm_##name(__n128 a)                                                                               \
    {                                                                                                                 \
        __n64 r;                                                                                                      \
        r.n64_u64[0] = a.n128_u64[n];                                                                                 \
        return r;                                                                                                     \
    }
MM_HALF(vget_low_u8, 0)
MM_HALF(vget_low_u32, 0)
MM_HALF(vget_low_u64, 0)
MM_HALF(vget_low_p64, 0)
MM_HALF(vget_high_u8, 1)
MM_HALF(vget_high_u32, 1)
MM_HALF(vget_high_u64, 1)
MM_HALF(vget_high_p64, 1)

#define MM_COMBINE(name)                                                                                              \
    MM_INLINE __n128 mm_##name(__n64 low, __n64 high)                                                                 \
    {                                                                                                                 \
        __n128 r;                                                                                                     \
        r.n128_u64[0] = low.n64_u64[0];                                                                               \
        r.n128_u64[1] = high.n64_u64[0];                                                                              \
        return r;                                                                                                     \
    }
MM_COMBINE(vcombine_u8)
MM_COMBINE(vcombine_u32)
MM_COMBINE(vcombine_u64)

MM_REPEAT(vcreate_u8, __n64, unsigned long long, n64_u64)
MM_REPEAT(vcreate_u64, __n64, unsigned long long, n64_u64)

/* ---- the same bits as another type -------------------------------------------------------------------- */

#define MM_SAME(name, type)                                                                                           \
    MM_INLINE type mm_##name(type a)                                                                                  \
    {                                                                                                                 \
        return a;                                                                                                     \
    }
MM_SAME(vreinterpretq_u8_u16, __n128)
MM_SAME(vreinterpretq_u8_u32, __n128)
MM_SAME(vreinterpretq_u8_u64, __n128)
MM_SAME(vreinterpretq_u8_p64, __n128)
MM_SAME(vreinterpretq_u8_p128, __n128)
MM_SAME(vreinterpretq_u16_u8, __n128)
MM_SAME(vreinterpretq_u16_u32, __n128)
MM_SAME(vreinterpretq_u32_u8, __n128)
MM_SAME(vreinterpretq_u32_u16, __n128)
MM_SAME(vreinterpretq_u32_u64, __n128)
MM_SAME(vreinterpretq_u64_u8, __n128)
MM_SAME(vreinterpretq_u64_u32, __n128)
MM_SAME(vreinterpretq_u64_p64, __n128)
MM_SAME(vreinterpretq_u64_p128, __n128)
MM_SAME(vreinterpretq_p64_u8, __n128)
MM_SAME(vreinterpretq_p64_u64, __n128)
MM_SAME(vreinterpret_u8_u64, __n64)
MM_SAME(vreinterpret_u32_u64, __n64)
MM_SAME(vreinterpret_u64_u8, __n64)
MM_SAME(vreinterpret_p64_u64, __n64)

#include <arm64_neon_names.h>

#endif
