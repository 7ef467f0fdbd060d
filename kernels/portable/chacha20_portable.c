/* SPDX-License-Identifier: MIT */
/* ChaCha20 in plain C. Words of the state have no place in memory that could be wiped: where there are not enough
 * registers for them, the compiler leaves some on the dead stack. */
#include "chacha20_core.h"
#include "chacha20_frontend.h"

static void variant_chacha20(uint32_t words[16], const uint8_t *in, uint8_t *out, size_t length)
{
    chacha20_plain(words, in, out, length);
}

cmk_status cmk_chacha20_portable(cmk_chacha20_state *state, const uint8_t *in, uint8_t *out, size_t length)
{
    return chacha20(state, in, out, length);
}
