/* SPDX-License-Identifier: MIT */
/* RFC 8439 in its own words: ChaCha20 of sections 2.1 to 2.4, Poly1305 of 2.5 by long multiplication of bytes,
 * and the AEAD of 2.8. */
#include <string.h>

#include "model.h"

static uint32_t rotl(uint32_t x, unsigned n)
{
    return x << n | x >> (32 - n);
}

static void quarter_round(uint32_t *s, int a, int b, int c, int d)
{
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 16);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 12);
    s[a] += s[b];
    s[d] = rotl(s[d] ^ s[a], 8);
    s[c] += s[d];
    s[b] = rotl(s[b] ^ s[c], 7);
}

static uint32_t little_endian(const uint8_t *bytes)
{
    uint32_t word = 0;
    for (int i = 3; i >= 0; i--) {
        word = word << 8 | bytes[i];
    }
    return word;
}

static void chacha20_block(const uint8_t *key, const uint8_t *nonce, uint32_t counter, uint8_t *block)
{
    uint32_t start[16], s[16];
    for (int i = 0; i < 4; i++) {
        start[i] = little_endian((const uint8_t *)"expand 32-byte k" + 4 * i);
        start[4 + i] = little_endian(key + 4 * i);
        start[8 + i] = little_endian(key + 16 + 4 * i);
        start[12 + i] = i == 0 ? counter : little_endian(nonce + 4 * (i - 1));
    }
    memcpy(s, start, sizeof s);
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 4; i++) {
            quarter_round(s, i, 4 + i, 8 + i, 12 + i);
        }
        for (int i = 0; i < 4; i++) {
            quarter_round(s, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    for (int i = 0; i < 64; i++) {
        block[i] = (uint8_t)((s[i / 4] + start[i / 4]) >> 8 * (i % 4));
    }
}

void model_chacha20(const uint8_t *key, const uint8_t *nonce, uint32_t counter, const uint8_t *in, uint8_t *out,
                    size_t length)
{
    uint8_t block[64];
    for (size_t i = 0; i < length; i++) {
        if (i % 64 == 0) {
            chacha20_block(key, nonce, counter++, block);
        }
        out[i] = (uint8_t)(in[i] ^ block[i % 64]);
    }
}

/* Carries, bytes that have grown above 255, and what is above bit 130, which counts five times lower down. */
static void carry(uint32_t *number)
{
    for (int round = 0; round < 2; round++) {
        uint32_t above = 0;
        for (int i = 0; i < 17; i++) {
            above += number[i];
            number[i] = above & 0xff;
            above >>= 8;
        }
        number[0] += 5 * (above << 6 | number[16] >> 2);
        number[16] &= 3;
    }
}

/* a = a b modulo 2^130 - 5, all of 17 bytes. Byte 17 is byte 0 times 2^136, and that is 5 times 2^6. */
static void multiply(uint32_t *a, const uint32_t *b)
{
    uint32_t product[17] = {0};
    uint32_t factors[2 * 17]; /* b, and before it 2^136 b, as that stands 17 bytes lower */
    for (int i = 0; i < 17; i++) {
        factors[i] = 320 * b[i];
        factors[17 + i] = b[i];
    }
    for (int j = 0; j < 17; j++) {
        for (int i = 0; i < 17; i++) {
            product[i] += a[j] * factors[17 + i - j];
        }
    }
    carry(product);
    memcpy(a, product, sizeof product);
}

void model_poly1305(const uint8_t *key, const uint8_t *data, size_t length, uint8_t *tag)
{
    uint32_t sum[17] = {0}, r[17] = {0}, more[17];
    for (int i = 0; i < 16; i++) {
        r[i] = key[i] & (i % 4 == 3 ? 0x0fu : i % 4 == 0 && i != 0 ? 0xfcu : 0xffu);
    }
    for (size_t at = 0; at < length; at += 16) {
        size_t bytes = length - at < 16 ? length - at : 16;
        for (size_t i = 0; i < bytes; i++) {
            sum[i] += data[at + i];
        }
        sum[bytes]++;
        multiply(sum, r);
    }
    carry(sum);
    memcpy(more, sum, sizeof more);
    more[0] += 5;
    for (int i = 0; i < 16; i++) { /* from 2^130 - 5 on, 5 more have bit 130 */
        more[i + 1] += more[i] >> 8;
        more[i] &= 0xff;
    }
    if (more[16] >= 4) {
        memcpy(sum, more, sizeof sum);
    }
    for (unsigned i = 0, total = 0; i < 16; i++, total >>= 8) {
        total += sum[i] + key[16 + i];
        tag[i] = (uint8_t)total;
    }
}

void model_chacha20_poly1305(const uint8_t *key, const uint8_t *nonce, const uint8_t *aad, size_t aad_length,
                             const uint8_t *in, uint8_t *out, size_t length, uint8_t *tag)
{
    static uint8_t authenticated[MODEL_AEAD_LENGTH + 48];
    static const uint8_t zeros[64];
    uint8_t block[64];
    size_t text = (aad_length + 15) / 16 * 16;
    size_t lengths = text + (length + 15) / 16 * 16;
    model_chacha20(key, nonce, 0, zeros, block, sizeof block);
    model_chacha20(key, nonce, 1, in, out, length);
    memset(authenticated, 0, sizeof authenticated);
    if (aad_length != 0) {
        memcpy(authenticated, aad, aad_length);
    }
    if (length != 0) {
        memcpy(authenticated + text, out, length);
    }
    for (int i = 0; i < 8; i++) {
        authenticated[lengths + (size_t)i] = (uint8_t)((uint64_t)aad_length >> 8 * i);
        authenticated[lengths + 8 + (size_t)i] = (uint8_t)((uint64_t)length >> 8 * i);
    }
    model_poly1305(block, authenticated, lengths + 16, tag);
}
