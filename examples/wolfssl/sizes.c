/* Prints what a program that links wolfSSL sees: the sizes of two structures that WOLFSSL_ARMASM changes, and a
 * SHA-256 to show that the library works. */
#ifndef WOLFSSL_USER_SETTINGS
#include <wolfssl/options.h>
#endif
#include <wolfssl/wolfcrypt/settings.h>

#include <stdio.h>

#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/poly1305.h>
#include <wolfssl/wolfcrypt/sha256.h>

int main(void)
{
    wc_Sha256 sha;
    byte digest[WC_SHA256_DIGEST_SIZE];

    if (wc_InitSha256(&sha) != 0 || wc_Sha256Update(&sha, (const byte *)"abc", 3) != 0 ||
        wc_Sha256Final(&sha, digest) != 0) {
        return 1;
    }
    printf("ChaCha %u Poly1305 %u SHA-256 %02x%02x%02x%02x\n", (unsigned)sizeof(ChaCha), (unsigned)sizeof(Poly1305),
           (unsigned)digest[0], (unsigned)digest[1], (unsigned)digest[2], (unsigned)digest[3]);
    return 0;
}
