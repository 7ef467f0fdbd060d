#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_SHA512_ARM64
void pol_digest_sha512(const char **variant)
{
    *variant = "sha512";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
