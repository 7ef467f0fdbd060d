/* Of macOS. */
#ifndef FAKE_SYS_SYSCTL_H
#define FAKE_SYS_SYSCTL_H

#include <stddef.h>

int sysctlbyname(const char *name, void *answer, size_t *size, void *wanted, size_t wanted_size);

#endif
