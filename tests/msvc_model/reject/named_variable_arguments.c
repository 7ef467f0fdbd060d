/* refused: named variadic macros */
#define SAME(words...) words
int f(int a);
int f(int a)
{
    return SAME(a);
}
