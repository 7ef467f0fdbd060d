/* refused: GNU case range */
int f(int a);
int f(int a)
{
    switch (a) {
    case 1 ... 3:
        return 1;
    default:
        return 0;
    }
}
