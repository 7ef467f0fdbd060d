/* refused: excess elements in */
#include <arm64_neon.h>

unsigned f(void);
unsigned f(void)
{
    uint32x4_t a = {1, 2, 3};
    return a.n128_u32[0];
}
