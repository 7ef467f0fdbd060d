/* SHA-2, SHA-3 and SHAKE: every length over some blocks, and in ragged pieces. */
#include "compare.h"
#include "report.h"

#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>

static const word32 ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7, 0, 128, 127, 129, 1000, 136, 71};

/* One kind of hash: BEGIN, UPDATE(&sha, data, length) and FINAL, which writes `digest`, answer wolfSSL's codes. */
#define HASH(name, TYPE, DIGEST, BEGIN, UPDATE, FINAL)                                                                \
    if (group(name)) {                                                                                                \
        static TYPE sha;                                                                                              \
        byte digest[DIGEST];                                                                                          \
        for (word32 length = 0; length <= 600; length++) {                                                            \
            const byte *in = input(length);                                                                           \
            number_of_case(BEGIN);                                                                                    \
            number_of_case(UPDATE(&sha, in, length / 3));                                                             \
            number_of_case(UPDATE(&sha, in + length / 3, length - length / 3));                                       \
            number_of_case(FINAL);                                                                                    \
            bytes_of_case(digest, sizeof digest);                                                                     \
            case_done();                                                                                              \
        }                                                                                                             \
        const byte *in = input(7);                                                                                    \
        number_of_case(BEGIN);                                                                                        \
        for (word32 i = 0; i < sizeof ragged / sizeof ragged[0]; i++) {                                               \
            number_of_case(UPDATE(&sha, in, ragged[i]));                                                              \
            in += ragged[i];                                                                                          \
        }                                                                                                             \
        number_of_case(FINAL);                                                                                        \
        bytes_of_case(digest, sizeof digest);                                                                         \
        number_of_case(BEGIN);                                                                                        \
        for (word32 i = 0; i < 12; i++) {                                                                             \
            number_of_case(UPDATE(&sha, input(i), MOST));                                                             \
        }                                                                                                             \
        number_of_case(FINAL);                                                                                        \
        bytes_of_case(digest, sizeof digest);                                                                         \
        case_done();                                                                                                  \
        group_done();                                                                                                 \
    }

/* wolfSSL's names for those of one family differ in the same places. */
#define SHA2(name, TYPE, DIGEST, NAME)                                                                                \
    HASH(name, TYPE, DIGEST, wc_Init##NAME(&sha), wc_##NAME##Update, wc_##NAME##Final(&sha, digest))
#define SHA3(name, BITS)                                                                                              \
    HASH(name, wc_Sha3, (BITS) / 8, wc_InitSha3_##BITS(&sha, NULL, INVALID_DEVID), wc_Sha3_##BITS##_Update,           \
         wc_Sha3_##BITS##_Final(&sha, digest))
#define SHAKE(name, BITS)                                                                                             \
    HASH(name, wc_Shake, 511, wc_InitShake##BITS(&sha, NULL, INVALID_DEVID), wc_Shake##BITS##_Update,                 \
         wc_Shake##BITS##_Final(&sha, digest, sizeof digest))

static void sha2(void)
{
#ifdef WOLFSSL_SHA224
    SHA2("sha224", wc_Sha224, WC_SHA224_DIGEST_SIZE, Sha224)
#endif
    SHA2("sha256", wc_Sha256, WC_SHA256_DIGEST_SIZE, Sha256)
#ifdef WOLFSSL_SHA384
    SHA2("sha384", wc_Sha384, WC_SHA384_DIGEST_SIZE, Sha384)
#endif
#ifdef WOLFSSL_SHA512
    SHA2("sha512", wc_Sha512, WC_SHA512_DIGEST_SIZE, Sha512)
    SHA2("sha512/224", wc_Sha512, WC_SHA512_224_DIGEST_SIZE, Sha512_224)
    SHA2("sha512/256", wc_Sha512, WC_SHA512_256_DIGEST_SIZE, Sha512_256)
#endif
}

#ifdef WOLFSSL_SHA3
static void sha3(void)
{
    SHA3("sha3-224", 224)
    SHA3("sha3-256", 256)
    SHA3("sha3-384", 384)
    SHA3("sha3-512", 512)
#ifdef WOLFSSL_SHAKE128
    SHAKE("shake128", 128)
#endif
#ifdef WOLFSSL_SHAKE256
    SHAKE("shake256", 256)
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
