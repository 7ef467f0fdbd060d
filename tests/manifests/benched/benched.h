#ifndef BENCHED_H
#define BENCHED_H

#include <stddef.h>
#include <stdint.h>

/* The sum of `size` bytes, a multiple of 16. */
uint32_t benched_sum_arm64(const uint8_t *bytes, size_t size);
uint32_t benched_sum_portable(const uint8_t *bytes, size_t size);

/* Turns the bits of `size` bytes, a multiple of 16, into their opposite. */
void benched_turn_arm64(uint8_t *bytes, size_t size);
void benched_turn_portable(uint8_t *bytes, size_t size);

#endif
