/* SPDX-License-Identifier: MIT */
/* The algorithms once more, as the standards say it, byte by byte and without any regard to speed or secrecy:
 * what the portable variants are held against. Shares no code with them. */
#ifndef CMK_TESTS_MODEL_H
#define CMK_TESTS_MODEL_H

#include <stddef.h>
#include <stdint.h>

/* What SP 800-38A appendix F encrypts in every mode. */
#define SP800_38A_BLOCKS                                                                                              \
    "6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51 "                                              \
    "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710"

/* The round keys of FIPS 197, in the order of use; answers the number of rounds. `decrypt` gets those of the
 * equivalent inverse cipher. Both have room for 240 bytes; what is not used is set to zero. */
unsigned model_aes_key(uint8_t *encrypt, uint8_t *decrypt, const uint8_t *key, size_t length);

/* Section 5.1 and 5.3 on one block, both with the keys of encryption. */
void model_aes_cipher(uint8_t *state, const uint8_t *schedule, unsigned rounds);
void model_aes_inverse_cipher(uint8_t *state, const uint8_t *schedule, unsigned rounds);

void model_aes_ecb_encrypt(const uint8_t *key, size_t key_length, const uint8_t *in, uint8_t *out, size_t length);
void model_aes_ecb_decrypt(const uint8_t *key, size_t key_length, const uint8_t *in, uint8_t *out, size_t length);
void model_aes_ctr(const uint8_t *key, size_t key_length, const uint8_t *counter, const uint8_t *in, uint8_t *out,
                   size_t length);

void model_aes_cbc_encrypt(const uint8_t *key, size_t key_length, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                           size_t length);
void model_aes_cbc_decrypt(const uint8_t *key, size_t key_length, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                           size_t length);

/* IEEE 1619, one data unit of at least 16 bytes. `key` is both keys, `key_length` their length together. */
void model_aes_xts_encrypt(const uint8_t *key, size_t key_length, const uint8_t *tweak, const uint8_t *in,
                           uint8_t *out, size_t length);
void model_aes_xts_decrypt(const uint8_t *key, size_t key_length, const uint8_t *tweak, const uint8_t *in,
                           uint8_t *out, size_t length);

/* SP 800-38D section 6.3: `x` becomes the product of `x` and `y`. */
void model_gcm_multiply(uint8_t *x, const uint8_t *y);

/* Section 6.4, from the state `hash` on; `data` is taken with zeros up to a whole block. */
void model_ghash(uint8_t *hash, const uint8_t *h, const uint8_t *data, size_t length);

/* The block of two lengths, in bytes here, that ends a hash. */
void model_ghash_lengths(uint8_t *hash, const uint8_t *h, size_t first, size_t second);

/* Section 7.1: encryption, and the tag of 16 bytes. */
void model_aes_gcm(const uint8_t *key, size_t key_length, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                   size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag);

/* The prime with that number, 2 is number 0; the first 64 bits of the fraction of its square (2) or cube (3) root. */
unsigned model_prime(unsigned index);
uint64_t model_root_fraction(unsigned power, unsigned prime);

void model_sha224(const uint8_t *data, size_t length, uint8_t *digest);
void model_sha256(const uint8_t *data, size_t length, uint8_t *digest);

/* As if the message were `before` bytes longer, for the padding alone. */
void model_sha384(const uint8_t *data, size_t length, uint64_t before, uint8_t *digest);
void model_sha512(const uint8_t *data, size_t length, uint64_t before, uint8_t *digest);

/* The sponge with Keccak-f[1600]. `suffix` is what ends a message, its first bit the lowest, with the first bit of the
 * padding: 0x06 for SHA-3, 0x1f for SHAKE. */
void model_keccak(unsigned rate, unsigned suffix, const uint8_t *data, size_t length, uint8_t *out,
                  size_t out_length);

void model_chacha20(const uint8_t *key, const uint8_t *nonce, uint32_t counter, const uint8_t *in, uint8_t *out,
                    size_t length);
void model_poly1305(const uint8_t *key, const uint8_t *data, size_t length, uint8_t *tag);

/* Additional data and text have at most this length together. */
#define MODEL_AEAD_LENGTH 4096
void model_chacha20_poly1305(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                             const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag);

#endif
