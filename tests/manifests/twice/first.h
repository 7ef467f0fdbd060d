/* SPDX-License-Identifier: MIT */
#ifndef FIRST_H
#define FIRST_H

/* One round of AES on `state` under `key`: FIPS 197 section 5.1. */
void alpha_round(unsigned char state[16], const unsigned char key[16]);

/* What it chooses from; call them only where the CPU has the instructions. */
void alpha_round_arm64(unsigned char state[16], const unsigned char key[16]);
void alpha_round_x86(unsigned char state[16], const unsigned char key[16]);
void alpha_round_portable(unsigned char state[16], const unsigned char key[16]);

#endif
