/* SPDX-License-Identifier: MIT */
/* The names for compression functions: wolfSSL pads, so the tests do. */
#include "tests.h"

#if ANY_KERNEL || WOLFSSL_BUILD_SHA512_ARM64 || WOLFSSL_BUILD_SHA3_ARM64

#include <string.h>

#define LONGEST 512

#if ANY_KERNEL || WOLFSSL_BUILD_SHA512_ARM64

/* FIPS 180-4 section 5.1: a bit, zeros, and the length in bits. Answers how many bytes that makes. */
static size_t pad(uint8_t *message, size_t length, size_t block)
{
    const size_t length_size = block / 8;
    const size_t padded = (length + length_size + block) / block * block;
    memset(message + length, 0, padded - length);
    message[length] = 0x80;
    message[padded - 1] = (uint8_t)(length * 8);
    message[padded - 2] = (uint8_t)(length * 8 >> 8);
    return padded;
}

/* ---- SHA-512 ----------------------------------------------------------------------------------------------- */

typedef void sha512_function(wc_Sha512 *sha512, const byte *data, word32 len);

/* A message of `length` bytes, with room behind it, in calls of `step` bytes. */
static void sha512_digest(sha512_function *compress, uint8_t *message, size_t length, size_t step, uint8_t *digest)
{
    static const word64 start[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    const size_t padded = pad(message, length, 128);
    wc_Sha512 sha;
    memcpy(sha.digest, start, sizeof start);
    for (size_t at = 0; at < padded; at += step) {
        compress(&sha, message + at, (word32)(padded - at < step ? padded - at : step));
    }
    for (size_t i = 0; i < 64; i++) {
        digest[i] = (uint8_t)(sha.digest[i / 8] >> (56 - 8 * (i % 8)));
    }
}

/* The examples that NIST publishes with FIPS 180-4. */
static void check_sha512_published(sha512_function *compress)
{
    static const struct {
        const char *message, *digest;
    } vectors[] = {
        {"abc", "ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a"
                "2192992a274fc1a8 36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs"
         "mnopqrstnopqrstu",
         "8e959b75dae313da 8cf4f72814fc143f 8f7779c6eb9f7fa1 7299aeadb6889018"
         "501d289e4900f7e4 331b99dec4b5433a c7d329eeb6dd2654 5e96e55b874be909"},
    };
    tap_begin("sha512/fips180_4");
    for (size_t v = 0; v < 2; v++) {
        uint8_t message[LONGEST], want[64], got[64];
        const size_t length = strlen(vectors[v].message);
        memcpy(message, vectors[v].message, length);
        (void)from_hex(want, vectors[v].digest);
        sha512_digest(compress, message, length, LONGEST, got);
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
}

/* Messages of any number of blocks, block by block and more at once. */
static void check_sha512(sha512_function *compress)
{
    check_sha512_published(compress);
    tap_begin("sha512/lengths");
    for (size_t length = 0; length <= 300; length++) {
        uint8_t message[LONGEST], want[64], got[64];
        fill(message, length, (uint32_t)length);
        model_sha512(message, length, 0, want);
        sha512_digest(compress, message, length, 128 * (1 + length % 3), got);
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
}

#endif
#if ANY_KERNEL

/* ---- SHA-256 ----------------------------------------------------------------------------------------------- */

typedef void sha256_function(wc_Sha256 *sha256, const byte *data, word32 len);

/* Messages of any number of blocks, in one call and in two. */
static void check_sha256(const char *check, sha256_function *compress)
{
    static const word32 start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    tap_begin(check);
    for (size_t length = 0; length <= 300; length++) {
        uint8_t message[LONGEST], want[32], got[32];
        wc_Sha256 sha;
        size_t padded, first;
        memcpy(sha.digest, start, sizeof start);
        fill(message, length, (uint32_t)length);
        model_sha256(message, length, want);
        padded = pad(message, length, 64);
        first = length % 2 == 0 ? padded : padded / 128 * 64;
        if (first != 0) {
            compress(&sha, message, (word32)first);
        }
        if (first != padded) {
            compress(&sha, message + first, (word32)(padded - first));
        }
        for (size_t i = 0; i < 32; i++) {
            got[i] = (uint8_t)(sha.digest[i / 4] >> (24 - 8 * (i % 4)));
        }
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
}

#endif
#if ANY_KERNEL || WOLFSSL_BUILD_SHA3_ARM64

/* ---- SHA-3 ------------------------------------------------------------------------------------------------- */

#define RATE 136 /* SHA3-256's: FIPS 202 section 6.1 */

typedef void sha3_function(word64 *s);

static void sha3_digest(sha3_function *permute, const uint8_t *message, size_t length, uint8_t *digest)
{
    word64 lanes[25] = {0};
    for (size_t at = 0; at <= length / RATE * RATE; at += RATE) {
        uint8_t block[RATE] = {0};
        const size_t count = length - at < RATE ? length - at : RATE;
        memcpy(block, message + at, count);
        if (count < RATE) {
            block[count] = 0x06;
            block[RATE - 1] |= 0x80;
        }
        for (size_t i = 0; i < RATE; i++) {
            lanes[i / 8] ^= (word64)block[i] << 8 * (i % 8);
        }
        permute(lanes);
    }
    for (size_t i = 0; i < 32; i++) {
        digest[i] = (uint8_t)(lanes[i / 8] >> 8 * (i % 8));
    }
}

static void check_sha3(sha3_function *permute)
{
    static const struct {
        const char *message, *digest;
    } vectors[] = {
        {"", "a7ffc6f8bf1ed766 51c14756a061d662 f580ff4de43b49fa 82d80a4b80f8434a"},
        {"abc", "3a985da74fe225b2 045c172d6bd390bd 855f086e3e9d525b 46bfe24511431532"},
    };
    uint8_t message[LONGEST], want[32], got[32];
    tap_begin("sha3/fips202");
    for (size_t v = 0; v < 2; v++) {
        const size_t length = strlen(vectors[v].message);
        memcpy(message, vectors[v].message, length);
        (void)from_hex(want, vectors[v].digest);
        sha3_digest(permute, message, length, got);
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
    tap_begin("sha3/lengths");
    for (size_t length = 0; length <= 300; length++) {
        fill(message, length, (uint32_t)length);
        model_keccak(RATE, 0x06, message, length, want, sizeof want);
        sha3_digest(permute, message, length, got);
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
}

#endif

/* ---- the kernels ------------------------------------------------------------------------------------------- */

void test_sha256_arm64(void)
{
#if ANY_KERNEL
    check_sha256("sha256/lengths", Transform_Sha256_Len_crypto);
#endif
}

void test_sha512_arm64(void)
{
#if WOLFSSL_BUILD_SHA512_ARM64
    check_sha512(Transform_Sha512_Len_crypto);
#endif
}

void test_sha3_arm64(void)
{
#if WOLFSSL_BUILD_SHA3_ARM64
    check_sha3(BlockSha3_crypto);
#endif
}

#if ANY_KERNEL
void test_hashes_portable(void)
{
    check_sha256("sha256/lengths", Transform_Sha256_Len_base);
    check_sha512(Transform_Sha512_Len_neon);
    check_sha3(BlockSha3_base);
}

void test_portable_arm64(void)
{
    test_aes_portable();
    test_hashes_portable();
}
#endif

#else

/* ISO C wants a declaration in every file. */
typedef int test_hashes_not_built;

#endif
