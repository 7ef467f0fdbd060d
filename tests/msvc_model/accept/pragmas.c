/* Pragmas of cl, others where they are not told of, and subscripts in brackets. */
#ifdef __GNUC__
#pragma GCC diagnostic push
#endif
#pragma warning(push)
#pragma warning(disable: 4100 4068)
#pragma GCC diagnostic push
#pragma warning(pop)
int f(const int *a, const int *b);
int f(const int *a, const int *b)
{
    return a[b[0]];
}
