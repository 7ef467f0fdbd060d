/* refused: implicit conversion loses integer precision */
unsigned f(unsigned long long a);
unsigned f(unsigned long long a)
{
    return a;
}
