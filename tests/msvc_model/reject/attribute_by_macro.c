/* refused: '__attribute__' is not known to MSVC */
#define INLINE __attribute__((always_inline)) inline
static INLINE int g(void)
{
    return 1;
}
int f(void);
int f(void)
{
    return g();
}
