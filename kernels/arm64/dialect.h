/* SPDX-License-Identifier: MIT */
/* The one place that knows how compilers differ for NEON kernels.
 *
 * A kernel's source tests its CMK_BUILD_ macro, includes this file, and then pushes its target attribute by its
 * CMK_TARGET_ macro. What it may use is what Microsoft's cl is known to take: no operators, casts, subscripts or
 * brace initialisers on vectors, only constant immediates, no built-ins. The names used are those of the Arm C
 * Language Extensions for which there is public code built with cl. */
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
#ifdef CMK_DIALECT_DEFINED_CRYPTO
#undef __ARM_FEATURE_CRYPTO
#endif

#endif

/* The vector {low, high}. */
static inline uint64x2_t pair_u64(uint64_t low, uint64_t high)
{
    return vsetq_lane_u64(high, vdupq_n_u64(low), 1);
}

#endif
