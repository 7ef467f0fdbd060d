/* refused: a cast to 'word', a union, is not known to MSVC */
#include <arm64_neon.h>

typedef uint32x4_t word;

uint32x4_t f(uint8x16_t a);
uint32x4_t f(uint8x16_t a)
{
    return (word)a;
}
