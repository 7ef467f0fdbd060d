/* speed ALGORITHM MESSAGES: so many messages of 16 KiB with a 256-bit key by wolfSSL's public API, setting the key and
 * ending included, to count instructions. Without arguments: the algorithms that this wolfSSL has, one a line. */
#ifndef WOLFSSL_USER_SETTINGS
#include <wolfssl/options.h>
#endif
#include <wolfssl/wolfcrypt/settings.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#include <wolfssl/wolfcrypt/sha256.h>
#include <wolfssl/wolfcrypt/sha3.h>
#include <wolfssl/wolfcrypt/sha512.h>

#define SIZE 16384

static byte plain[SIZE], out[SIZE], cipher[SIZE], key[64], iv[16], tag[64], good_tag[16];
static Aes aes;

static int gcm_encrypt(void)
{
    return wc_AesGcmSetKey(&aes, key, 32) | wc_AesGcmEncrypt(&aes, out, plain, SIZE, iv, 12, tag, 16, NULL, 0);
}

/* Of what `prepare` encrypted. */
static int gcm_decrypt(void)
{
    return wc_AesGcmSetKey(&aes, key, 32) | wc_AesGcmDecrypt(&aes, out, cipher, SIZE, iv, 12, good_tag, 16, NULL, 0);
}

static int cbc_encrypt(void)
{
    return wc_AesSetKey(&aes, key, 32, iv, AES_ENCRYPTION) | wc_AesCbcEncrypt(&aes, out, plain, SIZE);
}

static int cbc_decrypt(void)
{
    return wc_AesSetKey(&aes, key, 32, iv, AES_DECRYPTION) | wc_AesCbcDecrypt(&aes, out, plain, SIZE);
}

#ifdef WOLFSSL_AESGCM_STREAM
static int gcm_pieces(void)
{
    return wc_AesGcmInit(&aes, key, 32, iv, 12) | wc_AesGcmEncryptUpdate(&aes, out, plain, SIZE, NULL, 0) |
           wc_AesGcmEncryptFinal(&aes, tag, 16);
}
#endif

#ifdef WOLFSSL_AES_COUNTER
static int ctr(void)
{
    return wc_AesSetKey(&aes, key, 32, iv, AES_ENCRYPTION) | wc_AesCtrEncrypt(&aes, out, plain, SIZE);
}
#endif

#ifdef HAVE_AES_ECB
static int ecb_encrypt(void)
{
    return wc_AesSetKey(&aes, key, 32, iv, AES_ENCRYPTION) | wc_AesEcbEncrypt(&aes, out, plain, SIZE);
}
#endif

#ifdef WOLFSSL_AES_XTS
static int xts_encrypt(void)
{
    static XtsAes xts;
    return wc_AesXtsSetKey(&xts, key, 64, AES_ENCRYPTION, NULL, INVALID_DEVID) |
           wc_AesXtsEncrypt(&xts, out, plain, SIZE, iv, 16);
}
#endif

static int sha256(void)
{
    static wc_Sha256 sha;
    return wc_InitSha256(&sha) | wc_Sha256Update(&sha, plain, SIZE) | wc_Sha256Final(&sha, tag);
}

#ifdef WOLFSSL_SHA512
static int sha512(void)
{
    static wc_Sha512 sha;
    return wc_InitSha512(&sha) | wc_Sha512Update(&sha, plain, SIZE) | wc_Sha512Final(&sha, tag);
}
#endif

#ifdef WOLFSSL_SHA3
static int sha3_256(void)
{
    static wc_Sha3 sha;
    return wc_InitSha3_256(&sha, NULL, INVALID_DEVID) | wc_Sha3_256_Update(&sha, plain, SIZE) |
           wc_Sha3_256_Final(&sha, tag);
}
#endif

static int chacha20(void)
{
    static ChaCha chacha;
    return wc_Chacha_SetKey(&chacha, key, 32) | wc_Chacha_SetIV(&chacha, iv, 0) |
           wc_Chacha_Process(&chacha, out, plain, SIZE);
}

static int poly1305(void)
{
    static Poly1305 poly;
    return wc_Poly1305SetKey(&poly, key, 32) | wc_Poly1305Update(&poly, plain, SIZE) | wc_Poly1305Final(&poly, tag);
}

static const struct {
    const char *name;
    int (*message)(void);
} algorithms[] = {
    {"gcm-encrypt", gcm_encrypt},
    {"gcm-decrypt", gcm_decrypt},
#ifdef WOLFSSL_AESGCM_STREAM
    {"gcm-pieces", gcm_pieces},
#endif
#ifdef WOLFSSL_AES_COUNTER
    {"ctr", ctr},
#endif
#ifdef HAVE_AES_ECB
    {"ecb-encrypt", ecb_encrypt},
#endif
    {"cbc-encrypt", cbc_encrypt},
    {"cbc-decrypt", cbc_decrypt},
#ifdef WOLFSSL_AES_XTS
    {"xts-encrypt", xts_encrypt},
#endif
    {"sha256", sha256},
#ifdef WOLFSSL_SHA512
    {"sha512", sha512},
#endif
#ifdef WOLFSSL_SHA3
    {"sha3-256", sha3_256},
#endif
    {"chacha20", chacha20},
    {"poly1305", poly1305},
};

static int prepare(void)
{
    memset(key, 1, sizeof key);
    key[32] = 2; /* XTS refuses equal halves */
    return wc_AesInit(&aes, NULL, INVALID_DEVID) | wc_AesGcmSetKey(&aes, key, 32) |
           wc_AesGcmEncrypt(&aes, cipher, plain, SIZE, iv, 12, good_tag, 16, NULL, 0);
}

int main(int count, char **arguments)
{
    int result = prepare();
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        if (count < 3) {
            puts(algorithms[i].name);
        } else if (strcmp(arguments[1], algorithms[i].name) == 0) {
            for (int messages = atoi(arguments[2]); messages > 0; messages--) {
                result |= algorithms[i].message();
            }
            return result != 0;
        }
    }
    return count >= 3;
}
