/* SPDX-License-Identifier: MIT */
/* The names for compression functions: wolfSSL pads, so the tests do. */
#include "tests.h"

#if ANY_KERNEL

#include <string.h>

#define LONGEST 512

/* ---- SHA-256 ----------------------------------------------------------------------------------------------- */

typedef void sha256_function(wc_Sha256 *sha256, const byte *data, word32 len);

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

void test_sha256_arm64(void)
{
    check_sha256("sha256/lengths", Transform_Sha256_Len_crypto);
}

/* ---- SHA-512 ----------------------------------------------------------------------------------------------- */

/* The examples that NIST publishes with FIPS 180-4; and of both, one after the other, what two calls make of them. */
static void check_sha512(void)
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
    static const word64 start[8] = {0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
                                    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179};
    tap_begin("sha512/fips180_4");
    for (size_t v = 0; v < 2; v++) {
        uint8_t message[LONGEST], want[64], got[64];
        const size_t length = strlen(vectors[v].message);
        for (word32 together = 0; together < 2; together++) {
            wc_Sha512 sha;
            size_t padded;
            memcpy(sha.digest, start, sizeof start);
            memcpy(message, vectors[v].message, length);
            padded = pad(message, length, 128);
            (void)from_hex(want, vectors[v].digest);
            for (size_t at = 0; at < padded; at += together ? padded : 128) {
                Transform_Sha512_Len_neon(&sha, message + at, together ? (word32)padded : 128);
            }
            for (size_t i = 0; i < 64; i++) {
                got[i] = (uint8_t)(sha.digest[i / 8] >> (56 - 8 * (i % 8)));
            }
            tap_equal(got, want, sizeof got, "length", length);
        }
    }
    tap_end();
}

/* ---- SHA-3 ------------------------------------------------------------------------------------------------- */

/* SHA3-256 of messages of less than a block: FIPS 202 section 6.1, rate 136. */
static void check_sha3(void)
{
    static const struct {
        const char *message, *digest;
    } vectors[] = {
        {"", "a7ffc6f8bf1ed766 51c14756a061d662 f580ff4de43b49fa 82d80a4b80f8434a"},
        {"abc", "3a985da74fe225b2 045c172d6bd390bd 855f086e3e9d525b 46bfe24511431532"},
    };
    tap_begin("sha3/fips202");
    for (size_t v = 0; v < 2; v++) {
        uint8_t block[200] = {0}, want[32], got[32];
        word64 lanes[25];
        const size_t length = strlen(vectors[v].message);
        memcpy(block, vectors[v].message, length);
        block[length] = 0x06;
        block[135] = 0x80;
        for (size_t i = 0; i < 25; i++) {
            lanes[i] = 0;
            for (size_t j = 0; j < 8; j++) {
                lanes[i] |= (word64)block[8 * i + j] << 8 * j;
            }
        }
        BlockSha3_base(lanes);
        for (size_t i = 0; i < 32; i++) {
            got[i] = (uint8_t)(lanes[i / 8] >> 8 * (i % 8));
        }
        (void)from_hex(want, vectors[v].digest);
        tap_equal(got, want, sizeof got, "length", length);
    }
    tap_end();
}

void test_hashes_portable(void)
{
    check_sha256("sha256/lengths", Transform_Sha256_Len_base);
    check_sha512();
    check_sha3();
}

void test_portable_arm64(void)
{
    test_aes_portable();
    test_hashes_portable();
}

#else

/* ISO C wants a declaration in every file. */
typedef int test_hashes_not_built;

#endif
