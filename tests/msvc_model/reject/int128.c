/* refused: '__int128' is not known to MSVC */
unsigned long long f(unsigned long long a);
unsigned long long f(unsigned long long a)
{
    return (unsigned long long)((unsigned __int128)a * a >> 64);
}
