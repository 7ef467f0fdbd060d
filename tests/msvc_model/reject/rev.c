/* refused: call to undeclared function '__rev' */
#include <intrin.h>

unsigned f(unsigned a);
unsigned f(unsigned a)
{
    return __rev(a);
}
