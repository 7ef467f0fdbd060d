/* SPDX-License-Identifier: MIT */
/* ChaCha20-Poly1305 by Advanced SIMD. */
#include "cmk_kernels_config.h"

#if CMK_BUILD_CHACHA20_POLY1305_ARM64

#include "dialect.h"

CMK_TARGET_CHACHA20_POLY1305_ARM64

#include "../portable/chacha20_poly1305_frontend.h"
#include "chacha20_core.h"
#include "poly1305_core.h"

cmk_status cmk_chacha20_poly1305_encrypt_arm64(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE])
{
    return aead_encrypt(key, nonce, aad, aad_length, in, out, length, tag);
}

cmk_status cmk_chacha20_poly1305_decrypt_arm64(const uint8_t key[CMK_CHACHA20_POLY1305_KEY_SIZE],
                                               const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE],
                                               const uint8_t *aad, size_t aad_length, const uint8_t *in, uint8_t *out,
                                               size_t length, const uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE])
{
    return aead_decrypt(key, nonce, aad, aad_length, in, out, length, tag);
}

CMK_TARGET_END

#else

/* ISO C wants a declaration in every file. */
typedef int cmk_chacha20_poly1305_arm64_not_built;

#endif
