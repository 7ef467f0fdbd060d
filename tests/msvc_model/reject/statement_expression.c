/* refused: statement expression */
int f(int a);
int f(int a)
{
    return ({
        int b = a;
        b + 1;
    });
}
