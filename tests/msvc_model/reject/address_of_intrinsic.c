/* refused: use of undeclared identifier 'vaeseq_u8' */
#include <arm64_neon.h>

uint8x16_t (*f)(uint8x16_t, uint8x16_t) = vaeseq_u8;
