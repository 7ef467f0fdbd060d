/* The sizes that the library sees, and those that its consumer sees. */
#include <cmk/aes.h>
#include <cmk/sha256.h>
#include <stdio.h>

extern const int inside[3];

int main(void)
{
    printf("%d %d %d\n", inside[0], inside[1], inside[2]);
    printf("%d %d %d\n", (int)sizeof(cmk_aes_key), (int)sizeof(cmk_aes_ctr_state), (int)sizeof(cmk_sha256_context));
    return 0;
}
