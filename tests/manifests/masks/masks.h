#ifndef MASKS_H
#define MASKS_H
#include <stdint.h>

/* The inverse MixColumns of FIPS 197 section 5.3.3 on a block, in place. */
void masks_imc(uint8_t block[16]);
void masks_imc_arm64(uint8_t block[16]);
void masks_imc_portable(uint8_t block[16]);

/* The product of two polynomials over GF(2): out[0] the low word, out[1] the high one. */
void masks_clmul(uint64_t out[2], uint64_t a, uint64_t b);
void masks_clmul_arm64(uint64_t out[2], uint64_t a, uint64_t b);
void masks_clmul_portable(uint64_t out[2], uint64_t a, uint64_t b);

/* The exclusive or of three blocks, in place. */
void masks_fold(uint8_t block[16], const uint8_t a[16], const uint8_t b[16]);
void masks_fold_arm64(uint8_t block[16], const uint8_t a[16], const uint8_t b[16]);
void masks_fold_portable(uint8_t block[16], const uint8_t a[16], const uint8_t b[16]);

#endif
