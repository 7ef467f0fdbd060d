#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_AES_ARM64
const char *pol_first_arm64(void)
{
    return "arm64";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
