/* SPDX-License-Identifier: MIT */
/* Key expansion, the same for all variants and modes.
 *
 * A source includes a core that defines the functions declared first, then this. */
#ifndef CMK_PORTABLE_AES_KEY_FRONTEND_H
#define CMK_PORTABLE_AES_KEY_FRONTEND_H

#include "aes_words.h"
#include "bytes.h"
#include "cmk/aes.h"

/* The S-box on each byte of a word. */
static uint32_t variant_sub_word(uint32_t word);
/* InvMixColumns on a block. */
static void variant_inverse_mix_columns(const uint8_t *in, uint8_t *out);

/* ---- key schedule (FIPS 197 sections 5.2 and 5.3.5), on words whose lowest byte comes first ----------- */

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

/* ---- whole keys ----------------------------------------------------------------------------------------- */

static inline cmk_status check_key(const void *key, const uint8_t *bytes, size_t length)
{
    if (key == NULL || bytes == NULL) {
        return CMK_ERROR_NULL;
    }
    return length == 16 || length == 24 || length == 32 ? CMK_OK : CMK_ERROR_LENGTH;
}

static inline uint32_t rounds_of(size_t length)
{
    return (uint32_t)(length / 4 + 6);
}

static inline cmk_status aes_set_key(cmk_aes_key *key, const uint8_t *bytes, size_t length)
{
    cmk_status status = check_key(key, bytes, length);
    if (status == CMK_OK) {
        memset(key, 0, sizeof *key);
        key->rounds = rounds_of(length);
        expand_encrypt(key->encrypt, bytes, length);
        expand_decrypt(key->decrypt, key->encrypt, key->rounds);
    }
    return status;
}

#endif
