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
    CBC_ENCRYPT,
    CBC_DECRYPT,
    CTR,
    XTS_ENCRYPT,
    XTS_DECRYPT,
    GCM_ENCRYPT,
    GCM_DECRYPT,
    GCM_REFUSE,
    SHA224,
    SHA256,
    SHA384,
    SHA512,
    SHA3_224,
    SHA3_256,
    SHA3_384,
    SHA3_512,
    SHAKE128,
    SHAKE256,
    CHACHA20,
    POLY1305,
    CHACHA20_POLY1305,
    CHACHA20_POLY1305_OPEN,
    ALGORITHMS
};

typedef struct vector_data {
    uint8_t bytes[VECTOR_DATA_SIZE + 16]; /* room for a tag */
    size_t length;
} vector_data;

/* `from` is a copy of `in` where it is to be, `to` where the output goes; both may be the same. `got` is for what is
 * held against `out`. `aad` and `tag` are those of GCM, else empty. */
typedef struct known_vector {
    unsigned algorithm;
    vector_data key, iv, in, out, aad, tag, got;
    size_t splits[VECTOR_MAX_SPLITS];
    size_t split_count;
    uint8_t *from, *to;
} known_vector;

/* The length of call number `call` of one more than there are splits, `done` bytes after the beginning. */
size_t vector_part(const known_vector *vector, size_t call, size_t done);

/* Of each kind: whether a vector is one of it, and for those whether it is well formed and whether there is such a
 * variant. The last one fills in `got`; a refusal that is expected is CMK_OK. */

int is_aes_vector(const known_vector *vector);
int is_gcm_vector(const known_vector *vector); /* one of AES */
int aes_vector_is_well_formed(const known_vector *vector);
int has_aes_vector(const known_vector *vector, const char *variant);
cmk_status run_aes_vector(known_vector *vector, const char *variant);

int is_hash_vector(const known_vector *vector);
int is_shake_vector(const known_vector *vector); /* one of hashes */
int hash_vector_is_well_formed(const known_vector *vector);
int has_hash_vector(const known_vector *vector, const char *variant);
cmk_status run_hash_vector(known_vector *vector, const char *variant);

int is_chacha20_vector(const known_vector *vector);
int chacha20_vector_is_well_formed(const known_vector *vector);
int has_chacha20_vector(const known_vector *vector, const char *variant);
cmk_status run_chacha20_vector(known_vector *vector, const char *variant);

#endif
