/* refused: arithmetic on a pointer to void */
void *f(void *p);
void *f(void *p)
{
    return p + 1;
}
