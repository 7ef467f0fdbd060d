/* The sizes that the library's own code sees. */
#include <cmk/aes.h>
#include <cmk/sha256.h>
#include <cmk_cpu.h>

extern const int inside[4];
const int inside[4] = {sizeof(cmk_aes_key), sizeof(cmk_aes_ctr_state), sizeof(cmk_sha256_context),
                       sizeof(cmk_cpu_decision)};
