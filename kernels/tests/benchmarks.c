/* SPDX-License-Identifier: MIT */
/* Benchmarks for `cmaketool bench`: whole messages under keys of 256 bits, beginning and end included, keys expanded
 * before. A new case is a function and its line in cmaketool_bench_cases. */
#include <string.h>

#include "cmaketool_bench.h"
#include "variants.h"

/* The other half, zeros, is there for XTS. */
static const uint8_t key_bytes[64] = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4,
};

#define AES_KEY_SIZE 32
#define XTS_KEY_SIZE 64
#define GCM_IV_SIZE 12
#define TAG_SIZE 16
#define SHAKE_MESSAGE_SIZE 16

/* What follows is done for each repetition, as long as `status` stays CMK_OK. */
#define EACH_TIME(work, i) for (size_t i = 0; i < (work)->repeats && status == CMK_OK; i++)

/* ---- AES: each time what the last time made is encrypted or decrypted again, in place */

static int ecb(const aes_variant *aes, aes_ecb_function *function, const cmaketool_bench_work *work)
{
    cmk_aes_key key;
    cmk_status status = aes->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        status = function(&key, work->in, work->in, work->size);
    }
    return (int)status;
}

static int ecb_encrypt(const void *context, const cmaketool_bench_work *work)
{
    const aes_variant *aes = context;
    return ecb(aes, aes->ecb_encrypt, work);
}

static int ecb_decrypt(const void *context, const cmaketool_bench_work *work)
{
    const aes_variant *aes = context;
    return ecb(aes, aes->ecb_decrypt, work);
}

static int cbc(const aes_variant *aes, aes_cbc_function *function, const cmaketool_bench_work *work)
{
    cmk_aes_key key;
    uint8_t iv[CMK_AES_BLOCK_SIZE] = {1};
    cmk_status status = aes->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        status = function(&key, iv, work->in, work->in, work->size);
    }
    return (int)status;
}

static int cbc_encrypt(const void *context, const cmaketool_bench_work *work)
{
    const aes_variant *aes = context;
    return cbc(aes, aes->cbc_encrypt, work);
}

static int cbc_decrypt(const void *context, const cmaketool_bench_work *work)
{
    const aes_variant *aes = context;
    return cbc(aes, aes->cbc_decrypt, work);
}

static int ctr(const void *context, const cmaketool_bench_work *work)
{
    const aes_variant *aes = context;
    cmk_aes_key key;
    cmk_status status = aes->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        const uint8_t counter[CMK_AES_BLOCK_SIZE] = {(uint8_t)i};
        cmk_aes_ctr_state state;
        (void)cmk_aes_ctr_init(&state, counter);
        status = aes->ctr(&state, &key, work->in, work->in, work->size);
    }
    return (int)status;
}

static int xts(const xts_variant *variant, aes_xts_function *function, const cmaketool_bench_work *work)
{
    cmk_aes_xts_key key;
    cmk_status status = variant->set_key(&key, key_bytes, XTS_KEY_SIZE);
    EACH_TIME(work, i) {
        const uint8_t tweak[CMK_AES_BLOCK_SIZE] = {(uint8_t)i};
        status = function(&key, tweak, work->in, work->in, work->size);
    }
    return (int)status;
}

static int xts_encrypt(const void *context, const cmaketool_bench_work *work)
{
    const xts_variant *variant = context;
    return xts(variant, variant->encrypt, work);
}

static int xts_decrypt(const void *context, const cmaketool_bench_work *work)
{
    const xts_variant *variant = context;
    return xts(variant, variant->decrypt, work);
}

static int gcm_encrypt(const void *context, const cmaketool_bench_work *work)
{
    const gcm_variant *gcm = context;
    cmk_aes_gcm_key key;
    cmk_status status = gcm->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        const uint8_t iv[GCM_IV_SIZE] = {(uint8_t)i};
        status = gcm->encrypt(&key, iv, sizeof iv, NULL, 0, work->in, work->in, work->size, work->in + work->size,
                              TAG_SIZE);
    }
    return (int)status;
}

