/* refused: '__builtin_bswap32' is not known to MSVC */
unsigned f(unsigned a);
unsigned f(unsigned a)
{
    return __builtin_bswap32(a);
}
