/* refused: 'restrict' is not known to MSVC without /std:c11 */
/* options: /W4 */
void f(int *restrict p);
void f(int *restrict p)
{
    *p = 1;
}
