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
    {"portable", cmk_aes_set_key_portable, cmk_aes_ecb_encrypt_portable, cmk_aes_ecb_decrypt_portable, cmk_aes_cbc_encrypt_portable,
     cmk_aes_cbc_decrypt_portable, cmk_aes_ctr_portable},
};

static const xts_variant xts_variants[] = {
#if CMK_BUILD_AES_ARM64
    {"arm64", cmk_aes_xts_set_key_arm64, cmk_aes_xts_encrypt_arm64, cmk_aes_xts_decrypt_arm64},
#endif
    {"dispatch", cmk_aes_xts_set_key, cmk_aes_xts_encrypt, cmk_aes_xts_decrypt},
    {"portable", cmk_aes_xts_set_key_portable, cmk_aes_xts_encrypt_portable, cmk_aes_xts_decrypt_portable},
};

static const gcm_variant gcm_variants[] = {
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
    {"arm64", cmk_sha256_update_arm64, cmk_sha256_final_arm64},
#endif
    {"dispatch", cmk_sha256_update, cmk_sha256_final},
    {"portable", cmk_sha256_update_portable, cmk_sha256_final_portable},
};

const aes_variant *find_aes(const char *name)
{
    for (size_t i = 0; i < sizeof aes_variants / sizeof aes_variants[0]; i++) {
        if (strcmp(aes_variants[i].name, name) == 0) {
            return &aes_variants[i];
        }
    }
    return NULL;
}

const xts_variant *find_xts(const char *name)
{
    for (size_t i = 0; i < sizeof xts_variants / sizeof xts_variants[0]; i++) {
        if (strcmp(xts_variants[i].name, name) == 0) {
            return &xts_variants[i];
        }
    }
    return NULL;
}

const gcm_variant *find_gcm(const char *name)
{
    for (size_t i = 0; i < sizeof gcm_variants / sizeof gcm_variants[0]; i++) {
        if (strcmp(gcm_variants[i].name, name) == 0) {
            return &gcm_variants[i];
        }
    }
    return NULL;
}

const sha256_variant *find_sha256(const char *name)
{
    for (size_t i = 0; i < sizeof sha256_variants / sizeof sha256_variants[0]; i++) {
        if (strcmp(sha256_variants[i].name, name) == 0) {
            return &sha256_variants[i];
        }
    }
    return NULL;
}

const char *variant_argument(int count, char **arguments)
{
    if (count != 3 || strcmp(arguments[1], "--variant") != 0) {
        fprintf(stderr, "usage: %s --variant NAME\n", count > 0 ? arguments[0] : "program");
        return NULL;
    }
    if (find_aes(arguments[2]) == NULL && find_sha256(arguments[2]) == NULL) {
        fprintf(stderr, "%s: variant '%s' is not built into this program\n", arguments[0], arguments[2]);
        return NULL;
    }
    return arguments[2];
}
