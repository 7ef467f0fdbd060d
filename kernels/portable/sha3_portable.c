/* SPDX-License-Identifier: MIT */
/* SHA-3 and SHAKE in plain C. */
#include "keccak_core.h"

#include "sha3_frontend.h"

cmk_status cmk_sha3_update_portable(cmk_sha3_context *context, const uint8_t *data, size_t length)
{
    return sha3_update(context, data, length);
}

cmk_status cmk_sha3_final_portable(cmk_sha3_context *context, uint8_t *digest, size_t length)
{
    return sha3_final(context, digest, length);
}

cmk_status cmk_shake_squeeze_portable(cmk_sha3_context *context, uint8_t *out, size_t length)
{
    return shake_squeeze(context, out, length);
}
