/* Of cl, which has no inline assembly: on what the driver answers. The `long` of cl has 32 bits, that of the compiler
 * which stands in for it has 64: the function adds to the half that it is really about. */
#ifndef FAKE_INTRIN_H
#define FAKE_INTRIN_H

void __cpuidex(int answer[4], int leaf, int subleaf);
unsigned long long _xgetbv(unsigned index);
long _InterlockedExchangeAdd(long volatile *at, long value);
int __iso_volatile_load32(const volatile int *at);
void __iso_volatile_store32(volatile int *at, int value);

#endif
