/* Included before all else: from here on the compiler is none that anybody knows, but C11. The C library's headers
 * come first, since they would not know what to do with it. */
#ifndef FAKE_OTHER_H
#define FAKE_OTHER_H

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef __GNUC__
#undef __clang__
#undef __ELF__

#endif
