/* SPDX-License-Identifier: MIT */
/* Messages under GCM, with the tag of every length that they can be cut to. */
#ifndef CMK_TESTS_GCM_MESSAGES_H
#define CMK_TESTS_GCM_MESSAGES_H

#include "variants.h"

#define GCM_LONGEST 672 /* 42 blocks */
#define GCM_AAD_LONGEST 304

/* A key, an IV, additional data and a message. Cut to any length, the ciphertext is the beginning of `encrypted`. */
typedef struct gcm_message {
    uint8_t bytes[32];
    size_t key_length;
    uint8_t iv[160];
    size_t iv_length;
    uint8_t aad[GCM_AAD_LONGEST];
    size_t aad_length;
    cmk_aes_gcm_key key;
    uint8_t plain[GCM_LONGEST];
    uint8_t encrypted[GCM_LONGEST];
    uint8_t h[16];
    uint8_t mask[16];                         /* what is added to a hash to make the tag */
    uint8_t hashes[GCM_LONGEST / 16 + 1][16]; /* after the additional data and so many blocks */
} gcm_message;

/* Sets the key by the variant and everything else by the model, with IV and additional data cut to the given lengths.
 * One vector of the current check: the portable variant agrees with the model. */
void gcm_make(const gcm_variant *variant, gcm_message *m, size_t key_length, size_t iv_length, size_t aad_length,
              uint32_t seed);

/* The same with the IV, of 16 bytes, that gives `counter` (SP 800-38D: J0). */
void gcm_make_counter(const gcm_variant *variant, gcm_message *m, const uint8_t *counter, uint32_t seed);

/* The tag, 16 bytes, of the first `length` bytes. */
void gcm_message_tag(const gcm_message *m, size_t length, uint8_t *tag);

#endif
