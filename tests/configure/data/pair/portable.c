#include "pair.h"

void pair_aes_portable(unsigned char *block, const unsigned char *key)
{
    int i;

    for (i = 0; i < 16; ++i) {
        block[i] = (unsigned char)(block[i] ^ key[i]);
    }
}
