/* SPDX-License-Identifier: MIT */
/* What AES functions ask of their arguments before they do anything. */
#ifndef CMK_PORTABLE_AES_CHECKS_H
#define CMK_PORTABLE_AES_CHECKS_H

#include "cmk/aes.h"

static inline cmk_status check_buffers(const uint8_t *in, const uint8_t *out, size_t length)
{
    return length != 0 && (in == NULL || out == NULL) ? CMK_ERROR_NULL : CMK_OK;
}

static inline cmk_status check_rounds(uint32_t rounds)
{
    return rounds == 10 || rounds == 12 || rounds == 14 ? CMK_OK : CMK_ERROR_KEY;
}

static inline cmk_status check_data(const cmk_aes_key *key, const uint8_t *in, const uint8_t *out, size_t length)
{
    cmk_status status = key == NULL ? CMK_ERROR_NULL : check_buffers(in, out, length);
    return status == CMK_OK ? check_rounds(key->rounds) : status;
}

static inline cmk_status check_blocks(const cmk_aes_key *key, const uint8_t *in, const uint8_t *out, size_t length)
{
    cmk_status status = check_data(key, in, out, length);
    if (status == CMK_OK && length % CMK_AES_BLOCK_SIZE != 0) {
        status = CMK_ERROR_LENGTH;
    }
    return status;
}

#endif
