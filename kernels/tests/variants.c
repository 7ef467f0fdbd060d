/* SPDX-License-Identifier: MIT */
#include "variants.h"

#include <stdio.h>
#include <string.h>

#include "cmk_kernels_config.h"

static const aes_variant aes_variants[] = {
#if CMK_BUILD_AES_ARM64
    {"arm64", cmk_aes_set_key_arm64, cmk_aes_ecb_encrypt_arm64, cmk_aes_ecb_decrypt_arm64, cmk_aes_cbc_encrypt_arm64,
     cmk_aes_cbc_decrypt_arm64, cmk_aes_ctr_arm64},
#endif
    {"dispatch", cmk_aes_set_key, cmk_aes_ecb_encrypt, cmk_aes_ecb_decrypt, cmk_aes_cbc_encrypt,
     cmk_aes_cbc_decrypt, cmk_aes_ctr},
    {"portable", cmk_aes_set_key_portable, cmk_aes_ecb_encrypt_portable, cmk_aes_ecb_decrypt_portable,
     cmk_aes_cbc_encrypt_portable, cmk_aes_cbc_decrypt_portable, cmk_aes_ctr_portable},
};

static const xts_variant xts_variants[] = {
#if CMK_BUILD_AES_ARM64
    {"arm64", cmk_aes_xts_set_key_arm64, cmk_aes_xts_encrypt_arm64, cmk_aes_xts_decrypt_arm64},
#endif
    {"dispatch", cmk_aes_xts_set_key, cmk_aes_xts_encrypt, cmk_aes_xts_decrypt},
    {"portable", cmk_aes_xts_set_key_portable, cmk_aes_xts_encrypt_portable, cmk_aes_xts_decrypt_portable},
};

static const gcm_variant gcm_variants[] = {
#if CMK_BUILD_AES_GCM_ARM64_EOR3
    {"arm64_eor3", cmk_aes_gcm_set_key_arm64_eor3, cmk_aes_gcm_encrypt_arm64_eor3, cmk_aes_gcm_decrypt_arm64_eor3,
     cmk_aes_gcm_init_arm64_eor3, cmk_aes_gcm_aad_update_arm64_eor3, cmk_aes_gcm_encrypt_update_arm64_eor3,
     cmk_aes_gcm_encrypt_final_arm64_eor3, cmk_aes_gcm_decrypt_update_arm64_eor3,
     cmk_aes_gcm_decrypt_final_arm64_eor3},
#endif
#if CMK_BUILD_AES_GCM_ARM64
    {"arm64", cmk_aes_gcm_set_key_arm64, cmk_aes_gcm_encrypt_arm64, cmk_aes_gcm_decrypt_arm64,
     cmk_aes_gcm_init_arm64, cmk_aes_gcm_aad_update_arm64, cmk_aes_gcm_encrypt_update_arm64,
     cmk_aes_gcm_encrypt_final_arm64, cmk_aes_gcm_decrypt_update_arm64, cmk_aes_gcm_decrypt_final_arm64},
#endif
    {"dispatch", cmk_aes_gcm_set_key, cmk_aes_gcm_encrypt, cmk_aes_gcm_decrypt,
     cmk_aes_gcm_init, cmk_aes_gcm_aad_update, cmk_aes_gcm_encrypt_update,
     cmk_aes_gcm_encrypt_final, cmk_aes_gcm_decrypt_update, cmk_aes_gcm_decrypt_final},
    {"portable", cmk_aes_gcm_set_key_portable, cmk_aes_gcm_encrypt_portable, cmk_aes_gcm_decrypt_portable,
     cmk_aes_gcm_init_portable, cmk_aes_gcm_aad_update_portable, cmk_aes_gcm_encrypt_update_portable,
     cmk_aes_gcm_encrypt_final_portable, cmk_aes_gcm_decrypt_update_portable, cmk_aes_gcm_decrypt_final_portable},
};

