/* SPDX-License-Identifier: MIT */
/* The names for AES with the instructions and without, which do the same. */
#include "tests.h"

#if ANY_KERNEL

#include <string.h>

#define BLOCK 16
#define SCHEDULE 240
#define LONGEST 400

/* Both families under the prototypes of the one with the instructions. */
typedef struct aes_names {
    void (*set_key)(const byte *user_key, int length, byte *key, int dir);
    void (*ecb_encrypt)(const byte *in, byte *out, word32 sz, byte *key, int nr);
    void (*ecb_decrypt)(const byte *in, byte *out, word32 sz, byte *key, int nr);
    void (*cbc_encrypt)(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr);
    void (*cbc_decrypt)(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr);
    void (*xts_encrypt)(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr);
    void (*xts_decrypt)(const byte *in, byte *out, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp, int nr);
} aes_names;

static const size_t key_lengths[] = {16, 24, 32};
static uint8_t user_key[64], data[LONGEST];
static uint8_t space[LONGEST + 2 * CANARY_SIZE];
static uint8_t *const out = space + CANARY_SIZE;

static int rounds_for(size_t key_length)
{
    return (int)key_length / 4 + 6;
}

static void prepare(void)
{
    fill(user_key, sizeof user_key, 1);
    fill(data, sizeof data, 2);
}

/* ---- keys -------------------------------------------------------------------------------------------------- */

/* The round keys, and nothing after them. */
static void check_keys(const aes_names *names)
{
    tap_begin("aes/keys");
    for (size_t k = 0; k < 3; k++) {
        uint8_t want[2][SCHEDULE];
        const size_t used = BLOCK * (model_aes_key(want[0], want[1], user_key, key_lengths[k]) + 1);
        for (int dir = 0; dir < 2; dir++) {
            canary_set(out, used);
            names->set_key(user_key, (int)key_lengths[k], out, dir);
            canary_check(out, want[dir], used, "direction", (size_t)dir);
        }
    }
    tap_end();
}

/* ---- ECB and CBC ------------------------------------------------------------------------------------------- */

typedef void blocks_function(const byte *in, byte *out, word32 sz, byte *key, int nr);
typedef void model_function(const uint8_t *key, size_t key_length, const uint8_t *in, uint8_t *out, size_t length);

/* Any number of blocks, every second time in place. */
static void check_ecb(const aes_names *names, blocks_function *crypt, model_function *model, int dir)
{
    for (size_t size = 0; size <= 20 * BLOCK; size += BLOCK) {
        const size_t key_length = key_lengths[size / BLOCK % 3];
        const int in_place = size / BLOCK % 2 != 0;
        uint8_t key[SCHEDULE], want[LONGEST];
        names->set_key(user_key, (int)key_length, key, dir);
        model(user_key, key_length, data, want, size);
        canary_set(out, size);
        if (in_place) {
            memcpy(out, data, size);
        }
        crypt(in_place ? out : data, out, (word32)size, key, rounds_for(key_length));
        canary_check(out, want, size, "size", size);
    }
}

typedef void cbc_function(const byte *in, byte *out, word32 sz, byte *reg, byte *key, int nr);
typedef void cbc_model(const uint8_t *key, size_t key_length, const uint8_t *iv, const uint8_t *in, uint8_t *out,
                       size_t length);

/* In two calls: the second goes on from what the first left. */
static void check_cbc(const aes_names *names, cbc_function *crypt, cbc_model *model, int dir)
{
    for (size_t size = 0; size <= 20 * BLOCK; size += BLOCK) {
        const size_t key_length = key_lengths[size / BLOCK % 3], first = size / 3 / BLOCK * BLOCK;
        const int in_place = size / BLOCK % 2 != 0, nr = rounds_for(key_length);
        uint8_t key[SCHEDULE], want[LONGEST], iv[BLOCK], reg[BLOCK];
        fill(iv, sizeof iv, (uint32_t)size);
        memcpy(reg, iv, sizeof reg);
        names->set_key(user_key, (int)key_length, key, dir);
        model(user_key, key_length, iv, data, want, size);
        canary_set(out, size);
        if (in_place) {
            memcpy(out, data, size);
        }
        crypt(in_place ? out : data, out, (word32)first, reg, key, nr);
        crypt((in_place ? out : data) + first, out + first, (word32)(size - first), reg, key, nr);
        canary_check(out, want, size, "size", size);
        if (size != 0) {
            tap_equal(reg, (dir == 0 ? want : data) + size - BLOCK, BLOCK, "the chaining block, size", size);
        } else {
            tap_equal(reg, iv, BLOCK, "the chaining block of nothing", 0);
        }
    }
}

