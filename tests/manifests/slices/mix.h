/* SPDX-License-Identifier: MIT */
#ifndef MIX_H
#define MIX_H

void slices_mix_arm64(unsigned char state[16], const unsigned char key[16]);
void slices_mix_x86(unsigned char state[16], const unsigned char key[16]);

#endif
