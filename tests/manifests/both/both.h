/* SPDX-License-Identifier: MIT */
#ifndef BOTH_H
#define BOTH_H

/* One round of AES (FIPS 197 section 5.1) on `state` under `key`, plus the product over GF(2) of the low
 * halves of both, as little-endian numbers. `out` may be one of the two. */
void both_mix(const unsigned char state[16], const unsigned char key[16], unsigned char out[16]);

/* What it chooses from; the first needs AES and PCLMULQDQ. */
void both_mix_x86(const unsigned char state[16], const unsigned char key[16], unsigned char out[16]);
void both_mix_portable(const unsigned char state[16], const unsigned char key[16], unsigned char out[16]);

#endif
