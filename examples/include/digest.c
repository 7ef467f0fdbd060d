/* Prints the SHA-256 of its first argument, by the ARM64 kernel when the build holds it. */
#include <cmk/sha256.h>
#include <stdio.h>
#include <string.h>

#include "cmk_kernels_config.h" /* CMK_BUILD_<KERNEL>: 0 or 1 */

int main(int argc, char **argv)
{
    const char *message = argc > 1 ? argv[1] : "abc";
    cmk_sha256_context context;
    uint8_t digest[CMK_SHA256_DIGEST_SIZE];
    cmk_status status = cmk_sha256_init(&context);

#if CMK_BUILD_SHA256_ARM64
    if (status == CMK_OK) {
        status = cmk_sha256_update_arm64(&context, (const uint8_t *)message, strlen(message));
    }
    if (status == CMK_OK) {
        status = cmk_sha256_final_arm64(&context, digest);
    }
#else
    if (status == CMK_OK) {
        status = cmk_sha256_update_portable(&context, (const uint8_t *)message, strlen(message));
    }
    if (status == CMK_OK) {
        status = cmk_sha256_final_portable(&context, digest);
    }
#endif
    if (status != CMK_OK) {
        return 1;
    }
    for (size_t i = 0; i < sizeof digest; i++) {
        printf("%02x", digest[i]);
    }
    printf("\n");
    return 0;
}
