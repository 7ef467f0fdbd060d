/* SPDX-License-Identifier: MIT */
/* cl's header of this name hands over for ARM64 (from Visual Studio 2019), and not for ARM64EC. */
#ifndef MSVC_MODEL_ARM_NEON_H
#define MSVC_MODEL_ARM_NEON_H

#if !defined(_M_ARM64)
#error This header is specific to ARM targets
#endif

#include <arm64_neon.h>

#endif
