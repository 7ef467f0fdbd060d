#if defined(__GNUC__) || defined(__clang__)
#define ALWAYS_INLINE __attribute__((always_inline))
#define SWAP(x) __builtin_bswap32(x)
#else
#define ALWAYS_INLINE __forceinline
#define SWAP(x) _byteswap_ulong(x)
#endif
#include <stdlib.h>

static ALWAYS_INLINE unsigned long swap(unsigned long x)
{
    return SWAP(x);
}
unsigned long f(unsigned long x);
unsigned long f(unsigned long x)
{
    return swap(x);
}
