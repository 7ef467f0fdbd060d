/* SPDX-License-Identifier: MIT */
#include "gcm_messages.h"

#include <string.h>

#include "buffers.h"
#include "model.h"
#include "tap.h"

void gcm_message_tag(const gcm_message *m, size_t length, uint8_t *tag)
{
    memcpy(tag, m->hashes[length / 16], 16);
    model_ghash(tag, m->h, m->encrypted + (length - length % 16), length % 16);
    model_ghash_lengths(tag, m->h, m->aad_length, length);
    for (int i = 0; i < 16; i++) {
        tag[i] ^= m->mask[i];
    }
}

/* `tag` belongs to the whole message, so the mask follows from it. */
static void hash_blocks(gcm_message *m, const uint8_t *tag)
{
    uint8_t last[16];
    memset(m->hashes[0], 0, 16);
    model_ghash(m->hashes[0], m->h, m->aad, m->aad_length);
    for (size_t i = 0; i < GCM_LONGEST / 16; i++) {
        memcpy(m->hashes[i + 1], m->hashes[i], 16);
        model_ghash(m->hashes[i + 1], m->h, m->encrypted + 16 * i, 16);
    }
    memset(m->mask, 0, 16);
    gcm_message_tag(m, GCM_LONGEST, last);
    for (int i = 0; i < 16; i++) {
        m->mask[i] = (uint8_t)(tag[i] ^ last[i]);
    }
}

static void compare_portable(const gcm_message *m, const uint8_t *tag)
{
    static uint8_t encrypted[GCM_LONGEST + 16];
    static uint8_t want[GCM_LONGEST + 16];
    cmk_aes_gcm_key key;
    memcpy(want, m->encrypted, GCM_LONGEST);
    memcpy(want + GCM_LONGEST, tag, 16);
    (void)cmk_aes_gcm_set_key_portable(&key, m->bytes, m->key_length);
    (void)cmk_aes_gcm_encrypt_portable(&key, m->iv, m->iv_length, m->aad, m->aad_length, m->plain, encrypted,
                                       GCM_LONGEST, encrypted + GCM_LONGEST, 16);
    tap_equal(encrypted, want, sizeof want, "portable and model, key length", m->key_length);
}

static void finish(const gcm_variant *variant, gcm_message *m)
{
    uint8_t tag[16];
    (void)variant->set_key(&m->key, m->bytes, m->key_length);
    model_aes_gcm(m->bytes, m->key_length, m->iv, m->iv_length, m->aad, m->aad_length, m->plain, m->encrypted,
                  GCM_LONGEST, tag);
    hash_blocks(m, tag);
    compare_portable(m, tag);
}

static void start(gcm_message *m, size_t key_length, uint32_t seed)
{
    static const uint8_t zero[16];
    fill(m->bytes, sizeof m->bytes, seed);
    fill(m->iv, sizeof m->iv, seed + 1);
    fill(m->aad, sizeof m->aad, seed + 2);
    fill(m->plain, sizeof m->plain, seed + 3);
    m->key_length = key_length;
    model_aes_ecb_encrypt(m->bytes, key_length, zero, m->h, 16);
}

void gcm_make(const gcm_variant *variant, gcm_message *m, size_t key_length, size_t iv_length, size_t aad_length,
              uint32_t seed)
{
    start(m, key_length, seed);
    m->iv_length = iv_length;
    m->aad_length = aad_length;
    finish(variant, m);
}

/* In a field of 2^128 elements the inverse of h is its power 2^128 - 2. It is kept, as it takes long. */
static const uint8_t *inverse(const uint8_t *h)
{
    static uint8_t of[16], result[16];
    if (memcmp(of, h, 16) != 0) {
        uint8_t square[16];
        memcpy(of, h, 16);
        memcpy(square, h, 16);
        memset(result, 0, 16);
        result[0] = 0x80;
        for (int i = 1; i < 128; i++) {
            model_gcm_multiply(square, square);
            model_gcm_multiply(result, square);
        }
    }
    return result;
}

/* J0 = (IV H + lengths) H, so IV = (J0 / H + lengths) / H. */
void gcm_make_counter(const gcm_variant *variant, gcm_message *m, const uint8_t *counter, uint32_t seed)
{
    const uint8_t *divisor;
    start(m, 16, seed);
    m->iv_length = 16;
    m->aad_length = 0;
    divisor = inverse(m->h);
    memcpy(m->iv, counter, 16);
    model_gcm_multiply(m->iv, divisor);
    m->iv[15] ^= 128; /* bits of the IV */
    model_gcm_multiply(m->iv, divisor);
    finish(variant, m);
}
