/* SPDX-License-Identifier: MIT */
/* clang's own intrin.h includes the SDK's behind it, for what clang has built in. */
#ifndef WINDOWS_SDK_INTRIN_H
#define WINDOWS_SDK_INTRIN_H
#endif
