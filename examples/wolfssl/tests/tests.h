/* SPDX-License-Identifier: MIT */
/* Checks of the names that wolfSSL calls, one function for each kernel of the manifest. They call the names themselves,
 * as wolfSSL does, and hold them against published values and the models of ../../../kernels/tests. */
#ifndef WOLFSSL_KERNELS_TESTS_H
#define WOLFSSL_KERNELS_TESTS_H

#include "../src/names.h"

#include "../../../kernels/tests/buffers.h"
#include "../../../kernels/tests/model.h"
#include "../../../kernels/tests/tap.h"

void test_aes_arm64(void);
void test_gcm_arm64(void);
void test_gcm_eor3_arm64(void);
void test_sha256_arm64(void);
void test_sha512_arm64(void);
void test_sha3_arm64(void);
void test_chacha_arm64(void);
void test_poly1305_arm64(void);
void test_portable_arm64(void);

/* Parts of the last. */
void test_aes_portable(void);
void test_hashes_portable(void);

#endif
