#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_SHA2_ARM64
void pol_digest_sha2(const char **variant)
{
    *variant = "sha2";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
