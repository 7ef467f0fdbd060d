/* Included before all else: from here on the compiler is taken for cl. */
#ifndef FAKE_CL_H
#define FAKE_CL_H

#include "../other/other.h"

#define _MSC_VER 1944
#define __forceinline inline
#define __int32 int
#define __declspec(what)
#if defined(__aarch64__)
#define _M_ARM64 1
#else
#define _M_X64 100
#endif

#endif
