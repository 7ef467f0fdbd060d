/* SPDX-License-Identifier: MIT */
/* What wolfSSL 5.9 calls on ARM64 where WOLFSSL_ARMASM is defined: its names, prototypes and structures.
 *
 * Inside wolfSSL, where BUILDING_WOLFSSL is defined, the structures are its own and its headers' prototypes are held
 * against these by the compiler. Elsewhere (tests of the kernels alone, compilers without the C library that wolfSSL's
 * headers need) the structures stand here, laid out as wolfSSL lays them out in this configuration.
 *
 * What holds for every function here: pointers to user data need no alignment, `in` may be exactly `out`, and a
 * pointer may be NULL where its length is 0. wolfSSL has checked all arguments before. */
#ifndef WOLFSSL_KERNELS_NAMES_H
#define WOLFSSL_KERNELS_NAMES_H

#include <stddef.h>

#ifdef BUILDING_WOLFSSL

#ifndef __aarch64__
#error "wolfSSL 5.9 knows 64-bit Arm by __aarch64__, which cl does not define: define it for wolfSSL and its users"
#endif

#include <wolfssl/wolfcrypt/libwolfssl_sources.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>

/* These ask for other names, which are not here, or take names away that are. */
#if defined(WOLFSSL_ARMASM_NO_HW_CRYPTO) || defined(WOLFSSL_ARMASM_NO_NEON) || \
    defined(WOLFSSL_ARMASM_NEON_NO_TABLE_LOOKUP)
#error "these kernels stand for wolfSSL's plain WOLFSSL_ARMASM: define no other WOLFSSL_ARMASM_... macro"
#endif

/* Nothing turns this off: without it, names that are not here would be missing at the link only. */
#if defined(HAVE_CURVE25519) || defined(HAVE_ED25519)
#error "with WOLFSSL_ARMASM, Curve25519 and Ed25519 are wolfSSL's assembly: leave them out"
#endif

#else

#include <stdint.h>

typedef unsigned char byte;
typedef uint32_t word32;
typedef uint64_t word64;

#define HAVE_CHACHA
typedef struct ChaCha {
    word32 X[16];    /* RFC 8439 section 2.3: constants, key, counter of the next block, nonce */
    word32 left;     /* unused bytes at the end of `over` */
    word32 over[16]; /* the last block of keystream */
} ChaCha;

#define HAVE_POLY1305
/* Up to `pad` the kernels' own; wolfSSL's C touches only what follows. */
typedef struct Poly1305 {
    word64 r64[2];
    word32 r4[4];
    word32 r3[4];
    word32 r2[4];
    word32 r1[4];
    word32 r4321[4];
    word32 h[6];
    word32 pad[4];
    word64 leftover;
    unsigned char buffer[16];
    unsigned char finished; /* 1: the block to come has been padded */
} Poly1305;

typedef struct wc_Sha256 {
    word32 digest[8];
} wc_Sha256;

#define WOLFSSL_SHA512
typedef struct wc_Sha512 {
    word64 digest[8];
} wc_Sha512;

#endif

/* With one of them missing WOLFSSL_ARMASM would not link; AUTO on an odd compiler could leave one out. */
#include "wolfssl_kernels_config.h"
#ifndef WOLFSSL_BUILD_SHA3_ARM64 /* they are not in the strict manifest */
#define WOLFSSL_BUILD_SHA3_ARM64 0
#define WOLFSSL_BUILD_GCM_EOR3_ARM64 0
#endif
#define ANY_KERNEL                                                                                                    \
    (WOLFSSL_BUILD_AES_ARM64 || WOLFSSL_BUILD_GCM_ARM64 || WOLFSSL_BUILD_SHA256_ARM64 ||                              \
     WOLFSSL_BUILD_CHACHA_ARM64 || WOLFSSL_BUILD_POLY1305_ARM64 || WOLFSSL_BUILD_PORTABLE_ARM64)
#define ALL_KERNELS                                                                                                   \
    (WOLFSSL_BUILD_AES_ARM64 && WOLFSSL_BUILD_GCM_ARM64 && WOLFSSL_BUILD_SHA256_ARM64 &&                              \
     WOLFSSL_BUILD_CHACHA_ARM64 && WOLFSSL_BUILD_POLY1305_ARM64 && WOLFSSL_BUILD_PORTABLE_ARM64)
#if ANY_KERNEL && !ALL_KERNELS
#error "wolfSSL needs all of these kernels or none: set WOLFSSL_ARMASM_INTRINSICS to OFF"
#endif

/* So it is with these macros and the names that they make wolfSSL call. */
#if ANY_KERNEL && defined(WOLFSSL_ARMASM_CRYPTO_SHA512) && !WOLFSSL_BUILD_SHA512_ARM64
#error "WOLFSSL_ARMASM_CRYPTO_SHA512 comes with its kernel: set WOLFSSL_ARMASM_INTRINSICS_SHA512 to ON"
#endif
#if ANY_KERNEL && defined(WOLFSSL_ARMASM_CRYPTO_SHA3) && !(WOLFSSL_BUILD_SHA3_ARM64 && WOLFSSL_BUILD_GCM_EOR3_ARM64)
#error "WOLFSSL_ARMASM_CRYPTO_SHA3 comes with its kernels: set WOLFSSL_ARMASM_INTRINSICS_SHA3 to ON"
#endif