/* The tag is right only for one message, so that the same one is decrypted each time. */
static int gcm_decrypt(const void *context, const cmaketool_bench_work *work)
{
    static const uint8_t iv[GCM_IV_SIZE] = {1};
    const gcm_variant *gcm = context;
    uint8_t tag[TAG_SIZE];
    cmk_aes_gcm_key key;
    cmk_status status = gcm->set_key(&key, key_bytes, AES_KEY_SIZE);
    if (status == CMK_OK) {
        status = gcm->encrypt(&key, iv, sizeof iv, NULL, 0, work->in, work->in, work->size, tag, sizeof tag);
    }
    EACH_TIME(work, i) {
        status = gcm->decrypt(&key, iv, sizeof iv, NULL, 0, work->in, work->out, work->size, tag, sizeof tag);
    }
    return (int)status;
}

/* GHASH all but alone: what is only authenticated. It begins with the last tag. */
static int gcm_aad(const void *context, const cmaketool_bench_work *work)
{
    const gcm_variant *gcm = context;
    uint8_t tag[TAG_SIZE] = {0};
    cmk_aes_gcm_key key;
    cmk_status status = gcm->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        const uint8_t iv[GCM_IV_SIZE] = {(uint8_t)i};
        memcpy(work->in, tag, sizeof tag);
        status = gcm->encrypt(&key, iv, sizeof iv, work->in, work->size, NULL, NULL, 0, tag, sizeof tag);
    }
    memcpy(work->out, tag, sizeof tag);
    return (int)status;
}

static int gcm_stream(const void *context, const cmaketool_bench_work *work)
{
    const gcm_variant *gcm = context;
    cmk_aes_gcm_key key;
    cmk_status status = gcm->set_key(&key, key_bytes, AES_KEY_SIZE);
    EACH_TIME(work, i) {
        const uint8_t iv[GCM_IV_SIZE] = {(uint8_t)i};
        cmk_aes_gcm_state state;
        (void)gcm->init(&state, &key, iv, sizeof iv);
        (void)gcm->encrypt_update(&state, &key, work->in, work->in, work->size);
        status = gcm->encrypt_final(&state, &key, work->in + work->size, TAG_SIZE);
    }
    return (int)status;
}

/* ---- ChaCha20 and Poly1305 */

static int chacha20(const void *context, const cmaketool_bench_work *work)
{
    static const uint8_t nonce[CMK_CHACHA20_NONCE_SIZE] = {1};
    const chacha20_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_chacha20_state state;
        (void)cmk_chacha20_init(&state, key_bytes, nonce, (uint32_t)i);
        status = variant->stream(&state, work->in, work->in, work->size);
    }
    return (int)status;
}

static int chacha20_poly1305_encrypt(const void *context, const cmaketool_bench_work *work)
{
    const chacha20_poly1305_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE] = {(uint8_t)i};
        status = variant->encrypt(key_bytes, nonce, NULL, 0, work->in, work->in, work->size, work->in + work->size);
    }
    return (int)status;
}

static int chacha20_poly1305_decrypt(const void *context, const cmaketool_bench_work *work)
{
    static const uint8_t nonce[CMK_CHACHA20_POLY1305_NONCE_SIZE] = {1};
    const chacha20_poly1305_variant *variant = context;
    uint8_t tag[CMK_CHACHA20_POLY1305_TAG_SIZE];
    cmk_status status = variant->encrypt(key_bytes, nonce, NULL, 0, work->in, work->in, work->size, tag);
    EACH_TIME(work, i) {
        status = variant->decrypt(key_bytes, nonce, NULL, 0, work->in, work->out, work->size, tag);
    }
    return (int)status;
}

/* ---- hashes: each message begins with the last one's digest */

static int poly1305(const void *context, const cmaketool_bench_work *work)
{
    const poly1305_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_poly1305_context message;
        (void)cmk_poly1305_init(&message, key_bytes);
        (void)variant->update(&message, work->in, work->size);
        status = cmk_poly1305_final(&message, work->in);
    }
    return (int)status;
}

static int sha256(const void *context, const cmaketool_bench_work *work)
{
    const sha256_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_sha256_context message;
        (void)cmk_sha256_init(&message);
        (void)variant->update(&message, work->in, work->size);
        status = variant->final(&message, work->in);
    }
    return (int)status;
}

