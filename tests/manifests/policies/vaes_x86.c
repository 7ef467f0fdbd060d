#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_VAES_X86
const char *pol_blocks_vaes(void)
{
    return "vaes";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
