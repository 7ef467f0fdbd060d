/* SPDX-License-Identifier: MIT */
/* The state of ChaCha20 before its rounds: RFC 8439 section 2.3. */
#ifndef CMK_PORTABLE_CHACHA20_WORDS_H
#define CMK_PORTABLE_CHACHA20_WORDS_H

#include "bytes.h"
#include "cmk/chacha20.h"

/* "expand 32-byte k" */
static const uint32_t chacha20_constants[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};

static inline void chacha20_fill(uint32_t words[16], const uint8_t *key, const uint8_t *nonce, uint32_t counter)
{
    memcpy(words, chacha20_constants, sizeof chacha20_constants);
    for (unsigned i = 0; i < 8; i++) {
        words[4 + i] = load32_le(key + 4 * i);
    }
    words[12] = counter;
    for (unsigned i = 0; i < 3; i++) {
        words[13 + i] = load32_le(nonce + 4 * i);
    }
}

#endif
