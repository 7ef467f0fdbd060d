/* Prints the SHA-256 of its first argument, by the best that the CPU can do. */
#include <cmk/sha256.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *message = argc > 1 ? argv[1] : "abc";
    cmk_sha256_context context;
    uint8_t digest[CMK_SHA256_DIGEST_SIZE];
    cmk_status status = cmk_sha256_init(&context);

    if (status == CMK_OK) {
        status = cmk_sha256_update(&context, (const uint8_t *)message, strlen(message));
    }
    if (status == CMK_OK) {
        status = cmk_sha256_final(&context, digest);
    }
    if (status != CMK_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof digest; i++) {
        printf("%02x", digest[i]);
    }
    printf("\n");
    return 0;
}
