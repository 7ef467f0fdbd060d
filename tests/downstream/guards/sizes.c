/* The sizes that the library sees, and those that its consumer sees. */
#include <cmk/aes.h>
#include <cmk/sha256.h>
#include <stdio.h>

extern const int inside[2];

int main(void)
{
    printf("%d %d\n", inside[0], inside[1]);
    printf("%d %d\n", (int)sizeof(cmk_aes_key), (int)sizeof(cmk_sha256_context));
    return 0;
}
