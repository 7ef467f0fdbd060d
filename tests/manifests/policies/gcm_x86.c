#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_GCM_X86
const char *pol_ghash_x86(int unused)
{
    (void)unused;
    return "x86";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
