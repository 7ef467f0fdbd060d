/* SPDX-License-Identifier: MIT */
/* What the library holds besides kernels. */
int slices_base(int value);

int slices_base(int value)
{
    return value + 1;
}
