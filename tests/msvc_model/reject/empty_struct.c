/* refused: empty struct */
struct nothing {};
int f(int a);
int f(int a)
{
    return a;
}
