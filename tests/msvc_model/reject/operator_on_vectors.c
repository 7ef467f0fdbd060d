/* refused: invalid operands to binary expression */
#include <arm64_neon.h>

uint8x16_t f(uint8x16_t a, uint8x16_t b);
uint8x16_t f(uint8x16_t a, uint8x16_t b)
{
    return a ^ b;
}
