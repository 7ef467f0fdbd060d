/* SPDX-License-Identifier: MIT */
#include "loads.h"

void loads_sum_portable(unsigned char to[16], const unsigned char from[64])
{
    for (int i = 0; i < 16; i++) {
        to[i] = (unsigned char)(from[i] + from[16 + i] + from[32 + i] + from[48 + i]);
    }
}
