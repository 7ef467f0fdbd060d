/* The C library's, with what it lacks. */
#ifndef FAKE_UNISTD_H
#define FAKE_UNISTD_H

#include_next <unistd.h>

int issetugid(void);

#endif
