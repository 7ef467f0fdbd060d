#include "policies.h"
#include "policies_kernels_config.h"

#if POL_BUILD_AVX2_X86
void pol_digest_avx2(const char **variant)
{
    *variant = "avx2";
}
#else
typedef int pol_nothing_for_this_architecture;
#endif
