/* SPDX-License-Identifier: MIT */
/* Beginning and wiping of SHA-512 and SHA-384 contexts, the same for all variants. */
#include "bytes.h"
#include "cmk/sha512.h"

/* FIPS 180-4 sections 5.3.5 and 5.3.4. */
static const uint64_t initial_512[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
static const uint64_t initial_384[8] = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
};

static cmk_status begin(cmk_sha512_context *context, const uint64_t initial[8])
{
    if (context == NULL) {
        return CMK_ERROR_NULL;
    }
    memset(context, 0, sizeof *context);
    memcpy(context->state, initial, sizeof context->state);
    return CMK_OK;
}

cmk_status cmk_sha512_init(cmk_sha512_context *context)
{
    return begin(context, initial_512);
}

cmk_status cmk_sha384_init(cmk_sha512_context *context)
{
    return begin(context, initial_384);
}

void cmk_sha512_wipe(cmk_sha512_context *context)
{
    if (context != NULL) {
        wipe(context, sizeof *context);
    }
}
