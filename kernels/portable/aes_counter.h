/* SPDX-License-Identifier: MIT */
/* The counter of CTR: 128 bits, big endian in memory. */
#ifndef CMK_PORTABLE_AES_COUNTER_H
#define CMK_PORTABLE_AES_COUNTER_H

#include "bytes.h"

typedef struct counter128 {
    uint64_t high;
    uint64_t low;
} counter128;

static inline counter128 counter_load(const uint8_t *bytes)
{
    counter128 counter = {load64_be(bytes), load64_be(bytes + 8)};
    return counter;
}

static inline void counter_store(uint8_t *bytes, counter128 counter)
{
    store64_be(bytes, counter.high);
    store64_be(bytes + 8, counter.low);
}

static inline counter128 counter_add(counter128 counter, uint64_t amount)
{
    counter.low += amount;
    counter.high += counter.low < amount;
    return counter;
}

#endif
