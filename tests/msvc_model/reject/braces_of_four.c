/* refused: excess elements in */
#include <arm64_neon.h>

static const uint32x4_t c = {1, 0, 0, 0};
uint32x4_t f(void);
uint32x4_t f(void)
{
    return c;
}
