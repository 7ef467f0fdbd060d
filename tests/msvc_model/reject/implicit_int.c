/* refused: type specifier missing, defaults to 'int' */
static a = 1;
int f(void);
int f(void)
{
    return a;
}
