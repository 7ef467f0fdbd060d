/* refused: subscripted value is not an array, pointer, or vector */
#include <arm64_neon.h>

unsigned f(uint32x4_t a);
unsigned f(uint32x4_t a)
{
    return a[0];
}
