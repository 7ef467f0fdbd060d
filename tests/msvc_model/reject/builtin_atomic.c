/* refused: '__atomic_load_n' is not known to MSVC */
int f(int *p);
int f(int *p)
{
    return __atomic_load_n(p, 0);
}
