/* refused: '__asm__' is not known to MSVC */
int f(int a);
int f(int a)
{
    __asm__("nop");
    return a;
}
