/* compare [--without-instructions] [GROUP...]: calls wolfSSL's public API and prints one line for each group of cases.
 *
 * Built once with the kernels and once without, the lines must be the same. Lengths and edges are those of wide
 * loops: around every number of blocks in flight, counters that wrap in every lane, short tags, in place, unaligned.
 * Groups' names print each of their cases. --without-instructions takes the CPU's cryptographic instructions away,
 * where this wolfSSL knows them. */
#include "compare.h"
#include "report.h"

#include <string.h>

#include <wolfssl/wolfcrypt/cpuid.h>

int main(int count, char **arguments)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--without-instructions") == 0) {
#ifdef HAVE_CPUID
            cpuid_select_flags(0);
#endif
        } else {
            report_only(arguments[i]);
        }
    }
    compare_aes();
    compare_gcm();
    compare_hashes();
    compare_chacha();
    return 0;
}
