/* refused: incompatible type '__n64' */
#include <arm64_neon.h>
#include <stdint.h>

uint8x16_t f(uint64_t a, uint64_t b);
uint8x16_t f(uint64_t a, uint64_t b)
{
    return vreinterpretq_u8_p128(vmull_p64(a, b));
}
