/* The families of the manifest beside this file, and their variants. Each function says which variant it is. */
#ifndef POLICIES_H
#define POLICIES_H

#include <stddef.h>

const char *pol_ghash(int unused);
const char *pol_ghash_arm64(int unused);
const char *pol_ghash_x86(int unused);
const char *pol_ghash_portable(int unused);

void pol_digest(const char **variant);
void pol_digest_sha512(const char **variant);
void pol_digest_sha2(const char **variant);
void pol_digest_avx2(const char **variant);
void pol_digest_portable(const char **variant);

const char *pol_sha3(void);
const char *pol_sha3_arm64(void);
const char *pol_sha3_portable(void);

const char *pol_sha3_blocks(const unsigned char *from, size_t count);
const char *pol_sha3_blocks_arm64(const unsigned char *from, size_t count);
const char *pol_sha3_blocks_portable(const unsigned char *from, size_t count);

const char *pol_first(void);
const char *pol_first_arm64(void);
const char *pol_first_portable(void);

const char *pol_blocks(void);
const char *pol_blocks_vaes(void);
const char *pol_blocks_portable(void);

#endif
