/* SPDX-License-Identifier: MIT */
/* What the variants of AES share: argument checks, key expansion, leftover keystream, the counter.
 *
 * A variant's source includes this file once, defines the functions declared first, and wraps the
 * `aes_*` functions at the end under its own external names. The calls are direct: they can be inlined, and
 * a disassembly shows which variant is reached. */
#ifndef CMK_PORTABLE_AES_FRONTEND_H
#define CMK_PORTABLE_AES_FRONTEND_H

#include "bytes.h"
#include "cmk/aes.h"

/* The S-box on each byte of a word. */
static uint32_t variant_sub_word(uint32_t word);
/* InvMixColumns on a block. */
static void variant_inverse_mix_columns(const uint8_t *in, uint8_t *out);
/* ECB on whole blocks; at least one. */
static void variant_encrypt_blocks(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks);
static void variant_decrypt_blocks(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t blocks);
/* CTR on whole blocks, at least one; leaves in `counter` that of the block after the last. */
static void variant_ctr_blocks(const cmk_aes_key *key, uint8_t *counter, const uint8_t *in, uint8_t *out,
                               size_t blocks);

/* ---- the counter, 128 bits -------------------------------------------------------------------------- */

typedef struct counter128 {
    uint64_t high;
    uint64_t low;
} counter128;

static inline counter128 counter_load(const uint8_t *bytes)
{
    counter128 counter = {load64_be(bytes), load64_be(bytes + 8)};
    return counter;
}

static inline void counter_store(uint8_t *bytes, counter128 counter)
{
    store64_be(bytes, counter.high);
    store64_be(bytes + 8, counter.low);
}

static inline counter128 counter_add(counter128 counter, uint64_t amount)
{
    counter.low += amount;
    counter.high += counter.low < amount;
    return counter;
}

/* ---- key schedule (FIPS 197 sections 5.2 and 5.3.5), on words whose lowest byte comes first ----------- */

static inline uint32_t rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Each byte times x in GF(2^8) (section 4.2): 0x1b is added, as x^4 + x^3 + x + 1, where x^8 came out. */
static inline uint32_t times_x(uint32_t word)
{
    uint32_t carry = word >> 7 & 0x01010101;
    return (word & 0x7f7f7f7f) << 1 ^ carry << 4 ^ carry << 3 ^ carry << 1 ^ carry;
}

/* The next four words from those `distance` bytes before and the word just before. Answers the last. */
static inline uint32_t extend(uint8_t *to, size_t distance, uint32_t word)
{
    const uint8_t *from = to - distance;
    store32_le(to, word ^= load32_le(from));
    store32_le(to + 4, word ^= load32_le(from + 4));
    store32_le(to + 8, word ^= load32_le(from + 8));
    store32_le(to + 12, word ^= load32_le(from + 12));
    return word;
}

/* Words come in groups of the key's length, `distance` bytes: the first of each gets RotWord, SubWord and a round
 * constant, and with 256-bit keys the fifth gets SubWord. For all key sizes the last group is cut to four. */
static inline void expand_encrypt(uint8_t *schedule, const uint8_t *bytes, size_t distance)
{
    const uint8_t *last = schedule + 4 * distance + 96;
    uint8_t *to = schedule + distance;
    uint32_t round_constant = 1;
    uint32_t word = load32_le(bytes + distance - 4);

    memcpy(schedule, bytes, distance);
    for (;; to += distance) {
        word = variant_sub_word(rotate_right(word, 8)) ^ round_constant;
        round_constant = times_x(round_constant);
        word = extend(to, distance, word);
        if (to == last) {
            return;
        }
        if (distance == 24) {
            store32_le(to + 16, word ^= load32_le(to - 8));
            store32_le(to + 20, word ^= load32_le(to - 4));
        }
        if (distance == 32) {
            word = extend(to + 16, distance, variant_sub_word(word));
        }
    }
}

