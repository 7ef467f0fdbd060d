/* SPDX-License-Identifier: MIT */
/* known_answers --variant KERNEL: everything that is known about one kernel, in TAP.
 *
 * Exit status: 0 all right, 1 a wrong value, 2 bad usage or a kernel that is not built in. */
#include <stdio.h>
#include <string.h>

#include "tests.h"

static const struct {
    const char *name;
    void (*test)(void);
} kernels[] = {
#if ANY_KERNEL
    {"aes_arm64", test_aes_arm64},
    {"chacha_arm64", test_chacha_arm64},
    {"gcm_arm64", test_gcm_arm64},
    {"poly1305_arm64", test_poly1305_arm64},
    {"portable_arm64", test_portable_arm64},
    {"sha256_arm64", test_sha256_arm64},
#endif
#if WOLFSSL_BUILD_GCM_EOR3_ARM64
    {"gcm_eor3_arm64", test_gcm_eor3_arm64},
#endif
#if WOLFSSL_BUILD_SHA3_ARM64
    {"sha3_arm64", test_sha3_arm64},
#endif
#if WOLFSSL_BUILD_SHA512_ARM64
    {"sha512_arm64", test_sha512_arm64},
#endif
    {NULL, NULL},
};

int main(int count, char **arguments)
{
    if (count != 3 || strcmp(arguments[1], "--variant") != 0) {
        fputs("usage: known_answers --variant KERNEL\n", stderr);
        return 2;
    }
    for (size_t i = 0; kernels[i].name != NULL; i++) {
        if (strcmp(kernels[i].name, arguments[2]) == 0) {
            tap_start(arguments[2]);
            kernels[i].test();
            return tap_finish();
        }
    }
    fprintf(stderr, "kernel '%s' is not built into this program\n", arguments[2]);
    return 2;
}
