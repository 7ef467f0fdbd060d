/* refused: error C4068: unknown pragma 'STDC' */
#pragma STDC FP_CONTRACT ON
int f(int a);
int f(int a)
{
    return a;
}
