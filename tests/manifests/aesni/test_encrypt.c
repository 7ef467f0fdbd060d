/* SPDX-License-Identifier: MIT */
/* test_encrypt --variant NAME: FIPS 197 and SP 800-38A, in TAP. */
#include <stdio.h>
#include <string.h>

#include "aesni.h"
#include "aesni_kernels_config.h"

typedef void encrypt_function(const unsigned char *, const unsigned char *, unsigned char *);

static encrypt_function *find(const char *name)
{
#if AESNI_BUILD_AES_NI
    if (strcmp(name, "ni") == 0) {
        return aesni_encrypt_ni;
    }
#endif
    return strcmp(name, "portable") == 0 ? aesni_encrypt_portable : NULL;
}

/* FIPS 197 appendix B, appendix C.1, and SP 800-38A F.1.1: key, plaintext, ciphertext. */
static const char *const VECTORS[][3] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32"},
    {"000102030405060708090a0b0c0d0e0f", "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a"},
    {"2b7e151628aed2a6abf7158809cf4f3c", "6bc1bee22e409f96e93d7e117393172a", "3ad77bb40d7a3660a89ecaf32466ef97"},
};
enum { COUNT = sizeof VECTORS / sizeof VECTORS[0] };

static void read_hex(const char *text, unsigned char bytes[16])
{
    for (int i = 0; i < 16; i++) {
        unsigned int byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        bytes[i] = (unsigned char)byte;
    }
}

static void print_hex(const char *label, const unsigned char bytes[16])
{
    printf("#   %s ", label);
    for (int i = 0; i < 16; i++) {
        printf("%02X", bytes[i]);
    }
    printf("\n");
}

int main(int count, char **arguments)
{
    encrypt_function *encrypt = count == 3 && strcmp(arguments[1], "--variant") == 0 ? find(arguments[2]) : NULL;
    if (encrypt == NULL) {
        fprintf(stderr, "usage: test_encrypt --variant NAME, of a variant that is built in\n");
        return 2;
    }
    printf("1..1\n");
    for (int i = 0; i < COUNT; i++) {
        unsigned char key[16], in[16], want[16], got[16];
        read_hex(VECTORS[i][0], key);
        read_hex(VECTORS[i][1], in);
        read_hex(VECTORS[i][2], want);
        encrypt(key, in, got);
        if (memcmp(got, want, 16) != 0) {
            printf("not ok 1 - encrypt %s %d vectors\n", arguments[2], COUNT);
            print_hex("got", got);
            print_hex("want", want);
            return 1;
        }
    }
    printf("ok 1 - encrypt %s %d vectors\n", arguments[2], COUNT);
    return 0;
}
