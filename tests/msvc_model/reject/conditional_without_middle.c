/* refused: omitting middle operand */
int f(int a);
int f(int a)
{
    return a ?: 1;
}
