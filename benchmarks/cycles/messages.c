/* SPDX-License-Identifier: MIT */
/* One way to use one kernel: WORK, of the family FAMILY_..., by the variant VARIANT.
 *
 *     messages COUNT LENGTH
 *
 * Works on COUNT messages of LENGTH bytes; keys are expanded once before. The exit code is 0 when all went well. */
#include <stdlib.h>
#include <string.h>

#define JOINED_(a, b) a##_##b
#define JOINED(a, b) JOINED_(a, b)
#define BY_VARIANT(function) JOINED(function, VARIANT)
#define LONGEST 65536

static unsigned char in[LONGEST], out[LONGEST];
static const unsigned char key_bytes[64] = {1, 2, 3};
static const unsigned char start[16] = {4, 5, 6};

#if defined(FAMILY_AES_ECB) || defined(FAMILY_AES_CBC) || defined(FAMILY_AES_CTR)
#include "cmk/aes.h"
static cmk_aes_key key;

static int prepare(size_t length)
{
    (void)length;
    return (int)BY_VARIANT(cmk_aes_set_key)(&key, key_bytes, 32);
}
#endif

#ifdef FAMILY_AES_ECB
static int ecb_encrypt(size_t length)
{
    return (int)BY_VARIANT(cmk_aes_ecb_encrypt)(&key, in, out, length);
}
#endif

#ifdef FAMILY_AES_CBC
static int cbc_encrypt(size_t length)
{
    unsigned char iv[16];
    memcpy(iv, start, sizeof iv);
    return (int)BY_VARIANT(cmk_aes_cbc_encrypt)(&key, iv, in, out, length);
}

static int cbc_decrypt(size_t length)
{
    unsigned char iv[16];
    memcpy(iv, start, sizeof iv);
    return (int)BY_VARIANT(cmk_aes_cbc_decrypt)(&key, iv, in, out, length);
}
#endif

#ifdef FAMILY_AES_CTR
static int ctr(size_t length)
{
    cmk_aes_ctr_state state;
    cmk_aes_ctr_init(&state, start);
    return (int)BY_VARIANT(cmk_aes_ctr)(&state, &key, in, out, length);
}
#endif

#ifdef FAMILY_AES_XTS
#include "cmk/aes_xts.h"
static cmk_aes_xts_key key;

static int prepare(size_t length)
{
    (void)length;
    return (int)BY_VARIANT(cmk_aes_xts_set_key)(&key, key_bytes, 64);
}

static int xts_encrypt(size_t length)
{
    return (int)BY_VARIANT(cmk_aes_xts_encrypt)(&key, start, in, out, length);
}
#endif

#ifdef FAMILY_AES_GCM
#include "cmk/aes_gcm.h"
static cmk_aes_gcm_key key;
static unsigned char tag[16];

static int gcm_encrypt(size_t length)
{
    return (int)BY_VARIANT(cmk_aes_gcm_encrypt)(&key, start, 12, NULL, 0, in, out, length, tag, sizeof tag);
}

static int gcm_decrypt(size_t length)
{
    return (int)BY_VARIANT(cmk_aes_gcm_decrypt)(&key, start, 12, NULL, 0, out, in, length, tag, sizeof tag);
}

static int ghash(size_t length)
{
    return (int)BY_VARIANT(cmk_aes_gcm_encrypt)(&key, start, 12, in, length, NULL, NULL, 0, tag, sizeof tag);
}

/* With a message and its tag, which decryption needs. */
static int prepare(size_t length)
{
    const int status = (int)BY_VARIANT(cmk_aes_gcm_set_key)(&key, key_bytes, 32);
    return status != 0 ? status : gcm_encrypt(length);
}
#endif

#ifdef FAMILY_SHA256
#include "cmk/sha256.h"

static int sha256(size_t length)
{
    cmk_sha256_context context;
    cmk_sha256_init(&context);
    BY_VARIANT(cmk_sha256_update)(&context, in, length);
    return (int)BY_VARIANT(cmk_sha256_final)(&context, out);
}
#endif

#ifdef FAMILY_SHA512
#include "cmk/sha512.h"

static int sha512(size_t length)
{
    cmk_sha512_context context;
    cmk_sha512_init(&context);
    BY_VARIANT(cmk_sha512_update)(&context, in, length);
    return (int)BY_VARIANT(cmk_sha512_final)(&context, out);
}
#endif

#ifdef FAMILY_SHA3
#include "cmk/sha3.h"

static int sha3(size_t length)
{
    cmk_sha3_context context;
    cmk_sha3_init(&context, 32);
    BY_VARIANT(cmk_sha3_update)(&context, in, length);
    return (int)BY_VARIANT(cmk_sha3_final)(&context, out, 32);
}
#endif

#ifdef FAMILY_CHACHA20
#include "cmk/chacha20.h"

static int chacha20(size_t length)
{
    cmk_chacha20_state state;
    cmk_chacha20_init(&state, key_bytes, start, 1);
    return (int)BY_VARIANT(cmk_chacha20)(&state, in, out, length);
}
#endif

#ifdef FAMILY_POLY1305
#include "cmk/poly1305.h"

static int poly1305(size_t length)
{
    cmk_poly1305_context context;
    cmk_poly1305_init(&context, key_bytes);
    BY_VARIANT(cmk_poly1305_update)(&context, in, length);
    return (int)cmk_poly1305_final(&context, out);
}
#endif

#if defined(FAMILY_SHA256) || defined(FAMILY_SHA512) || defined(FAMILY_SHA3) || defined(FAMILY_CHACHA20) || \
    defined(FAMILY_POLY1305)
static int prepare(size_t length)
{
    (void)length;
    return 0;
}
#endif

int main(int count, char **arguments)
{
    const size_t messages = count > 2 ? strtoul(arguments[1], NULL, 10) : 0;
    const size_t length = count > 2 ? strtoul(arguments[2], NULL, 10) : 0;
    if (messages == 0 || length > LONGEST || prepare(length) != 0) {
        return 2;
    }
    for (size_t i = 0; i < messages; i++) {
        if (WORK(length) != 0) {
            return 1;
        }
    }
    return 0;
}
