/* refused: unknown type name 'poly128_t' */
#include <arm64_neon.h>

poly128_t f(poly64x2_t a);
poly128_t f(poly64x2_t a)
{
    return vmull_high_p64(a, a);
}
