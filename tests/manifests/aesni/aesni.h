/* SPDX-License-Identifier: MIT */
#ifndef AESNI_H
#define AESNI_H

/* AES-128 (FIPS 197) of the block `in` into `out`, which may be the same. */
void aesni_encrypt_ni(const unsigned char key[16], const unsigned char in[16], unsigned char out[16]);
void aesni_encrypt_portable(const unsigned char key[16], const unsigned char in[16], unsigned char out[16]);

#endif
