/* wolfSSL's settings for this project: its cryptography without TLS and public keys, every mode that has a kernel. */
#ifndef USER_SETTINGS_H
#define USER_SETTINGS_H

#define WOLFCRYPT_ONLY
#define SINGLE_THREADED
#define WOLFSSL_IGNORE_FILE_WARN
#define NO_ASN
#define NO_DH
#define NO_DSA
#define NO_MD4
#define NO_MD5
#define NO_PWDBASED
#define NO_RC4
#define NO_RSA
#define NO_SHA
#define NO_DES3
#define NO_FILESYSTEM
#define NO_SIG_WRAPPER
#define WOLFSSL_NO_ATOMICS

#define HAVE_AESGCM
#define GCM_TABLE_4BIT
#define HAVE_AESCCM
#define HAVE_AES_ECB
#define WOLFSSL_AESGCM_STREAM
#define WOLFSSL_AES_COUNTER
#define WOLFSSL_AES_DIRECT
#define WOLFSSL_AES_XTS
#define WOLFSSL_CMAC
#define HAVE_CHACHA
#define HAVE_POLY1305
#define HAVE_XCHACHA
#define HAVE_HASHDRBG
#define WOLFSSL_SHA224
#define WOLFSSL_SHA384
#define WOLFSSL_SHA512
#define WOLFSSL_SHA3
#define WOLFSSL_SHAKE128
#define WOLFSSL_SHAKE256

#endif
