/* refused: variable length array */
int f(int n);
int f(int n)
{
    int a[n];
    a[0] = n;
    return a[0];
}
