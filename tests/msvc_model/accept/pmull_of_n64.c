#include <arm64_neon.h>
#include <stdint.h>

uint64x2_t f(uint64_t x, uint64_t y);
uint64x2_t f(uint64_t x, uint64_t y)
{
    __n64 a = {x}, b = {y};
    return vmull_p64(a, b);
}
