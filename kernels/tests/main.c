/* SPDX-License-Identifier: MIT */
/* known_answers --variant NAME: everything that is known about one variant, in TAP.
 *
 * Exit status: 0 all right, 1 a wrong value, 2 bad usage or a variant that is not built in. */
#include <stddef.h>

#include "tap.h"
#include "tests.h"

int main(int count, char **arguments)
{
    const char *name = variant_argument(count, arguments);
    if (name == NULL) {
        return 2;
    }
    tap_start(name);
    if (find_aes(name) != NULL) {
        test_aes_key(find_aes(name));
        test_aes_ecb(find_aes(name));
        test_aes_cbc(find_aes(name));
        test_aes_ctr(find_aes(name));
    }
    if (find_xts(name) != NULL) {
        test_aes_xts(find_xts(name));
    }
    if (find_gcm(name) != NULL) {
        test_aes_gcm(find_gcm(name));
        test_aes_gcm_stream(find_gcm(name));
    }
    if (find_chacha20(name) != NULL) {
        test_chacha20(find_chacha20(name));
    }
    if (find_poly1305(name) != NULL) {
        test_poly1305(find_poly1305(name));
    }
    if (find_chacha20_poly1305(name) != NULL) {
        test_chacha20_poly1305(find_chacha20_poly1305(name));
    }
    if (find_sha256(name) != NULL) {
        test_sha256(find_sha256(name));
    }
    return tap_finish();
}
