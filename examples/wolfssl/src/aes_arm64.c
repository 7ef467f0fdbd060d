/* SPDX-License-Identifier: MIT */
/* AES by the AES instructions under wolfSSL's names: keys, ECB, CBC, CTR and XTS. */
#include "names.h"

#if WOLFSSL_BUILD_AES_ARM64

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_AES_ARM64

#include "../../../kernels/arm64/aes_cbc_core.h"
#include "../../../kernels/arm64/aes_core.h"
#include "../../../kernels/arm64/aes_ctr_core.h"
#include "../../../kernels/arm64/aes_xts_core.h"

#include "aes_pieces.h"

void AES_set_key_AARCH64(const byte *userKey, int keylen, byte *key, int dir)
{
    const size_t length = (size_t)keylen;
    expand_encrypt(key, userKey, length);
    if (dir != 0) {
        invert_key(key, rounds_of(length));
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------ */

void AES_encrypt_AARCH64(const byte *inBlock, byte *outBlock, byte *key, int nr)
{
    variant_encrypt_blocks(key, (unsigned)nr, inBlock, outBlock, 1);
}

void AES_decrypt_AARCH64(const byte *inBlock, byte *outBlock, byte *key, int nr)
{
    variant_decrypt_blocks(key, (unsigned)nr, inBlock, outBlock, 1);
}

void AES_encrypt_blocks_AARCH64(const byte *in, byte *out, word32 sz, byte *key, int nr)
{
    if (sz != 0) {
        variant_encrypt_blocks(key, (unsigned)nr, in, out, sz / CMK_AES_BLOCK_SIZE);
    }
}

void AES_decrypt_blocks_AARCH64(const byte *in, byte *out, word32 sz, byte *key, int nr)
{
    if (sz != 0) {
        variant_decrypt_blocks(key, (unsigned)nr, in, out, sz / CMK_AES_BLOCK_SIZE);
    }
}

/* ---- CBC --------------------------------------------------------------------------------------------------- */

void AES_CBC_encrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr)
{
    if (sz != 0) {
        variant_cbc_encrypt(key, (unsigned)nr, reg, in, out, sz / CMK_AES_BLOCK_SIZE);
    }
}

void AES_CBC_decrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr)
{
    if (sz != 0) {
        variant_cbc_decrypt(key, (unsigned)nr, reg, in, out, sz / CMK_AES_BLOCK_SIZE);
    }
}

/* ---- CTR --------------------------------------------------------------------------------------------------- */

void AES_CTR_encrypt_AARCH64(const byte *in, byte *out, word32 sz, byte *reg, byte *key, byte *tmp, word32 *left,
                             word32 nr)
{
    const word32 tail = sz % CMK_AES_BLOCK_SIZE, whole = sz - tail;
    if (whole != 0) {
        variant_ctr_blocks(key, nr, reg, in, out, whole / CMK_AES_BLOCK_SIZE);
    }
    if (tail != 0) {
        memset(tmp, 0, CMK_AES_BLOCK_SIZE);
        variant_ctr_blocks(key, nr, reg, tmp, tmp, 1);
        xor_bytes(out + whole, in + whole, tmp, tail);
        *left = CMK_AES_BLOCK_SIZE - tail;
    }
}

/* ---- XTS --------------------------------------------------------------------------------------------------- */

void AES_XTS_encrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                             int nr)
{
    (void)tmp;
    xts_encrypt_message(key, key2, (unsigned)nr, i, in, out, sz);
}

void AES_XTS_decrypt_AARCH64(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                             int nr)
{
    (void)tmp;
    xts_decrypt_message(key, key2, (unsigned)nr, i, in, out, sz);
}

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_aes_arm64_not_built;

#endif
