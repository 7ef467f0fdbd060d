#include <stdarg.h>

int f(int count, ...);
int f(int count, ...)
{
    int sum = 0;
    va_list list;
    va_start(list, count);
    while (count-- > 0) {
        sum += va_arg(list, int);
    }
    va_end(list);
    return sum;
}
