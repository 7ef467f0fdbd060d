/* refused: '__builtin_clzll' is not known to MSVC */
int f(unsigned long long a);
int f(unsigned long long a)
{
    return __builtin_clzll(a);
}
