/* SPDX-License-Identifier: MIT */
/* Four kernels of a few lines: little more than the instruction that each is there for. */
#ifndef SEED_H
#define SEED_H

#if defined(_MSC_VER) && !defined(__clang__)
#include <arm64_neon.h>
#else
#include <arm_neon.h>
#endif

void seed_aes_round(unsigned char state[16], const unsigned char key[16]);
void seed_ghash_multiply(unsigned char product[16], const unsigned char left[16], const unsigned char right[16]);
void seed_sha256_rounds(unsigned char state[32], const unsigned char words[16]);
void seed_sha512_rounds(unsigned char state[32], const unsigned char words[16]);

#endif
