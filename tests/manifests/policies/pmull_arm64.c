#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_PMULL_ARM64
const char *pol_ghash_arm64(int unused)
{
    (void)unused;
    return "arm64";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
