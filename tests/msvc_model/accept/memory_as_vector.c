#include <arm64_neon.h>

void f(unsigned char *p);
void f(unsigned char *p)
{
    *(uint8x16_t *)(void *)p = vrev32q_u8(*(const uint8x16_t *)(const void *)p);
}
