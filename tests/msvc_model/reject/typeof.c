/* refused: '__typeof__' is not known to MSVC without cl 19.39 */
int f(int a);
int f(int a)
{
    __typeof__(a) b = a;
    return b;
}
