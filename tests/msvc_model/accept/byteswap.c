#include <stdlib.h>

unsigned long f(unsigned long a);
unsigned long f(unsigned long a)
{
    return _byteswap_ulong(a);
}
