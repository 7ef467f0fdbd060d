#include <intrin.h>

long f(long volatile *p, const volatile __int32 *q);
long f(long volatile *p, const volatile __int32 *q)
{
    _ReadWriteBarrier();
    __dmb(_ARM64_BARRIER_ISH);
    return _InterlockedExchange(p, 1) + _InterlockedExchangeAdd(p, 2) + __iso_volatile_load32(q);
}
