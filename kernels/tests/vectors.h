/* SPDX-License-Identifier: MIT */
/* A line of what the program `vectors` reads. */
#ifndef CMK_TESTS_VECTORS_H
#define CMK_TESTS_VECTORS_H

#include "variants.h"

#define VECTOR_DATA_SIZE ((size_t)1 << 16)
#define VECTOR_MAX_SPLITS 128
#define VECTOR_PLACES 64

enum {
    ECB_ENCRYPT,
    ECB_DECRYPT,
    CTR,
    SHA256,
    CHACHA20,
    POLY1305,
    CHACHA20_POLY1305,
    CHACHA20_POLY1305_OPEN,
    ALGORITHMS
};

typedef struct vector_data {
    uint8_t bytes[VECTOR_DATA_SIZE];
    size_t length;
} vector_data;

/* `got` is for what the variant makes of `in`: as many bytes as `out` has. `from` and `to` are below VECTOR_PLACES. */
typedef struct known_vector {
    unsigned algorithm;
    vector_data key, iv, in, out, got;
    size_t splits[VECTOR_MAX_SPLITS];
    size_t split_count;
    size_t from, to;
    int in_place;
} known_vector;

/* Those of vectors_chacha20.c; the others answer for them only. */
int is_chacha20_vector(const known_vector *vector);
int chacha20_vector_is_well_formed(const known_vector *vector);
int has_chacha20_vector(const known_vector *vector, const char *variant);

/* Fills in `got`. A refusal that is expected is CMK_OK. */
cmk_status run_chacha20_vector(known_vector *vector, const char *variant);

#endif
