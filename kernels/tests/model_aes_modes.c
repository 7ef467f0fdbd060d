/* SPDX-License-Identifier: MIT */
/* CBC, XTS and GCM in their standards' own words, on the cipher of model_aes.c. */
#include <string.h>

#include "model.h"

#define BLOCK 16

static void add(uint8_t *to, const uint8_t *bytes)
{
    for (int i = 0; i < BLOCK; i++) {
        to[i] ^= bytes[i];
    }
}

/* ---- CBC: SP 800-38A section 6.2 ------------------------------------------------------------------------ */

void model_aes_cbc_encrypt(const uint8_t *key, size_t key_length, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                           size_t length)
{
    uint8_t schedule[240], unused[240], block[BLOCK];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    memcpy(block, iv, BLOCK);
    for (size_t i = 0; i < length; i += BLOCK) {
        add(block, in + i);
        model_aes_cipher(block, schedule, rounds);
        memcpy(out + i, block, BLOCK);
    }
}

void model_aes_cbc_decrypt(const uint8_t *key, size_t key_length, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                           size_t length)
{
    uint8_t schedule[240], unused[240], block[BLOCK];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    for (size_t i = 0; i < length; i += BLOCK) {
        memcpy(block, in + i, BLOCK);
        model_aes_inverse_cipher(block, schedule, rounds);
        add(block, i == 0 ? iv : in + i - BLOCK);
        memcpy(out + i, block, BLOCK);
    }
}

/* ---- XTS: IEEE 1619 section 5 ---------------------------------------------------------------------------- */

typedef struct xts {
    uint8_t schedule[240], unused[240];
    unsigned rounds;
    uint8_t tweak[BLOCK];
} xts;

static void xts_start(xts *state, const uint8_t *key, size_t key_length, const uint8_t *tweak)
{
    state->rounds = model_aes_key(state->schedule, state->unused, key + key_length / 2, key_length / 2);
    memcpy(state->tweak, tweak, BLOCK);
    model_aes_cipher(state->tweak, state->schedule, state->rounds);
    (void)model_aes_key(state->schedule, state->unused, key, key_length / 2);
}

/* Section 5.2. */
static void times_alpha(uint8_t *tweak)
{
    unsigned carry = 0;
    for (int i = 0; i < BLOCK; i++) {
        unsigned shifted = (unsigned)tweak[i] << 1 | carry;
        carry = shifted >> 8;
        tweak[i] = (uint8_t)shifted;
    }
    tweak[0] ^= carry != 0 ? 0x87 : 0;
}

static void xts_block(const xts *state, int encrypt, const uint8_t *tweak, const uint8_t *in, uint8_t *out)
{
    uint8_t block[BLOCK];
    memcpy(block, in, BLOCK);
    add(block, tweak);
    if (encrypt) {
        model_aes_cipher(block, state->schedule, state->rounds);
    } else {
        model_aes_inverse_cipher(block, state->schedule, state->rounds);
    }
    add(block, tweak);
    memcpy(out, block, BLOCK);
}

/* Sections 5.3.2 and 5.4.2: with a partial block at the end, the last two are done in this order, and decryption has
 * their tweaks in the other. */
static void xts_unit(const uint8_t *key, size_t key_length, int encrypt, const uint8_t *tweak, const uint8_t *in,
                     uint8_t *out, size_t length)
{
    size_t tail = length % BLOCK, at = 0;
    uint8_t first[BLOCK], second[BLOCK], made[BLOCK], stolen[BLOCK];
    xts state;
    xts_start(&state, key, key_length, tweak);
    for (; at + BLOCK + (tail != 0 ? BLOCK : 0) <= length - tail; at += BLOCK) {
        xts_block(&state, encrypt, state.tweak, in + at, out + at);
        times_alpha(state.tweak);
    }
    if (tail == 0) {
        return;
    }
    memcpy(first, state.tweak, BLOCK);
    times_alpha(state.tweak);
    memcpy(second, state.tweak, BLOCK);
    xts_block(&state, encrypt, encrypt ? first : second, in + at, made);
    memcpy(stolen, made, BLOCK);
    memcpy(stolen, in + at + BLOCK, tail);
    memcpy(out + at + BLOCK, made, tail);
    xts_block(&state, encrypt, encrypt ? second : first, stolen, out + at);
}

