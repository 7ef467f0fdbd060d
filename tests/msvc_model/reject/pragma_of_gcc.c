/* refused: error C4068: unknown pragma 'GCC' */
#pragma GCC diagnostic push
int f(int a);
int f(int a)
{
    return a;
}
