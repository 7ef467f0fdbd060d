/* SPDX-License-Identifier: MIT */
/* AES in plain C, in constant time, under the names that wolfSSL calls where the CPU has no AES instructions, or no
 * PMULL beside them. */
#include "names.h"

#if WOLFSSL_BUILD_PORTABLE_ARM64

#include "../../../kernels/portable/aes_cbc_core.h"
#include "../../../kernels/portable/aes_core.h"
#include "../../../kernels/portable/aes_ctr_core.h"
#include "../../../kernels/portable/aes_gcm_core.h"
#include "../../../kernels/portable/aes_xts_core.h"
#include "../../../kernels/portable/ghash_core.h"

#include "../../../kernels/portable/aes_gcm_frontend.h"

#include "aes_pieces.h"

/* ---- keys -------------------------------------------------------------------------------------------------- */

void AES_set_encrypt_key(const unsigned char *key, word32 len, unsigned char *ks)
{
    expand_encrypt(ks, key, len / 8);
}

void AES_invert_key(unsigned char *ks, word32 rounds)
{
    invert_key(ks, rounds);
}

/* ---- ECB --------------------------------------------------------------------------------------------------- */

void AES_ECB_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr)
{
    if (len != 0) {
        variant_encrypt_blocks(ks, (unsigned)nr, in, out, len / CMK_AES_BLOCK_SIZE);
    }
}

void AES_ECB_decrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr)
{
    if (len != 0) {
        variant_decrypt_blocks(ks, (unsigned)nr, in, out, len / CMK_AES_BLOCK_SIZE);
    }
}

void AES_ECB_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr)
{
    AES_ECB_encrypt(in, out, len, ks, nr);
}

void AES_ECB_decrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr)
{
    AES_ECB_decrypt(in, out, len, ks, nr);
}

/* ---- CBC --------------------------------------------------------------------------------------------------- */

void AES_CBC_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *iv)
{
    if (len != 0) {
        variant_cbc_encrypt(ks, (unsigned)nr, iv, in, out, len / CMK_AES_BLOCK_SIZE);
    }
}

void AES_CBC_decrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *iv)
{
    if (len != 0) {
        variant_cbc_decrypt(ks, (unsigned)nr, iv, in, out, len / CMK_AES_BLOCK_SIZE);
    }
}

void AES_CBC_decrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *iv)
{
    AES_CBC_decrypt(in, out, len, ks, nr, iv);
}

/* ---- CTR --------------------------------------------------------------------------------------------------- */

void AES_CTR_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *ctr)
{
    if (len != 0) {
        variant_ctr_blocks(ks, (unsigned)nr, ctr, in, out, len / CMK_AES_BLOCK_SIZE);
    }
}

void AES_CTR_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *ctr)
{
    AES_CTR_encrypt(in, out, len, ks, nr, ctr);
}

/* ---- XTS --------------------------------------------------------------------------------------------------- */

void AES_XTS_encrypt(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr)
{
    (void)tmp;
    xts_encrypt_message(key, key2, (unsigned)nr, i, in, out, sz);
}

void AES_XTS_decrypt(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr)
{
    (void)tmp;
    xts_decrypt_message(key, key2, (unsigned)nr, i, in, out, sz);
}

void AES_XTS_encrypt_NEON(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                          int nr)
{
    AES_XTS_encrypt(in, out, sz, i, key, key2, tmp, nr);
}

void AES_XTS_decrypt_NEON(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                          int nr)
{
    AES_XTS_decrypt(in, out, sz, i, key, key2, tmp, nr);
}

/* ---- GCM --------------------------------------------------------------------------------------------------- */

/* wolfSSL keeps the counter of the block that was last encrypted, the core that of the next. */
void AES_GCM_encrypt(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks, int nr,
                     unsigned char *ctr)
{
    if (len != 0) {
        gcm_count(ctr);
        variant_ctr32_blocks(ks, (unsigned)nr, ctr, in, out, len / CMK_AES_BLOCK_SIZE);
        store32_be(ctr + 12, load32_be(ctr + 12) - 1);
    }
}

void AES_GCM_encrypt_NEON(const unsigned char *in, unsigned char *out, unsigned long len, const unsigned char *ks,
                          int nr, unsigned char *ctr)
{
    AES_GCM_encrypt(in, out, len, ks, nr, ctr);
}

void GCM_gmult_len_NEON(byte *x, const byte *h, const unsigned char *data, unsigned long len)
{
    uint8_t powers[CMK_AES_GCM_POWERS_SIZE];
    if (len != 0) {
        variant_ghash_powers(powers, h);
        variant_ghash(x, powers, data, len / CMK_AES_BLOCK_SIZE);
        wipe(powers, sizeof powers);
    }
}

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_aes_portable_not_built;

#endif
