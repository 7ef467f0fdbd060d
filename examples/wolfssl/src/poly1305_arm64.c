/* SPDX-License-Identifier: MIT */
/* Poly1305 by Advanced SIMD under wolfSSL's names.
 *
 * wolfSSL's structure has room for numbers of five limbs of 26 bits (see the core), but not for as many powers of r
 * as the core takes: a call that is long enough makes them anew. */
#include "names.h"

#if WOLFSSL_BUILD_POLY1305_ARM64 && defined(HAVE_POLY1305)

#include "../../../kernels/arm64/dialect.h"

WOLFSSL_TARGET_POLY1305_ARM64

#include "../../../kernels/arm64/poly1305_core.h"

/* Where things are: r is in `r1`, its fifth limb in the last word of `r4321`; the sum is in `h`, s in `pad`. */
static void load_r(uint32_t r[5], const Poly1305 *ctx)
{
    memcpy(r, ctx->r1, sizeof ctx->r1);
    r[4] = ctx->r4321[3];
}

void poly1305_set_key(Poly1305 *ctx, const byte *key)
{
    uint32_t r[5];
    poly1305_clamp(r, key);
    memcpy(ctx->r1, r, sizeof ctx->r1);
    ctx->r4321[3] = r[4];
    memset(ctx->h, 0, sizeof ctx->h);
    for (unsigned i = 0; i < 4; i++) {
        ctx->pad[i] = load32_le(key + 16 + 4 * i);
    }
    ctx->leftover = 0;
    wipe(r, sizeof r);
}

void poly1305_arm64_blocks(Poly1305 *ctx, const unsigned char *m, size_t bytes)
{
    size_t blocks = bytes / CMK_POLY1305_BLOCK_SIZE;
    uint32_t r[5];
    load_r(r, ctx);
    /* The powers take as long as about eight blocks one by one. */
    if (blocks >= 2 * PASS_BLOCKS) {
        uint32_t powers[5 * PASS_BLOCKS];
        poly1305_powers(powers, r);
        poly1305_wide(ctx->h, powers, m, blocks / PASS_BLOCKS);
        m += blocks / PASS_BLOCKS * PASS_SIZE;
        blocks %= PASS_BLOCKS;
        wipe(powers, sizeof powers);
    }
    poly1305_plain_blocks(ctx->h, r, m, blocks, POLY1305_BIT_128);
    wipe(r, sizeof r);
}

void poly1305_arm64_block_16(Poly1305 *ctx, const unsigned char *m)
{
    uint32_t r[5];
    load_r(r, ctx);
    poly1305_plain_blocks(ctx->h, r, m, 1, ctx->finished ? 0 : POLY1305_BIT_128);
    wipe(r, sizeof r);
}

void poly1305_final(Poly1305 *ctx, byte *mac)
{
    poly1305_tag(ctx->h, ctx->pad, mac);
    wipe(ctx->r1, sizeof ctx->r1);
    wipe(ctx->r4321, sizeof ctx->r4321);
    wipe(ctx->h, sizeof ctx->h);
    wipe(ctx->pad, sizeof ctx->pad);
}

WOLFSSL_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int wolfssl_poly1305_arm64_not_built;

#endif