/* ---- AES where the CPU has the instructions ----------------------------------------------------------------
 *
 * `key` is aes->key: 240 bytes, for encryption the round keys of FIPS 197 section 5.2 in order, for decryption those
 * of section 5.3.5, the equivalent inverse cipher. `nr` is 10, 12 or 14. Lengths are in bytes. */

/* `keylen` is 16, 24 or 32; `dir` is 0 for encryption, 1 for decryption. */
void AES_set_key_AARCH64(const byte *userKey, int keylen, byte *key, int dir);

/* One block. */
void AES_encrypt_AARCH64(const byte *inBlock, byte *outBlock, byte *key, int nr);
void AES_decrypt_AARCH64(const byte *inBlock, byte *outBlock, byte *key, int nr);

/* ECB; `sz` is a multiple of 16. */
void AES_encrypt_blocks_AARCH64(const byte *in, byte *out, word32 sz, byte *key, int nr);
void AES_decrypt_blocks_AARCH64(const byte *in, byte *out, word32 sz, byte *key, int nr);

/* CBC; `sz` is a multiple of 16; `reg` is the chaining block, in and out. */
void AES_CBC_encrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr);
void AES_CBC_decrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr);

/* CTR; any `sz`; `reg` is the big-endian counter of the next block, all 128 bits, in and out. Where a block is left
 * over, `tmp` gets the whole of it and `*left` how many bytes at its end are unused; else `*left` stays. */
void AES_CTR_encrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, byte *tmp, word32 *left,
                             word32 nr);

/* XTS; `sz` is at least 16; `i` is the tweak before its encryption by `key2`, which is a key for encryption. */
void AES_XTS_encrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                             int nr);
void AES_XTS_decrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                             int nr);

/* ---- GCM where the CPU has AES and PMULL -------------------------------------------------------------------
 *
 * `gcm_h` and `h` are aes->gcm.H: the hash key, 16 bytes. */

/* `nonce` is a block of zeros. */
void AES_GCM_set_key_AARCH64(const byte *nonce, const byte *key, byte *gcm_h, int nr);

/* One message: `nonceSz` is at least 1, `tagSz` 1 to 16, and just that many bytes are written. `nonce` may be `reg`,
 * which stays as it is, as does `tmp`. Decryption answers 0 or AES_GCM_AUTH_E; it verifies first, and where that fails
 * nothing is written. */
void AES_GCM_encrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, byte *tag,
                             word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg,
                             int nr);
int AES_GCM_decrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, const byte *tag,
                            word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg,
                            int nr);

/* A message in pieces. `tag` is the hash so far, zero at first; `counter` the block that was encrypted last, `initCtr`
 * what the tag is hidden by. Lengths are multiples of 16 but for those of the end. */
void AES_GCM_init_AARCH64(byte *key, int nr, const byte *nonce, word32 nonceSz, byte *gcm_h, byte *counter,
                          byte *initCtr);
void AES_GCM_aad_update_AARCH64(const byte *addt, word32 abytes, byte *tag, byte *h);
void AES_GCM_ghash_block_AARCH64(const byte *data, byte *tag, byte *gcm_h);
void AES_GCM_encrypt_block_AARCH64(const byte *key, int nr, byte *out, const byte *in, byte *counter);
void AES_GCM_encrypt_update_AARCH64(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag,
                                    byte *h, byte *counter);
void AES_GCM_decrypt_update_AARCH64(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag,
                                    byte *h, byte *counter);
void AES_GCM_encrypt_final_AARCH64(byte *tag, byte *authTag, word32 tbytes, word32 nbytes, word32 abytes, byte *h,
                                   byte *initCtr);
/* `*res` is 1 where the tags are equal, else 0. */
void AES_GCM_decrypt_final_AARCH64(byte *tag, const byte *authTag, word32 tbytes, word32 nbytes, word32 abytes,
                                   byte *h, byte *initCtr, int *res);

/* ---- the same where the CPU has SHA3 too -------------------------------------------------------------------
 *
 * and wolfSSL was built with WOLFSSL_ARMASM_CRYPTO_SHA3: each is what its namesake is, on the same keys and state. */

void AES_GCM_encrypt_AARCH64_EOR3(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, byte *tag,
                                  word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp,
                                  byte *reg, int nr);
int AES_GCM_decrypt_AARCH64_EOR3(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz,
                                 const byte *tag, word32 tagSz, const byte *aad, word32 aadSz, byte *key,
                                 byte *gcm_h, byte *tmp, byte *reg, int nr);
void AES_GCM_init_AARCH64_EOR3(byte *key, int nr, const byte *nonce, word32 nonceSz, byte *gcm_h, byte *counter,
                               byte *initCtr);
