/* SPDX-License-Identifier: MIT */
/* FIPS 202 in its own words: the step mappings of section 3.2, with rotations and round constants computed as it
 * defines them, and the sponge of section 4 on whole bytes. */
#include <string.h>

#include "model.h"

static uint64_t rotl(uint64_t lane, unsigned bits)
{
    return bits % 64 == 0 ? lane : lane << bits % 64 | lane >> (64 - bits % 64);
}

static void theta(uint64_t a[5][5])
{
    uint64_t c[5];
    for (int x = 0; x < 5; x++) {
        c[x] = a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
    }
    for (int x = 0; x < 5; x++) {
        for (int y = 0; y < 5; y++) {
            a[x][y] ^= c[(x + 4) % 5] ^ rotl(c[(x + 1) % 5], 1);
        }
    }
}

static void rho(uint64_t a[5][5])
{
    unsigned x = 1, y = 0;
    for (unsigned t = 0; t < 24; t++) {
        unsigned next = (2 * x + 3 * y) % 5;
        a[x][y] = rotl(a[x][y], (t + 1) * (t + 2) / 2);
        x = y;
        y = next;
    }
}

static void pi_and_chi(uint64_t a[5][5])
{
    uint64_t b[5][5];
    for (int x = 0; x < 5; x++) {
        for (int y = 0; y < 5; y++) {
            b[x][y] = a[(x + 3 * y) % 5][x];
        }
    }
    for (int x = 0; x < 5; x++) {
        for (int y = 0; y < 5; y++) {
            a[x][y] = b[x][y] ^ (~b[(x + 1) % 5][y] & b[(x + 2) % 5][y]);
        }
    }
}

/* The constants of section 3.2.5. */
static uint64_t constants[24];

/* By algorithm 5, whose R is here a number with R[0] as its lowest bit: rc(t) for one t after the other. */
static void make_constants(void)
{
    unsigned r = 1;
    if (constants[23] != 0) {
        return;
    }
    for (unsigned t = 0; t < 7 * 24; t++) {
        constants[t / 7] |= (uint64_t)(r & 1) << ((1u << t % 7) - 1);
        r = (r << 1) ^ ((r & 0x80) != 0 ? 0x171 : 0);
    }
}

static void permute(uint8_t *state)
{
    uint64_t a[5][5];
    for (unsigned i = 0; i < 25; i++) {
        a[i % 5][i / 5] = 0;
        for (unsigned byte = 8; byte-- != 0;) {
            a[i % 5][i / 5] = a[i % 5][i / 5] << 8 | state[8 * i + byte];
        }
    }
    for (unsigned round = 0; round < 24; round++) {
        theta(a);
        rho(a);
        pi_and_chi(a);
        a[0][0] ^= constants[round];
    }
    for (unsigned i = 0; i < 200; i++) {
        state[i] = (uint8_t)(a[i / 8 % 5][i / 40] >> 8 * (i % 8));
    }
}

void model_keccak(unsigned rate, unsigned suffix, const uint8_t *data, size_t length, uint8_t *out, size_t out_length)
{
    uint8_t state[200] = {0};
    unsigned at = 0;
    make_constants();
    for (size_t i = 0; i < length; i++) {
        state[at++] ^= data[i];
        if (at == rate) {
            permute(state);
            at = 0;
        }
    }
    state[at] ^= (uint8_t)suffix;
    state[rate - 1] ^= 0x80;
    permute(state);
    at = 0;
    for (size_t i = 0; i < out_length; i++) {
        if (at == rate) {
            permute(state);
            at = 0;
        }
        out[i] = state[at++];
    }
}
