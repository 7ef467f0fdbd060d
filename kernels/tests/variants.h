/* SPDX-License-Identifier: MIT */
/* The variants that are built, by name; `dispatch` is the plain functions, which choose one themselves. */
#ifndef CMK_TESTS_VARIANTS_H
#define CMK_TESTS_VARIANTS_H

#include "cmk/aes.h"
#include "cmk/aes_gcm.h"
#include "cmk/aes_xts.h"
#include "cmk/chacha20.h"
#include "cmk/chacha20_poly1305.h"
#include "cmk/poly1305.h"
#include "cmk/sha256.h"

typedef cmk_status aes_ecb_function(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length);

typedef cmk_status aes_cbc_function(const cmk_aes_key *key, uint8_t *iv, const uint8_t *in, uint8_t *out,
                                    size_t length);

typedef struct aes_variant {
    const char *name;
    cmk_status (*set_key)(cmk_aes_key *key, const uint8_t *bytes, size_t length);
    aes_ecb_function *ecb_encrypt;
    aes_ecb_function *ecb_decrypt;
    aes_cbc_function *cbc_encrypt;
    aes_cbc_function *cbc_decrypt;
    cmk_status (*ctr)(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                      size_t length);
} aes_variant;

typedef cmk_status aes_xts_function(const cmk_aes_xts_key *key, const uint8_t *tweak, const uint8_t *in, uint8_t *out,
                                    size_t length);

typedef struct xts_variant {
    const char *name;
    cmk_status (*set_key)(cmk_aes_xts_key *key, const uint8_t *bytes, size_t length);
    aes_xts_function *encrypt;
    aes_xts_function *decrypt;
} xts_variant;

typedef cmk_status aes_gcm_update_function(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *in,
                                           uint8_t *out, size_t length);

typedef struct gcm_variant {
    const char *name;
    cmk_status (*set_key)(cmk_aes_gcm_key *key, const uint8_t *bytes, size_t length);
    cmk_status (*encrypt)(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                          size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag,
                          size_t tag_length);
    cmk_status (*decrypt)(const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                          size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag,
                          size_t tag_length);
    cmk_status (*init)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *iv, size_t iv_length);
    cmk_status (*aad_update)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *aad,
                             size_t aad_length);
    aes_gcm_update_function *encrypt_update;
    cmk_status (*encrypt_final)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, uint8_t *tag,
                                size_t tag_length);
    aes_gcm_update_function *decrypt_update;
    cmk_status (*decrypt_final)(cmk_aes_gcm_state *state, const cmk_aes_gcm_key *key, const uint8_t *tag,
                                size_t tag_length);
} gcm_variant;

typedef struct sha256_variant {
    const char *name;
    cmk_status (*update)(cmk_sha256_context *context, const uint8_t *data, size_t length);
    cmk_status (*final)(cmk_sha256_context *context, uint8_t *digest);
} sha256_variant;

typedef struct chacha20_variant {
    const char *name;
    cmk_status (*stream)(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length);
} chacha20_variant;

typedef struct poly1305_variant {
    const char *name;
    cmk_status (*update)(cmk_poly1305_context *context, const uint8_t *data, size_t length);
} poly1305_variant;

typedef struct chacha20_poly1305_variant {
    const char *name;
    cmk_status (*encrypt)(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                          const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag);
    cmk_status (*decrypt)(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                          const uint8_t *in, uint8_t *out, size_t length, const uint8_t *tag);
} chacha20_poly1305_variant;

/* NULL if there is no such variant in this program. */
const aes_variant *find_aes(const char *name);
const xts_variant *find_xts(const char *name);
const gcm_variant *find_gcm(const char *name);
const chacha20_variant *find_chacha20(const char *name);
const chacha20_poly1305_variant *find_chacha20_poly1305(const char *name);
const poly1305_variant *find_poly1305(const char *name);
const sha256_variant *find_sha256(const char *name);

/* The name after `--variant`, which must be the only argument, if the program has it for one algorithm at least.
 * Otherwise a message on standard error, and NULL. */
const char *variant_argument(int count, char **arguments);

#endif
