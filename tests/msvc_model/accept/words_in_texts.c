/* __attribute__ typeof asm */
const char *f(void);
const char *f(void)
{
    return "__attribute__ asm \" __builtin_bswap32";
}
