/* SPDX-License-Identifier: MIT */
/* These four built-ins are the only ones that the stand-in lets pass in a user's lines, where they come from here. */
#ifndef MSVC_MODEL_STDARG_H
#define MSVC_MODEL_STDARG_H

typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)

#endif
