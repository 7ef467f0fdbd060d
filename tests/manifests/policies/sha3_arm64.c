#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_SHA3_ARM64
const char *pol_sha3_arm64(void)
{
    return "arm64";
}

const char *pol_sha3_blocks_arm64(const unsigned char *from, size_t count)
{
    (void)from;
    (void)count;
    return "arm64";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
