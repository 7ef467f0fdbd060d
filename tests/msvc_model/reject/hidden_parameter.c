/* refused: declaration shadows a local variable */
int f(int a);
int f(int a)
{
    for (int i = 0; i < 2; i++) {
        int a = i;
        (void)a;
    }
    return a;
}
