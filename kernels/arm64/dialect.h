/* SPDX-License-Identifier: MIT */
/* The one place that knows how compilers differ for NEON kernels.
 *
 * A kernel's source tests its CMK_BUILD_ macro, includes this file, and then pushes its target attribute by its
 * CMK_TARGET_ macro. What it may use is what Microsoft's cl is known to take: no operators, casts, subscripts or
 * brace initialisers on vectors, only constant immediates, no built-ins. The names used are those of the Arm C
 * Language Extensions for which there is public code built with cl; what has none, or differs there, is at the end
 * of this file. */
#ifndef CMK_ARM64_DIALECT_H
#define CMK_ARM64_DIALECT_H

#include <stdint.h>

#if defined(_MSC_VER) && !defined(__clang__)

/* cl: for ARM64EC its arm_neon.h does not hand over to this one. */
#include <arm64_neon.h>

#else

/* clang before 16 declares these intrinsics only under the feature macros, not by target attribute. */
#if defined(__clang__) && __clang_major__ < 16
#ifndef __ARM_FEATURE_AES
#define __ARM_FEATURE_AES 1
#define CMK_DIALECT_DEFINED_AES
#endif
#ifndef __ARM_FEATURE_SHA2
#define __ARM_FEATURE_SHA2 1
#define CMK_DIALECT_DEFINED_SHA2
#endif
#ifndef __ARM_FEATURE_SHA512
#define __ARM_FEATURE_SHA512 1
#define CMK_DIALECT_DEFINED_SHA512
#endif
#ifndef __ARM_FEATURE_SHA3
#define __ARM_FEATURE_SHA3 1
#define CMK_DIALECT_DEFINED_SHA3
#endif
#ifndef __ARM_FEATURE_CRYPTO
#define __ARM_FEATURE_CRYPTO 1
#define CMK_DIALECT_DEFINED_CRYPTO
#endif
#endif

#include <arm_neon.h>

/* Nobody else may take them for what the target has. */
#ifdef CMK_DIALECT_DEFINED_AES
#undef __ARM_FEATURE_AES
#endif
#ifdef CMK_DIALECT_DEFINED_SHA2
#undef __ARM_FEATURE_SHA2
#endif
#ifdef CMK_DIALECT_DEFINED_SHA512
#undef __ARM_FEATURE_SHA512
#endif
#ifdef CMK_DIALECT_DEFINED_SHA3
#undef __ARM_FEATURE_SHA3
#endif
#ifdef CMK_DIALECT_DEFINED_CRYPTO
#undef __ARM_FEATURE_CRYPTO
#endif

#endif

/* What compilers do with the order of a long loop costs more than it gains: they gather loads at the top, leave the
 * products for the end, and run out of registers between. These write no instruction and say nothing to cl.
 *
 * CMK_KEEP: from here on nobody knows what is in the vector, so it stays where it is. It is not loaded again where
 * it is used, not taken apart, and no constant any more. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_KEEP(vector) __asm__("" : "+w"(vector))
#else
#define CMK_KEEP(vector) (void)(vector)
#endif

/* CMK_NOW, CMK_BOTH_NOW: the vector, or both, are in registers here, and so they are made where the text says, one of
 * these after the other. Two loads from one place before CMK_BOTH_NOW become one instruction. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_NOW(vector) __asm__ volatile("" : "+w"(vector))
#define CMK_BOTH_NOW(a, b) __asm__ volatile("" : "+w"(a), "+w"(b))
#else
#define CMK_NOW(vector) (void)(vector)
#define CMK_BOTH_NOW(a, b) (void)(a), (void)(b)
#endif

/* CMK_KEEP_POINTER: nobody knows where it points to, so it is not made anew for each use. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_KEEP_POINTER(pointer) __asm__ volatile("" : "+r"(pointer))
#else
#define CMK_KEEP_POINTER(pointer) (void)(pointer)
#endif

/* CMK_IN_ORDER: what comes before in the text, of these vectors and of memory, is done before what comes after. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_IN_ORDER(a, b, c, d) __asm__ volatile("" : "+w"(a), "+w"(b), "+w"(c), "+w"(d) : : "memory")
#else
#define CMK_IN_ORDER(a, b, c, d) (void)(a), (void)(b), (void)(c), (void)(d)
#endif

/* CMK_IN_ORDER_5: the same of five vectors, and not of memory. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_IN_ORDER_5(a, b, c, d, e) __asm__ volatile("" : "+w"(a), "+w"(b), "+w"(c), "+w"(d), "+w"(e))
#else
#define CMK_IN_ORDER_5(a, b, c, d, e) (void)(a), (void)(b), (void)(c), (void)(d), (void)(e)
#endif

/* CMK_INLINE: a function that is part of each that calls it, whatever its size. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_INLINE static inline __attribute__((always_inline))
#elif defined(_MSC_VER)
#define CMK_INLINE static __forceinline
#else
#define CMK_INLINE static inline
#endif

/* CMK_APART: a function of the file that is no part of those that call it, and calls nothing itself while secrets are
 * in registers: what is left in those that a call preserves would be put on the stack by the next. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_APART static __attribute__((noinline, unused))
#else
#define CMK_APART static inline
#endif

/* CMK_IN_MEMORY: the array is in memory, not in registers. */
#if defined(__GNUC__) || defined(__clang__)
#define CMK_IN_MEMORY(array) __asm__ volatile("" : : "r"(array) : "memory")
#else
#define CMK_IN_MEMORY(array) (void)(array)
#endif

/* The vector {low, high}. */
static inline uint64x2_t pair_u64(uint64_t low, uint64_t high)
{
    return vcombine_u64(vcreate_u64(low), vcreate_u64(high));
}

/* {low half of a, low half of b}, and the same of the high halves. */
static inline uint32x4_t low_halves_u32(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u32_u64(vzip1q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

static inline uint32x4_t high_halves_u32(uint32x4_t a, uint32x4_t b)
{
    return vreinterpretq_u32_u64(vzip2q_u64(vreinterpretq_u64_u32(a), vreinterpretq_u64_u32(b)));
}

/* The polynomial product of the low halves of two uint8x16_t, and that of the high ones. Macros, as they need the
 * kernel's target. For cl the operands of vmull_p64 are vectors, and poly128_t has no name. */
#if defined(_MSC_VER) && !defined(__clang__)
#define CMK_LOW_P64(a) vget_low_p64(vreinterpretq_p64_u8(a))
#else
#define CMK_LOW_P64(a) vgetq_lane_p64(vreinterpretq_p64_u8(a), 0)
#endif
#define pmull_low(a, b) vreinterpretq_u8_p128(vmull_p64(CMK_LOW_P64(a), CMK_LOW_P64(b)))
#define pmull_high(a, b) vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b)))

/* The products of the high halves of two uint32x4_t, alone and added to `sum`. cl is not known to take these names. */
#if defined(_MSC_VER) && !defined(__clang__)
#define mull_high_u32(a, b) vmull_u32(vget_high_u32(a), vget_high_u32(b))
#define mlal_high_u32(sum, a, b) vmlal_u32(sum, vget_high_u32(a), vget_high_u32(b))
#else
#define mull_high_u32(a, b) vmull_high_u32(a, b)
#define mlal_high_u32(sum, a, b) vmlal_high_u32(sum, a, b)
#endif

#endif
