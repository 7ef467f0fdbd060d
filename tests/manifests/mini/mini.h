#ifndef MINI_H
#define MINI_H
#include <stdint.h>

/* The inverse MixColumns of FIPS 197 section 5.3.3 on a block, in place. */
void mini_imc(uint8_t block[16]);
void mini_imc_x86(uint8_t block[16]);
void mini_imc_portable(uint8_t block[16]);

/* The product of two polynomials over GF(2): out[0] the low word, out[1] the high one. */
void mini_clmul(uint64_t out[2], uint64_t a, uint64_t b);
void mini_clmul_x86(uint64_t out[2], uint64_t a, uint64_t b);
void mini_clmul_portable(uint64_t out[2], uint64_t a, uint64_t b);

#endif
