#include "policies.h"

const char *pol_ghash_portable(int unused)
{
    (void)unused;
    return "portable";
}

void pol_digest_portable(const char **variant)
{
    *variant = "portable";
}

const char *pol_sha3_portable(void)
{
    return "portable";
}

const char *pol_sha3_blocks_portable(const unsigned char *from, size_t count)
{
    (void)from;
    (void)count;
    return "portable";
}

const char *pol_first_portable(void)
{
    return "portable";
}

const char *pol_blocks_portable(void)
{
    return "portable";
}
