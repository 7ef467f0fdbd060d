/* SPDX-License-Identifier: MIT */
/* What wolfSSL's names for AES have in common, with the instructions and without. Both keep the same round keys in
 * aes->key: wolfSSL sets a key by one and goes on with the other where the CPU has AES but no PMULL.
 *
 * A source includes this file after the cores of its variant. */
#ifndef WOLFSSL_KERNELS_AES_PIECES_H
#define WOLFSSL_KERNELS_AES_PIECES_H

#include "../../../kernels/portable/aes_key_frontend.h"
#include "../../../kernels/portable/aes_xts_frontend.h"

/* From the round keys of FIPS 197 section 5.2 to those of section 5.3.5, in place. */
static inline void invert_key(uint8_t *schedule, unsigned rounds)
{
    uint8_t copy[CMK_AES_SCHEDULE_SIZE];
    const size_t size = CMK_AES_BLOCK_SIZE * ((size_t)rounds + 1);
    memcpy(copy, schedule, size);
    expand_decrypt(schedule, copy, rounds);
    wipe(copy, size);
}

static inline void xts_encrypt_message(const uint8_t *schedule, const uint8_t *tweak_schedule, unsigned rounds,
                                       const uint8_t *i, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t tweak[CMK_AES_BLOCK_SIZE];
    variant_encrypt_blocks(tweak_schedule, rounds, i, tweak, 1);
    xts_encrypt_unit(schedule, rounds, tweak, in, out, length);
    wipe(tweak, sizeof tweak);
}

static inline void xts_decrypt_message(const uint8_t *schedule, const uint8_t *tweak_schedule, unsigned rounds,
                                       const uint8_t *i, const uint8_t *in, uint8_t *out, size_t length)
{
    uint8_t tweak[CMK_AES_BLOCK_SIZE];
    variant_encrypt_blocks(tweak_schedule, rounds, i, tweak, 1);
    xts_decrypt_unit(schedule, rounds, tweak, in, out, length);
    wipe(tweak, sizeof tweak);
}

#endif
