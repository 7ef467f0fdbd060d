#include "benched.h"

/* What a compiler cannot see through: else it would make vectors of it. */
static uint8_t byte_at(const volatile uint8_t *place) { return *place; }

uint32_t benched_sum_portable(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t at = 0; at < size; at++) {
        sum += byte_at(bytes + at);
    }
    return sum;
}

void benched_turn_portable(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        bytes[at] = (uint8_t)(byte_at(bytes + at) ^ 0xff);
    }
}
