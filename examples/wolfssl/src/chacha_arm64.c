/* SPDX-License-Identifier: MIT */
/* ChaCha20 by Advanced SIMD under wolfSSL's names. */
#include "names.h"

/* With NO_CHACHA_ASM wolfSSL asks for none of these names, and its structure has no room for what they keep. */
#if WOLFSSL_BUILD_CHACHA_ARM64 && defined(HAVE_CHACHA) && !defined(NO_CHACHA_ASM)

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_CHACHA_ARM64

#include "../../../kernels/arm64/chacha20_core.h"

#include "../../../kernels/portable/chacha20_frontend.h"

#define BLOCK CMK_CHACHA20_BLOCK_SIZE

void wc_chacha_setkey(word32 *x, const byte *key, word32 keySz)
{
    /* "expand 16-byte k", of the cipher's first specification, D. J. Bernstein's of 2008, in whose place RFC 8439
     * has one for 32 bytes only. */
    static const word32 short_constants[4] = {0x61707865, 0x3120646e, 0x79622d36, 0x6b206574};
    memcpy(x, keySz == 32 ? chacha20_constants : short_constants, sizeof short_constants);
    for (unsigned i = 0; i < 8; i++) {
        x[4 + i] = load32_le(key + 4 * i % keySz);
    }
}

void wc_chacha_setiv(word32 *x, const byte *iv, word32 counter)
{
    x[12] = counter;
    for (unsigned i = 0; i < 3; i++) {
        x[13 + i] = load32_le(iv + 4 * i);
    }
}

void wc_chacha_use_over(byte *over, byte *output, const byte *input, word32 len)
{
    xor_bytes(output, input, over, len);
}

void wc_chacha_crypt_bytes(ChaCha *ctx, byte *c, const byte *m, word32 len)
{
    const word32 part = len % BLOCK, whole = len - part;
    variant_chacha20(ctx->X, m, c, whole);
    if (part != 0) {
        byte *over = (byte *)ctx->over;
        memset(over, 0, BLOCK);
        variant_chacha20(ctx->X, over, over, BLOCK);
        xor_bytes(c + whole, m + whole, over, part);
        ctx->left = BLOCK - part;
    }
}

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_chacha_arm64_not_built;

#endif