/* Round keys in reverse order, all but the outer two through InvMixColumns. */
static inline void expand_decrypt(uint8_t *to, const uint8_t *schedule, size_t rounds)
{
    const uint8_t *from = schedule + CMK_AES_BLOCK_SIZE * rounds;

    memcpy(to, from, CMK_AES_BLOCK_SIZE);
    for (from -= CMK_AES_BLOCK_SIZE; from != schedule; from -= CMK_AES_BLOCK_SIZE) {
        to += CMK_AES_BLOCK_SIZE;
        variant_inverse_mix_columns(from, to);
    }
    memcpy(to + CMK_AES_BLOCK_SIZE, schedule, CMK_AES_BLOCK_SIZE);
}

static inline cmk_status aes_set_key(cmk_aes_key *key, const uint8_t *bytes, size_t length)
{
    if (key == NULL || bytes == NULL) {
        return CMK_ERROR_NULL;
    }
    if (length != 16 && length != 24 && length != 32) {
        return CMK_ERROR_LENGTH;
    }
    memset(key, 0, sizeof *key);
    key->rounds = (uint32_t)(length / 4 + 6);
    expand_encrypt(key->encrypt, bytes, length);
    expand_decrypt(key->decrypt, key->encrypt, key->rounds);
    return CMK_OK;
}

/* ---- ECB ---------------------------------------------------------------------------------------------- */

static inline cmk_status check_data(const cmk_aes_key *key, const uint8_t *in, const uint8_t *out, size_t length)
{
    if (key == NULL || (length != 0 && (in == NULL || out == NULL))) {
        return CMK_ERROR_NULL;
    }
    if (key->rounds != 10 && key->rounds != 12 && key->rounds != 14) {
        return CMK_ERROR_KEY;
    }
    return CMK_OK;
}

static inline cmk_status check_blocks(const cmk_aes_key *key, const uint8_t *in, const uint8_t *out, size_t length)
{
    cmk_status status = check_data(key, in, out, length);
    if (status == CMK_OK && length % CMK_AES_BLOCK_SIZE != 0) {
        status = CMK_ERROR_LENGTH;
    }
    return status;
}

static inline cmk_status aes_ecb_encrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    cmk_status status = check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_encrypt_blocks(key, in, out, length / CMK_AES_BLOCK_SIZE);
    }
    return status;
}

static inline cmk_status aes_ecb_decrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    cmk_status status = check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_decrypt_blocks(key, in, out, length / CMK_AES_BLOCK_SIZE);
    }
    return status;
}

/* ---- CTR ---------------------------------------------------------------------------------------------- */

/* Uses up to `length` bytes of the keystream that is left, and answers how many. Used bytes are forgotten. */
static inline size_t use_keystream(cmk_aes_ctr_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t *unused = state->keystream + (CMK_AES_BLOCK_SIZE - state->left);
    size_t count = length < state->left ? length : state->left;
    for (size_t i = 0; i < count; i++) {
        out[i] = (uint8_t)(in[i] ^ unused[i]);
        unused[i] = 0;
    }
    state->left -= (uint32_t)count;
    return count;
}

/* First what is left of an earlier block, then whole blocks, then the beginning of one more. */
static inline void ctr_stream(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                              size_t length)
{
    size_t done = use_keystream(state, in, out, length);
    size_t blocks = (length - done) / CMK_AES_BLOCK_SIZE;
    if (blocks != 0) {
        variant_ctr_blocks(key, state->counter, in + done, out + done, blocks);
        done += blocks * CMK_AES_BLOCK_SIZE;
    }
    if (done != length) {
        /* keystream is zero here: encrypting it in place gives the keystream */
        variant_ctr_blocks(key, state->counter, state->keystream, state->keystream, 1);
        state->left = CMK_AES_BLOCK_SIZE;
        (void)use_keystream(state, in + done, out + done, length - done);
    }
}

static inline cmk_status aes_ctr(cmk_aes_ctr_state *state, const cmk_aes_key *key, const uint8_t *in, uint8_t *out,
                                 size_t length)
{
    cmk_status status = state == NULL ? CMK_ERROR_NULL : check_data(key, in, out, length);
    if (status == CMK_OK && state->left >= CMK_AES_BLOCK_SIZE) {
        status = CMK_ERROR_STATE;
    }
    if (status == CMK_OK && length != 0) {
        ctr_stream(state, key, in, out, length);
    }
    return status;
}

#endif
