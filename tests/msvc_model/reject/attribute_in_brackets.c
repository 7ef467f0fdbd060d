/* refused: '[[' is not known to MSVC */
int f(int a);
[[gnu::noinline]] int f(int a)
{
    return a;
}
