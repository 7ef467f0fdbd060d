/* refused: '= {}' is not known to MSVC */
int f(void);
int f(void)
{
    struct {
        int a;
    } s = {};
    return s.a;
}
