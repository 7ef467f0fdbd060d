#include <intrin.h>

unsigned __int64 f(unsigned __int64 a, unsigned int b);
unsigned __int64 f(unsigned __int64 a, unsigned int b)
{
    return __umulh(a, a) + _rotl64(a, 3) + _rotr(b, 5) + __crc32b(b, 1) + __crc32cd(b, a) + _CountLeadingZeros64(a);
}
