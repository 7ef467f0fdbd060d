/* refused: error C4068: unknown pragma 'clang' */
_Pragma("clang diagnostic push")
int f(int a);
int f(int a)
{
    return a;
}