void model_aes_xts_encrypt(const uint8_t *key, size_t key_length, const uint8_t *tweak, const uint8_t *in,
                           uint8_t *out, size_t length)
{
    xts_unit(key, key_length, 1, tweak, in, out, length);
}

void model_aes_xts_decrypt(const uint8_t *key, size_t key_length, const uint8_t *tweak, const uint8_t *in,
                           uint8_t *out, size_t length)
{
    xts_unit(key, key_length, 0, tweak, in, out, length);
}

/* ---- GCM: SP 800-38D ------------------------------------------------------------------------------------- */

static uint64_t number(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static void bytes_of(uint8_t *bytes, uint64_t value)
{
    for (int i = 7; i >= 0; i--) {
        bytes[i] = (uint8_t)value;
        value >>= 8;
    }
}

/* Section 6.3, algorithm 1: bit 0 is the highest of the first byte. */
void model_gcm_multiply(uint8_t *x, const uint8_t *y)
{
    const uint64_t halves[2] = {number(x), number(x + 8)};
    uint64_t z0 = 0, z1 = 0, v0 = number(y), v1 = number(y + 8);
    for (int half = 0; half < 2; half++) {
        uint64_t bits = halves[half];
        for (int i = 0; i < 64; i++) {
            const uint64_t chosen = 0 - (bits >> 63), reduced = (0 - (v1 & 1)) & (uint64_t)0xe1 << 56;
            z0 ^= v0 & chosen;
            z1 ^= v1 & chosen;
            v1 = v1 >> 1 | v0 << 63;
            v0 = v0 >> 1 ^ reduced;
            bits <<= 1;
        }
    }
    bytes_of(x, z0);
    bytes_of(x + 8, z1);
}

void model_ghash(uint8_t *hash, const uint8_t *h, const uint8_t *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash[i % BLOCK] ^= data[i];
        if (i % BLOCK == BLOCK - 1 || i == length - 1) {
            model_gcm_multiply(hash, h);
        }
    }
}

void model_ghash_lengths(uint8_t *hash, const uint8_t *h, size_t first, size_t second)
{
    uint8_t block[BLOCK];
    bytes_of(block, (uint64_t)first * 8);
    bytes_of(block + 8, (uint64_t)second * 8);
    model_ghash(hash, h, block, BLOCK);
}

void model_aes_gcm(const uint8_t *key, size_t key_length, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                   size_t aad_length, const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag)
{
    uint8_t schedule[240], unused[240], h[BLOCK] = {0}, counter[BLOCK] = {0}, hash[BLOCK] = {0}, block[BLOCK];
    unsigned rounds = model_aes_key(schedule, unused, key, key_length);
    model_aes_cipher(h, schedule, rounds);
    if (iv_length == 12) {
        memcpy(counter, iv, 12);
        counter[15] = 1;
    } else {
        model_ghash(counter, h, iv, iv_length);
        model_ghash_lengths(counter, h, 0, iv_length);
    }
    memcpy(tag, counter, BLOCK);
    model_aes_cipher(tag, schedule, rounds);
    for (size_t i = 0; i < length; i++) {
        if (i % BLOCK == 0) {
            for (int place = BLOCK - 1; place >= 12 && ++counter[place] == 0; place--) {
            }
            memcpy(block, counter, BLOCK);
            model_aes_cipher(block, schedule, rounds);
        }
        out[i] = (uint8_t)(in[i] ^ block[i % BLOCK]);
    }
    model_ghash(hash, h, aad, aad_length);
    model_ghash(hash, h, out, length);
    model_ghash_lengths(hash, h, aad_length, length);
    add(tag, hash);
}