static int sha512(const void *context, const cmaketool_bench_work *work)
{
    const sha512_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_sha512_context message;
        (void)cmk_sha512_init(&message);
        (void)variant->update(&message, work->in, work->size);
        status = variant->final(&message, work->in);
    }
    return (int)status;
}

static int sha3(const sha3_variant *variant, size_t digest_size, const cmaketool_bench_work *work)
{
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_sha3_context message;
        (void)cmk_sha3_init(&message, digest_size);
        (void)variant->update(&message, work->in, work->size);
        status = variant->final(&message, work->in, digest_size);
    }
    return (int)status;
}

static int sha3_256(const void *context, const cmaketool_bench_work *work)
{
    return sha3(context, CMK_SHA3_256_DIGEST_SIZE, work);
}

static int sha3_512(const void *context, const cmaketool_bench_work *work)
{
    return sha3(context, CMK_SHA3_512_DIGEST_SIZE, work);
}

/* The message is the beginning of the last output, and short, so that `size` bytes are squeezed out. */
static int shake128_squeeze(const void *context, const cmaketool_bench_work *work)
{
    const sha3_variant *variant = context;
    cmk_status status = CMK_OK;
    EACH_TIME(work, i) {
        cmk_sha3_context message;
        (void)cmk_shake128_init(&message);
        (void)variant->update(&message, work->in, SHAKE_MESSAGE_SIZE);
        status = variant->squeeze(&message, work->in, work->size);
    }
    return (int)status;
}

/* ---- what there is */

typedef struct bench_entry {
    const char *name;
    cmaketool_bench_function *run;
} bench_entry;

static void add(const void *variant, const bench_entry *entries, size_t count)
{
    for (size_t i = 0; variant != NULL && i < count; i++) {
        cmaketool_bench_case(entries[i].name, entries[i].run, variant);
    }
}

#define ADD(variant, entries) add(variant, entries, sizeof entries / sizeof entries[0])

void cmaketool_bench_cases(const char *variant)
{
    static const bench_entry aes[] = {
        {"aes_ecb/encrypt", ecb_encrypt}, {"aes_ecb/decrypt", ecb_decrypt}, {"aes_cbc/encrypt", cbc_encrypt},
        {"aes_cbc/decrypt", cbc_decrypt}, {"aes_ctr", ctr},
    };
    static const bench_entry xts_entries[] = {{"aes_xts/encrypt", xts_encrypt}, {"aes_xts/decrypt", xts_decrypt}};
    static const bench_entry gcm_entries[] = {
        {"aes_gcm/encrypt", gcm_encrypt}, {"aes_gcm/decrypt", gcm_decrypt}, {"aes_gcm/stream", gcm_stream},
        {"aes_gcm/aad", gcm_aad},
    };
    static const bench_entry chacha20_entries[] = {{"chacha20", chacha20}};
    static const bench_entry poly1305_entries[] = {{"poly1305", poly1305}};
    static const bench_entry aead_entries[] = {
        {"chacha20_poly1305/encrypt", chacha20_poly1305_encrypt},
        {"chacha20_poly1305/decrypt", chacha20_poly1305_decrypt},
    };
    static const bench_entry sha256_entries[] = {{"sha256", sha256}};
    static const bench_entry sha512_entries[] = {{"sha512", sha512}};
    static const bench_entry sha3_entries[] = {
        {"sha3/256", sha3_256}, {"sha3/512", sha3_512}, {"sha3/shake128_squeeze", shake128_squeeze}
    };
    ADD(find_aes(variant), aes);
    ADD(find_xts(variant), xts_entries);
    ADD(find_gcm(variant), gcm_entries);
    ADD(find_chacha20(variant), chacha20_entries);
    ADD(find_poly1305(variant), poly1305_entries);
    ADD(find_chacha20_poly1305(variant), aead_entries);
    ADD(find_sha256(variant), sha256_entries);
    ADD(find_sha512(variant), sha512_entries);
    ADD(find_sha3(variant), sha3_entries);
}
