/* refused: '__attribute__' is not known to MSVC */
__attribute__((target("crypto"))) int f(void);
int f(void)
{
    return 1;
}
