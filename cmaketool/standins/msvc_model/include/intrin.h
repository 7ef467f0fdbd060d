/* SPDX-License-Identifier: MIT */
/* The intrinsics that Microsoft documents and kernels and detection code want. The compiler underneath knows most
 * of them by their declaration; the others are written here. */
#ifndef MSVC_MODEL_INTRIN_H
#define MSVC_MODEL_INTRIN_H

unsigned short _byteswap_ushort(unsigned short value);
unsigned long _byteswap_ulong(unsigned long value);
unsigned __int64 _byteswap_uint64(unsigned __int64 value);
unsigned int _rotl(unsigned int value, int count);
unsigned int _rotr(unsigned int value, int count);
unsigned __int64 _rotl64(unsigned __int64 value, int count);
unsigned __int64 _rotr64(unsigned __int64 value, int count);
unsigned char _BitScanForward(unsigned long *index, unsigned long mask);
unsigned char _BitScanReverse(unsigned long *index, unsigned long mask);

void _ReadWriteBarrier(void);
long _InterlockedExchange(long volatile *target, long value);
long _InterlockedExchangeAdd(long volatile *target, long value);
long _InterlockedCompareExchange(long volatile *target, long value, long expected);
long _InterlockedIncrement(long volatile *target);
long _InterlockedDecrement(long volatile *target);
long _InterlockedAnd(long volatile *target, long value);
long _InterlockedOr(long volatile *target, long value);
__int64 _InterlockedExchange64(__int64 volatile *target, __int64 value);
__int64 _InterlockedExchangeAdd64(__int64 volatile *target, __int64 value);
__int64 _InterlockedCompareExchange64(__int64 volatile *target, __int64 value, __int64 expected);
__int64 _InterlockedIncrement64(__int64 volatile *target);

/* Plain accesses, without the order that /volatile:ms adds. */
__int8 __iso_volatile_load8(const volatile __int8 *from);
__int16 __iso_volatile_load16(const volatile __int16 *from);
__int32 __iso_volatile_load32(const volatile __int32 *from);
__int64 __iso_volatile_load64(const volatile __int64 *from);
void __iso_volatile_store8(volatile __int8 *to, __int8 value);
void __iso_volatile_store16(volatile __int16 *to, __int16 value);
void __iso_volatile_store32(volatile __int32 *to, __int32 value);
void __iso_volatile_store64(volatile __int64 *to, __int64 value);

#if defined(_M_ARM64) || defined(_M_ARM64EC)

#define _ARM64_BARRIER_ISH 0xB
#define _ARM64_BARRIER_SY 0xF
void __dmb(unsigned int type);
void __dsb(unsigned int type);
void __isb(unsigned int type);
unsigned int _CountLeadingZeros(unsigned long value);
unsigned int _CountLeadingZeros64(unsigned __int64 value);
unsigned __int64 __umulh(unsigned __int64 a, unsigned __int64 b);

#define MM_CRC32(name, type, code)                                                                                    \
    static __inline __attribute__((always_inline, unused)) unsigned int name(unsigned int crc, type value)            \
    {                                                                                                                 \
        unsigned int result;                                                                                          \
        __asm__(".arch_extension crc\n\t" code : "=r"(result) : "r"(crc), "r"(value));                                \
        return result;                                                                                                \
    }
MM_CRC32(__crc32b, unsigned int, "crc32b %w0, %w1, %w2")
MM_CRC32(__crc32h, unsigned int, "crc32h %w0, %w1, %w2")
MM_CRC32(__crc32w, unsigned int, "crc32w %w0, %w1, %w2")
MM_CRC32(__crc32d, unsigned __int64, "crc32x %w0, %w1, %x2")
MM_CRC32(__crc32cb, unsigned int, "crc32cb %w0, %w1, %w2")
MM_CRC32(__crc32ch, unsigned int, "crc32ch %w0, %w1, %w2")
MM_CRC32(__crc32cw, unsigned int, "crc32cw %w0, %w1, %w2")
MM_CRC32(__crc32cd, unsigned __int64, "crc32cx %w0, %w1, %x2")

#else

void __cpuid(int registers[4], int leaf);
void __cpuidex(int registers[4], int leaf, int subleaf);
unsigned __int64 _xgetbv(unsigned int index);
unsigned __int64 __rdtsc(void);
unsigned __int64 _umul128(unsigned __int64 a, unsigned __int64 b, unsigned __int64 *high);

#endif

#endif
