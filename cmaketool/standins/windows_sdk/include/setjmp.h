/* SPDX-License-Identifier: MIT */
/* clang's own intrin.h includes it. Nothing here defines what it declares. */
#ifndef WINDOWS_SDK_SETJMP_H
#define WINDOWS_SDK_SETJMP_H

typedef unsigned __int64 jmp_buf[24];

#endif
