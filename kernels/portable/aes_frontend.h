/* SPDX-License-Identifier: MIT */
/* ECB and CTR, the same for all variants: argument checks, leftover keystream.
 *
 * A variant's source includes the cores that define the functions declared first, then this, and wraps the
 * `aes_*` functions under its own external names. The calls are direct: they can be inlined, and a disassembly
 * shows which variant is reached.
 *
 * All cores take expanded keys as FIPS 197 gives them, `rounds` + 1 times 16 bytes in the order of use, with
 * `rounds` 10, 12 or 14. `out` may be `in`. They check nothing. */
#ifndef CMK_PORTABLE_AES_FRONTEND_H
#define CMK_PORTABLE_AES_FRONTEND_H

#include "aes_checks.h"

/* aes_core.h: ECB on whole blocks; at least one. */
static void variant_encrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
static void variant_decrypt_blocks(const uint8_t *schedule, unsigned rounds, const uint8_t *in, uint8_t *out,
                                   size_t blocks);
/* aes_ctr_core.h: CTR on whole blocks, at least one, with a counter of 128 bits; leaves in `counter` that of the
 * block after the last. */
static void variant_ctr_blocks(const uint8_t *schedule, unsigned rounds, uint8_t *counter, const uint8_t *in,
                               uint8_t *out, size_t blocks);

/* ---- ECB ---------------------------------------------------------------------------------------------- */

static inline cmk_status aes_ecb_encrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    cmk_status status = check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_encrypt_blocks(key->encrypt, key->rounds, in, out, length / CMK_AES_BLOCK_SIZE);
    }
    return status;
}

static inline cmk_status aes_ecb_decrypt(const cmk_aes_key *key, const uint8_t *in, uint8_t *out, size_t length)
{
    cmk_status status = check_blocks(key, in, out, length);
    if (status == CMK_OK && length != 0) {
        variant_decrypt_blocks(key->decrypt, key->rounds, in, out, length / CMK_AES_BLOCK_SIZE);
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
        variant_ctr_blocks(key->encrypt, key->rounds, state->counter, in + done, out + done, blocks);
        done += blocks * CMK_AES_BLOCK_SIZE;
    }
    if (done != length) {
        /* keystream is zero here: encrypting it in place gives the keystream */
        variant_ctr_blocks(key->encrypt, key->rounds, state->counter, state->keystream, state->keystream, 1);
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
