/* refused: call to undeclared function 'nowhere' */
int f(void);
int f(void)
{
    return nowhere();
}