void AES_GCM_aad_update_AARCH64_EOR3(const byte *addt, word32 abytes, byte *tag, byte *h);
void AES_GCM_ghash_block_AARCH64_EOR3(const byte *data, byte *tag, byte *gcm_h);
void AES_GCM_encrypt_block_AARCH64_EOR3(const byte *key, int nr, byte *out, const byte *in, byte *counter);
void AES_GCM_encrypt_update_AARCH64_EOR3(const byte *key, int nr, byte *out, const byte *in, word32 nbytes,
                                         byte *tag, byte *h, byte *counter);
void AES_GCM_decrypt_update_AARCH64_EOR3(const byte *key, int nr, byte *out, const byte *in, word32 nbytes,
                                         byte *tag, byte *h, byte *counter);
void AES_GCM_encrypt_final_AARCH64_EOR3(byte *tag, byte *authTag, word32 tbytes, word32 nbytes, word32 abytes,
                                        byte *h, byte *initCtr);
void AES_GCM_decrypt_final_AARCH64_EOR3(byte *tag, const byte *authTag, word32 tbytes, word32 nbytes, word32 abytes,
                                        byte *h, byte *initCtr, int *res);

/* ---- AES where it has not: plain C, the same round keys ----------------------------------------------------
 *
 * wolfSSL takes the names in _NEON for longer inputs. Keys' lengths are in bits. */

void AES_set_encrypt_key(const unsigned char *key, word32 len, unsigned char *ks);
/* From a key for encryption to one for decryption, in place. */
void AES_invert_key(unsigned char *ks, word32 rounds);

void AES_ECB_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr);
void AES_ECB_decrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr);
void AES_ECB_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr);
void AES_ECB_decrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr);
void AES_CBC_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *iv);
void AES_CBC_decrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *iv);
void AES_CBC_decrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *iv);
/* Whole blocks; the counter has 128 bits and is that of the next block. */
void AES_CTR_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *ctr);
void AES_CTR_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *ctr);
void AES_XTS_encrypt(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr);
void AES_XTS_decrypt(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr);
void AES_XTS_encrypt_NEON(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                          int nr);
void AES_XTS_decrypt_NEON(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                          int nr);

/* GCM's counter mode on whole blocks: the last 32 bits count, and do so before each block. */
void AES_GCM_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *ctr);
void AES_GCM_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *ctr);
/* GHASH on whole blocks: `x` is the hash, in and out, `h` the hash key as SP 800-38D has it. */
void GCM_gmult_len_NEON(byte *x, const byte *h, const unsigned char *data, unsigned long len);

/* ---- hashes ------------------------------------------------------------------------------------------------
 *
 * `len` is a multiple of the block's size; of the structures only `digest` changes. */

#ifndef NO_SHA256
/* wolfSSL asks no CPU before it calls this one, so it looks itself. */
void Transform_Sha256_Len_crypto(wc_Sha256 *sha256, const byte *data, word32 len);
void Transform_Sha256_Len_base(wc_Sha256 *sha256, const byte *data, word32 len);
#endif
#if defined(WOLFSSL_SHA512) || defined(WOLFSSL_SHA384)
void Transform_Sha512_Len_neon(wc_Sha512 *sha512, const byte *data, word32 len);
/* Where the CPU has SHA512, and wolfSSL was built with WOLFSSL_ARMASM_CRYPTO_SHA512. */
void Transform_Sha512_Len_crypto(wc_Sha512 *sha512, const byte *data, word32 len);
#endif
void BlockSha3_base(word64 *s);
/* Where the CPU has SHA3, and wolfSSL was built with WOLFSSL_ARMASM_CRYPTO_SHA3. */
void BlockSha3_crypto(word64 *s);

/* ---- ChaCha20 ---------------------------------------------------------------------------------------------- */

#ifdef HAVE_CHACHA
/* `keySz` is 16 or 32. */
void wc_chacha_setkey(word32 *x, const byte *key, word32 keySz);
void wc_chacha_setiv(word32 *x, const byte *iv, word32 counter);
/* `len` bytes, 1 to 63, by the keystream at `over`. */
void wc_chacha_use_over(byte *over, byte *output, const byte *input, word32 len);
/* `len` is at least 1. The counter has 32 bits and goes on by one for each block, one that is left over too: `over`
 * then gets the whole of it and `left` how many of its bytes are unused. */
void wc_chacha_crypt_bytes(ChaCha *ctx, byte *c, const byte *m, word32 len);
#endif

/* ---- Poly1305 ---------------------------------------------------------------------------------------------- */

#ifdef HAVE_POLY1305
void poly1305_set_key(Poly1305 *ctx, const byte *key);
/* `bytes` is a multiple of 16. */
void poly1305_arm64_blocks(Poly1305 *ctx, const unsigned char *m, size_t bytes);
/* The last block where `finished` is 1: padded by who calls. Else a block like any other. */
void poly1305_arm64_block_16(Poly1305 *ctx, const unsigned char *m);
/* Nothing of the key or the sum stays. */
void poly1305_final(Poly1305 *ctx, byte *mac);
#endif

#endif
