/* refused: call to undeclared function 'vqrdmlahq_s32' */
#include <arm64_neon.h>

int32x4_t f(int32x4_t a);
int32x4_t f(int32x4_t a)
{
    return vqrdmlahq_s32(a, a, a);
}