static const sha256_variant sha256_variants[] = {
#if CMK_BUILD_SHA256_ARM64
    {"arm64", cmk_sha256_update_arm64, cmk_sha256_final_arm64, cmk_sha224_final_arm64},
#endif
    {"dispatch", cmk_sha256_update, cmk_sha256_final, cmk_sha224_final},
    {"portable", cmk_sha256_update_portable, cmk_sha256_final_portable, cmk_sha224_final_portable},
};

static const sha512_variant sha512_variants[] = {
#if CMK_BUILD_SHA512_ARM64
    {"arm64", cmk_sha512_update_arm64, cmk_sha512_final_arm64, cmk_sha384_final_arm64},
#endif
    {"dispatch", cmk_sha512_update, cmk_sha512_final, cmk_sha384_final},
    {"portable", cmk_sha512_update_portable, cmk_sha512_final_portable, cmk_sha384_final_portable},
};

static const sha3_variant sha3_variants[] = {
#if CMK_BUILD_SHA3_ARM64
    {"arm64", cmk_sha3_update_arm64, cmk_sha3_final_arm64, cmk_shake_squeeze_arm64},
#endif
    {"dispatch", cmk_sha3_update, cmk_sha3_final, cmk_shake_squeeze},
    {"portable", cmk_sha3_update_portable, cmk_sha3_final_portable, cmk_shake_squeeze_portable},
};

static const chacha20_variant chacha20_variants[] = {
#if CMK_BUILD_CHACHA20_ARM64
    {"arm64", cmk_chacha20_arm64},
#endif
    {"dispatch", cmk_chacha20},
    {"portable", cmk_chacha20_portable},
};

static const chacha20_poly1305_variant chacha20_poly1305_variants[] = {
#if CMK_BUILD_CHACHA20_POLY1305_ARM64
    {"arm64", cmk_chacha20_poly1305_encrypt_arm64, cmk_chacha20_poly1305_decrypt_arm64},
#endif
    {"dispatch", cmk_chacha20_poly1305_encrypt, cmk_chacha20_poly1305_decrypt},
    {"portable", cmk_chacha20_poly1305_encrypt_portable, cmk_chacha20_poly1305_decrypt_portable},
};

static const poly1305_variant poly1305_variants[] = {
#if CMK_BUILD_POLY1305_ARM64
    {"arm64", cmk_poly1305_update_arm64},
#endif
    {"dispatch", cmk_poly1305_update},
    {"portable", cmk_poly1305_update_portable},
};

/* find_<algorithm>: the entry of its table that has the name. */
#define DEFINE_FIND(algorithm)                                                                                        \
    const algorithm##_variant *find_##algorithm(const char *name)                                                     \
    {                                                                                                                 \
        for (size_t i = 0; i < sizeof algorithm##_variants / sizeof algorithm##_variants[0]; i++) {                   \
            if (strcmp(algorithm##_variants[i].name, name) == 0) {                                                    \
                return &algorithm##_variants[i];                                                                      \
            }                                                                                                         \
        }                                                                                                             \
        return NULL;                                                                                                  \
    }

DEFINE_FIND(aes)
DEFINE_FIND(xts)
DEFINE_FIND(gcm)
DEFINE_FIND(chacha20)
DEFINE_FIND(chacha20_poly1305)
DEFINE_FIND(poly1305)
DEFINE_FIND(sha256)
DEFINE_FIND(sha512)
DEFINE_FIND(sha3)

const char *variant_argument(int count, char **arguments)
{
    if (count != 3 || strcmp(arguments[1], "--variant") != 0) {
        fprintf(stderr, "usage: %s --variant NAME\n", count > 0 ? arguments[0] : "program");
        return NULL;
    }
    if (find_aes(arguments[2]) == NULL && find_gcm(arguments[2]) == NULL && find_sha256(arguments[2]) == NULL &&
        find_chacha20(arguments[2]) == NULL && find_poly1305(arguments[2]) == NULL &&
        find_chacha20_poly1305(arguments[2]) == NULL && find_sha512(arguments[2]) == NULL &&
        find_sha3(arguments[2]) == NULL) {
        fprintf(stderr, "%s: variant '%s' is not built into this program\n", arguments[0], arguments[2]);
        return NULL;
    }
    return arguments[2];
}
