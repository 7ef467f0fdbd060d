/* refused: bit-field 'mm_immediate' has negative width */
#include <arm64_neon.h>

uint8x16_t f(uint8x16_t a);
uint8x16_t f(uint8x16_t a)
{
    return vextq_u8(a, a, 16);
}
