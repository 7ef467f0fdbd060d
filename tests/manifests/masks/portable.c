#include "masks.h"

static uint8_t twice(uint8_t value)
{
    return (uint8_t)((value << 1) ^ ((value >> 7) * 0x1b));
}

static uint8_t times(uint8_t value, int factor)
{
    uint8_t result = 0;
    for (; factor != 0; factor >>= 1) {
        if (factor & 1)
            result ^= value;
        value = twice(value);
    }
    return result;
}

void masks_imc_portable(uint8_t block[16])
{
    for (int column = 0; column < 4; column++) {
        uint8_t *s = block + 4 * column;
        uint8_t old[4] = {s[0], s[1], s[2], s[3]};
        for (int row = 0; row < 4; row++)
            s[row] = (uint8_t)(times(old[row], 14) ^ times(old[(row + 1) % 4], 11) ^ times(old[(row + 2) % 4], 13) ^
                               times(old[(row + 3) % 4], 9));
    }
}

void masks_clmul_portable(uint64_t out[2], uint64_t a, uint64_t b)
{
    out[0] = out[1] = 0;
    for (int bit = 0; bit < 64; bit++) {
        if ((b >> bit) & 1) {
            out[0] ^= a << bit;
            out[1] ^= bit == 0 ? 0 : a >> (64 - bit);
        }
    }
}

void masks_fold_portable(uint8_t block[16], const uint8_t a[16], const uint8_t b[16])
{
    for (int i = 0; i < 16; i++)
        block[i] ^= (uint8_t)(a[i] ^ b[i]);
}
