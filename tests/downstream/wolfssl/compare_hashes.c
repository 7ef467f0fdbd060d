/* SHA-2, SHA-3 and SHAKE: every length over some blocks, and in ragged pieces. */
#include "compare.h"
#include "report.h"

#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>

static const word32 ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7, 0, 128, 127, 129, 1000, 136, 71};

/* One kind of hash: BEGIN, UPDATE(data, length) and FINAL(digest) answer wolfSSL's codes. */
#define HASH(name, DIGEST, BEGIN, UPDATE, FINAL)                                                                      \
    if (group(name)) {                                                                                                \
        byte digest[DIGEST];                                                                                          \
        for (word32 length = 0; length <= 600; length++) {                                                            \
            const byte *in = input(length);                                                                           \
            number_of_case(BEGIN);                                                                                    \
            number_of_case(UPDATE(in, length / 3));                                                                   \
            number_of_case(UPDATE(in + length / 3, length - length / 3));                                             \
            number_of_case(FINAL(digest));                                                                            \
            bytes_of_case(digest, sizeof digest);                                                                     \
            case_done();                                                                                              \
        }                                                                                                             \
        const byte *in = input(7);                                                                                    \
        number_of_case(BEGIN);                                                                                        \
        for (word32 i = 0; i < sizeof ragged / sizeof ragged[0]; i++) {                                               \
            number_of_case(UPDATE(in, ragged[i]));                                                                    \
            in += ragged[i];                                                                                          \
        }                                                                                                             \
        number_of_case(FINAL(digest));                                                                                \
        bytes_of_case(digest, sizeof digest);                                                                         \
        number_of_case(BEGIN);                                                                                        \
        for (word32 i = 0; i < 12; i++) {                                                                             \
            number_of_case(UPDATE(input(i), MOST));                                                                   \
        }                                                                                                             \
        number_of_case(FINAL(digest));                                                                                \
        bytes_of_case(digest, sizeof digest);                                                                         \
        case_done();                                                                                                  \
        group_done();                                                                                                 \
    }

static void sha2(void)
{
    static wc_Sha256 sha256;
#define BEGIN wc_InitSha256(&sha256)
#define UPDATE(data, length) wc_Sha256Update(&sha256, data, length)
#define FINAL(digest) wc_Sha256Final(&sha256, digest)
    HASH("sha256", WC_SHA256_DIGEST_SIZE, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#ifdef WOLFSSL_SHA512
    static wc_Sha512 sha512;
#define BEGIN wc_InitSha512(&sha512)
#define UPDATE(data, length) wc_Sha512Update(&sha512, data, length)
#define FINAL(digest) wc_Sha512Final(&sha512, digest)
    HASH("sha512", WC_SHA512_DIGEST_SIZE, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#endif
#ifdef WOLFSSL_SHA384
    static wc_Sha384 sha384;
#define BEGIN wc_InitSha384(&sha384)
#define UPDATE(data, length) wc_Sha384Update(&sha384, data, length)
#define FINAL(digest) wc_Sha384Final(&sha384, digest)
    HASH("sha384", WC_SHA384_DIGEST_SIZE, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#endif
}

#ifdef WOLFSSL_SHA3
static void sha3(void)
{
    static wc_Sha3 sha;
#define BEGIN wc_InitSha3_256(&sha, NULL, INVALID_DEVID)
#define UPDATE(data, length) wc_Sha3_256_Update(&sha, data, length)
#define FINAL(digest) wc_Sha3_256_Final(&sha, digest)
    HASH("sha3-256", WC_SHA3_256_DIGEST_SIZE, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#define BEGIN wc_InitSha3_512(&sha, NULL, INVALID_DEVID)
#define UPDATE(data, length) wc_Sha3_512_Update(&sha, data, length)
#define FINAL(digest) wc_Sha3_512_Final(&sha, digest)
    HASH("sha3-512", WC_SHA3_512_DIGEST_SIZE, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#ifdef WOLFSSL_SHAKE128
    static wc_Shake shake;
#define BEGIN wc_InitShake128(&shake, NULL, INVALID_DEVID)
#define UPDATE(data, length) wc_Shake128_Update(&shake, data, length)
#define FINAL(digest) wc_Shake128_Final(&shake, digest, sizeof digest)
    HASH("shake128", 511, BEGIN, UPDATE, FINAL)
#undef BEGIN
#undef UPDATE
#undef FINAL
#endif
}
#endif

void compare_hashes(void)
{
    sha2();
#ifdef WOLFSSL_SHA3
    sha3();
#endif
}
