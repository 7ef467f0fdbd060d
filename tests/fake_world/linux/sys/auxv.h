/* Of Linux. Without constants: those of old C libraries lack the newer ones, and none is needed. */
#ifndef FAKE_SYS_AUXV_H
#define FAKE_SYS_AUXV_H

unsigned long fake_getauxval(unsigned long type);
#define getauxval fake_getauxval

#ifdef FAKE_CONSTANTS
#define AT_HWCAP 16
#define AT_SECURE 23
#define HWCAP_AES (1 << 3)
#define HWCAP_PMULL (1 << 4)
#define HWCAP_SHA1 (1 << 5)
#define HWCAP_SHA2 (1 << 6)
#define HWCAP_CPUID (1 << 11)
#define HWCAP_SHA3 (1 << 17)
#define HWCAP_SHA512 (1 << 21)
#endif

#endif