static void check_modes(const aes_names *names)
{
    tap_begin("aes/ecb");
    check_ecb(names, names->ecb_encrypt, model_aes_ecb_encrypt, 0);
    check_ecb(names, names->ecb_decrypt, model_aes_ecb_decrypt, 1);
    tap_end();
    tap_begin("aes/cbc");
    check_cbc(names, names->cbc_encrypt, model_aes_cbc_encrypt, 0);
    check_cbc(names, names->cbc_decrypt, model_aes_cbc_decrypt, 1);
    tap_end();
}

/* ---- XTS --------------------------------------------------------------------------------------------------- */

static void check_xts(const aes_names *names)
{
    tap_begin("aes/xts");
    for (size_t size = BLOCK; size <= 180; size++) {
        const size_t key_length = size % 2 == 0 ? 16 : 32;
        const int in_place = size / 2 % 2 != 0, nr = rounds_for(key_length);
        uint8_t encrypt[SCHEDULE], decrypt[SCHEDULE], tweak_key[SCHEDULE], want[LONGEST], tweak[BLOCK], tmp[BLOCK];
        fill(tweak, sizeof tweak, (uint32_t)size);
        names->set_key(user_key, (int)key_length, encrypt, 0);
        names->set_key(user_key, (int)key_length, decrypt, 1);
        names->set_key(user_key + key_length, (int)key_length, tweak_key, 0);
        model_aes_xts_encrypt(user_key, 2 * key_length, tweak, data, want, size);
        canary_set(out, size);
        if (in_place) {
            memcpy(out, data, size);
        }
        names->xts_encrypt(in_place ? out : data, out, (word32)size, tweak, encrypt, tweak_key, tmp, nr);
        canary_check(out, want, size, "encryption, size", size);
        names->xts_decrypt(in_place ? out : want, out, (word32)size, tweak, decrypt, tweak_key, tmp, nr);
        canary_check(out, data, size, "decryption, size", size);
    }
    tap_end();
}

static void test_aes(const aes_names *names)
{
    prepare();
    check_keys(names);
    check_modes(names);
    check_xts(names);
}

/* ---- with the instructions --------------------------------------------------------------------------------- */

static void check_single_blocks(void)
{
    tap_begin("aes/blocks");
    for (size_t k = 0; k < 3; k++) {
        const int nr = rounds_for(key_lengths[k]);
        uint8_t key[SCHEDULE], want[BLOCK], got[BLOCK];
        AES_set_key_AARCH64(user_key, (int)key_lengths[k], key, 0);
        model_aes_ecb_encrypt(user_key, key_lengths[k], data, want, BLOCK);
        AES_encrypt_AARCH64(data, got, key, nr);
        tap_equal(got, want, BLOCK, "encryption, key size", key_lengths[k]);
        AES_set_key_AARCH64(user_key, (int)key_lengths[k], key, 1);
        AES_decrypt_AARCH64(got, got, key, nr);
        tap_equal(got, data, BLOCK, "decryption, key size", key_lengths[k]);
    }
    tap_end();
}

/* Whole blocks and what is left over, with counters that carry through all sixteen bytes after some blocks. */
static void check_ctr(void)
{
    tap_begin("aes/ctr");
    for (size_t size = 0; size <= 180; size++) {
        const size_t key_length = key_lengths[size % 3], tail = size % BLOCK;
        const size_t rounded = (size + BLOCK - 1) / BLOCK * BLOCK;
        const uint8_t zero[LONGEST] = {0};
        uint8_t key[SCHEDULE], want[LONGEST], keystream[LONGEST], counter[BLOCK], reg[BLOCK], tmp[BLOCK] = {1};
        word32 left = 99;
        memset(counter, 0xff, BLOCK);
        counter[15] = (uint8_t)(0xff - size % 13);
        memcpy(reg, counter, BLOCK);
        AES_set_key_AARCH64(user_key, (int)key_length, key, 0);
        model_aes_ctr(user_key, key_length, counter, data, want, size);
        model_aes_ctr(user_key, key_length, counter, zero, keystream, rounded);
        canary_set(out, size);
        AES_CTR_encrypt_AARCH64(data, out, (word32)size, reg, key, tmp, &left, (word32)rounds_for(key_length));
        canary_check(out, want, size, "size", size);
        tap_equal_number(left, tail == 0 ? 99 : (unsigned)(BLOCK - tail), "bytes left, size", size);
        if (tail != 0) {
            tap_equal(tmp, keystream + rounded - BLOCK, BLOCK, "the block of keystream, size", size);
        }
        /* another block, in place, shows where the counter is */
        model_aes_ctr(user_key, key_length, counter, zero, keystream, rounded + BLOCK);
        memset(tmp, 0, BLOCK);
        AES_CTR_encrypt_AARCH64(tmp, tmp, BLOCK, reg, key, want, &left, (word32)rounds_for(key_length));
        tap_equal(tmp, keystream + rounded, BLOCK, "the block after, size", size);
    }
    tap_end();
}

