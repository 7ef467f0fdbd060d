/* refused: invalid operands to binary expression */
#include <arm64_neon.h>

int f(uint8x16_t a, uint8x16_t b);
int f(uint8x16_t a, uint8x16_t b)
{
    return a == b;
}
