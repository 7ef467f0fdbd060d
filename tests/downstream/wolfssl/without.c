/* Linked into wolfSSL's own test: takes the CPU's cryptographic instructions away before anything runs. */
#include <wolfssl/options.h>

#include <wolfssl/wolfcrypt/cpuid.h>

__attribute__((constructor)) static void without_instructions(void)
{
    cpuid_select_flags(0);
}
