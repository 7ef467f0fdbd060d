/* SPDX-License-Identifier: MIT */
/* Where the constants of SHA-2 come from (FIPS 180-4 sections 4.2 and 5.3): fractions of roots of the first primes. */
#include <string.h>

#include "model.h"

#define DIGITS 12 /* of 32 bits: more than the cube of a root has */

unsigned model_prime(unsigned index)
{
    for (unsigned number = 2;; number++) {
        unsigned divisor = 2;
        while (number % divisor != 0) {
            divisor++;
        }
        if (divisor == number && index-- == 0) {
            return number;
        }
    }
}

/* Whether root^power <= prime 2^(64 power), for a root of three digits, below 2^68, and power 2 or 3. */
static int at_most(const uint32_t root[3], unsigned power, unsigned prime)
{
    uint32_t value[DIGITS] = {1};
    for (unsigned times = 0; times < power; times++) {
        uint32_t product[DIGITS] = {0};
        for (unsigned i = 0; i + 3 < DIGITS; i++) {
            uint64_t carry = 0;
            for (unsigned j = 0; j < 3; j++) {
                carry += (uint64_t)value[i] * root[j] + product[i + j];
                product[i + j] = (uint32_t)carry;
                carry >>= 32;
            }
            product[i + 3] += (uint32_t)carry;
        }
        memcpy(value, product, sizeof value);
    }
    return value[2 * power] < prime;
}

uint64_t model_root_fraction(unsigned power, unsigned prime)
{
    uint32_t root[3] = {0, 0, 0};
    for (unsigned bit = 68; bit-- != 0;) {
        root[bit / 32] |= (uint32_t)1 << bit % 32;
        if (!at_most(root, power, prime)) {
            root[bit / 32] &= ~((uint32_t)1 << bit % 32);
        }
    }
    return (uint64_t)root[1] << 32 | root[0];
}