void test_aes_arm64(void)
{
    static const aes_names names = {
        AES_set_key_AARCH64,     AES_encrypt_blocks_AARCH64, AES_decrypt_blocks_AARCH64, AES_CBC_encrypt_AARCH64,
        AES_CBC_decrypt_AARCH64, AES_XTS_encrypt_AARCH64,    AES_XTS_decrypt_AARCH64,
    };
    test_aes(&names);
    check_single_blocks();
    check_ctr();
}

/* ---- without the instructions ------------------------------------------------------------------------------ */

static void portable_set_key(const byte *key, int length, byte *schedule, int dir)
{
    AES_set_encrypt_key(key, (word32)length * 8, schedule);
    if (dir != 0) {
        AES_invert_key(schedule, (word32)rounds_for((size_t)length));
    }
}

/* wolfSSL takes either name; here by size, as it does. */

static void portable_ecb_encrypt(const byte *in, byte *to, word32 sz, byte *key, int nr)
{
    (sz >= 64 ? AES_ECB_encrypt_NEON : AES_ECB_encrypt)(in, to, sz, key, nr);
}

static void portable_ecb_decrypt(const byte *in, byte *to, word32 sz, byte *key, int nr)
{
    (sz >= 64 ? AES_ECB_decrypt_NEON : AES_ECB_decrypt)(in, to, sz, key, nr);
}

static void portable_cbc_encrypt(const byte *in, byte *to, word32 sz, byte *reg, byte *key, int nr)
{
    AES_CBC_encrypt(in, to, sz, key, nr, reg);
}

static void portable_cbc_decrypt(const byte *in, byte *to, word32 sz, byte *reg, byte *key, int nr)
{
    (sz >= 64 ? AES_CBC_decrypt_NEON : AES_CBC_decrypt)(in, to, sz, key, nr, reg);
}

static void portable_xts_encrypt(const byte *in, byte *to, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                                 int nr)
{
    (sz >= 32 ? AES_XTS_encrypt_NEON : AES_XTS_encrypt)(in, to, sz, i, key, key2, tmp, nr);
}

static void portable_xts_decrypt(const byte *in, byte *to, word32 sz, const byte *i, byte *key, byte *key2, byte *tmp,
                                 int nr)
{
    (sz >= 32 ? AES_XTS_decrypt_NEON : AES_XTS_decrypt)(in, to, sz, i, key, key2, tmp, nr);
}

/* 128 bits that are those of the next block, and 32 bits that were those of the last. */
static void check_portable_counters(void)
{
    tap_begin("aes/counters");
    for (size_t size = 0; size <= 10 * BLOCK; size += BLOCK) {
        const size_t key_length = key_lengths[size / BLOCK % 3];
        uint8_t key[SCHEDULE], want[LONGEST], counter[BLOCK], ctr[BLOCK];
        word32 count = 0xfffffffb;
        memset(counter, 0xff, BLOCK);
        counter[15] = 0xfb;
        memcpy(ctr, counter, BLOCK);
        AES_set_encrypt_key(user_key, (word32)key_length * 8, key);
        model_aes_ctr(user_key, key_length, counter, data, want, size);
        canary_set(out, size);
        (size >= 32 ? AES_CTR_encrypt_NEON : AES_CTR_encrypt)(data, out, size, key, rounds_for(key_length), ctr);
        canary_check(out, want, size, "CTR, size", size);
        memcpy(ctr, counter, BLOCK);
        for (size_t at = 0; at < size; at += BLOCK) {
            count++;
            for (int i = 0; i < 4; i++) {
                counter[12 + i] = (uint8_t)(count >> (24 - 8 * i));
            }
            model_aes_ctr(user_key, key_length, counter, data + at, want + at, BLOCK);
        }
        canary_set(out, size);
        memcpy(out, data, size);
        (size >= 32 ? AES_GCM_encrypt_NEON : AES_GCM_encrypt)(out, out, size, key, rounds_for(key_length), ctr);
        canary_check(out, want, size, "GCM, size", size);
        tap_equal(ctr, counter, BLOCK, "GCM's counter, size", size);
    }
    tap_end();
}

static void check_ghash(void)
{
    tap_begin("aes/ghash");
    for (size_t size = 0; size <= 12 * BLOCK; size += BLOCK) {
        uint8_t got[BLOCK], want[BLOCK];
        fill(want, sizeof want, (uint32_t)size);
        memcpy(got, want, BLOCK);
        model_ghash(want, user_key, data, size);
        GCM_gmult_len_NEON(got, user_key, data, size);
        tap_equal(got, want, BLOCK, "size", size);
    }
    tap_end();
}

void test_aes_portable(void)
{
    static const aes_names names = {
        portable_set_key,     portable_ecb_encrypt, portable_ecb_decrypt, portable_cbc_encrypt,
        portable_cbc_decrypt, portable_xts_encrypt, portable_xts_decrypt,
    };
    test_aes(&names);
    check_portable_counters();
    check_ghash();
}

#else

/* ISO C wants a declaration in every file. */
typedef int test_aes_not_built;

#endif
