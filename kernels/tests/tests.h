/* SPDX-License-Identifier: MIT */
/* The groups of checks, one a source file. Each prints its checks for the one variant given. */
#ifndef CMK_TESTS_TESTS_H
#define CMK_TESTS_TESTS_H

#include "variants.h"

void test_aes_key(const aes_variant *variant);
void test_aes_ecb(const aes_variant *variant);
void test_aes_cbc(const aes_variant *variant);
void test_aes_ctr(const aes_variant *variant);
void test_aes_xts(const xts_variant *variant);
void test_aes_gcm(const gcm_variant *variant);
void test_aes_gcm_stream(const gcm_variant *variant);
void test_chacha20(const chacha20_variant *variant);
void test_chacha20_poly1305(const chacha20_poly1305_variant *variant);
void test_poly1305(const poly1305_variant *variant);
void test_sha256(const sha256_variant *variant);

#endif
