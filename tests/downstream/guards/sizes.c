/* The sizes that the library sees, and those that its consumer sees. */
#include <cmk/aes.h>
#include <cmk/sha256.h>
#include <cmk_cpu.h>
#include <stdio.h>

extern const int inside[4];

int main(void)
{
    printf("%d %d %d %d\n", inside[0], inside[1], inside[2], inside[3]);
    printf("%d %d %d %d\n", (int)sizeof(cmk_aes_key), (int)sizeof(cmk_aes_ctr_state),
           (int)sizeof(cmk_sha256_context), (int)sizeof(cmk_cpu_decision));
    return 0;
}
