/* SPDX-License-Identifier: MIT */
#ifndef MSVC_MODEL_STDDEF_H
#define MSVC_MODEL_STDDEF_H

typedef unsigned __int64 size_t;
typedef __int64 ptrdiff_t;
typedef unsigned short wchar_t;

#define NULL ((void *)0)
#define offsetof(type, member) ((size_t) & (((type *)0)->member))

#endif
