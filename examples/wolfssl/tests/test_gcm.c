/* SPDX-License-Identifier: MIT */
/* The names for GCM: whole messages and messages in pieces, without EOR3 and with it. */
#include "tests.h"

#if ANY_KERNEL || WOLFSSL_BUILD_GCM_EOR3_ARM64

#include <string.h>

#define BLOCK 16
#define SCHEDULE 240
#define LONGEST 320
#define WRONG_TAG (-180)

static const size_t key_lengths[] = {16, 24, 32};
static uint8_t user_key[32], data[LONGEST], aad[LONGEST], nonce[LONGEST];
static uint8_t space[LONGEST + 2 * CANARY_SIZE];
static uint8_t *const out = space + CANARY_SIZE;

/* Names that are checked: without an end, or with _EOR3. */
static struct {
    void (*encrypt)(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, byte *tag, word32 tagSz,
                    const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg, int nr);
    int (*decrypt)(const byte *in, byte *out, word32 sz, const byte *nonce, word32 nonceSz, const byte *tag,
                   word32 tagSz, const byte *aad, word32 aadSz, byte *key, byte *gcm_h, byte *tmp, byte *reg, int nr);
    void (*init)(byte *key, int nr, const byte *nonce, word32 nonceSz, byte *gcm_h, byte *counter, byte *initCtr);
    void (*aad_update)(const byte *addt, word32 abytes, byte *tag, byte *h);
    void (*ghash_block)(const byte *data, byte *tag, byte *gcm_h);
    void (*encrypt_block)(const byte *key, int nr, byte *out, const byte *in, byte *counter);
    void (*encrypt_update)(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag, byte *h,
                           byte *counter);
    void (*decrypt_update)(const byte *key, int nr, byte *out, const byte *in, word32 nbytes, byte *tag, byte *h,
                           byte *counter);
    void (*encrypt_final)(byte *tag, byte *authTag, word32 tbytes, word32 nbytes, word32 abytes, byte *h,
                          byte *initCtr);
    void (*decrypt_final)(byte *tag, const byte *authTag, word32 tbytes, word32 nbytes, word32 abytes, byte *h,
                          byte *initCtr, int *res);
} gcm;

typedef struct gcm_case {
    size_t key_length, size, nonce_size, aad_size, tag_size;
    int in_place, nr;
    uint8_t key[SCHEDULE], h[BLOCK], want[LONGEST], want_tag[BLOCK];
} gcm_case;

/* What the model says, and the key as wolfSSL sets it, also for the names with _EOR3. */
static void prepare(gcm_case *one)
{
    const uint8_t zero[BLOCK] = {0};
    uint8_t decrypt[SCHEDULE];
    one->nr = (int)model_aes_key(one->key, decrypt, user_key, one->key_length);
    model_aes_ecb_encrypt(user_key, one->key_length, zero, one->h, BLOCK);
    model_aes_gcm(user_key, one->key_length, nonce, one->nonce_size, aad, one->aad_size, data, one->want, one->size,
                  one->want_tag);
    canary_set(out, one->size);
    if (one->in_place) {
        memcpy(out, data, one->size);
    }
}

/* ---- whole messages ---------------------------------------------------------------------------------------- */

/* The nonce is the register in which wolfSSL counts nonces up, and it has only its own memory for the tag. */
static void check_encryption(gcm_case *one, size_t number)
{
    uint8_t tag_space[BLOCK + 2 * CANARY_SIZE], tmp[BLOCK], reg[LONGEST];
    uint8_t *tag = tag_space + CANARY_SIZE;
    memcpy(reg, nonce, sizeof reg);
    canary_set(tag, one->tag_size);
    gcm.encrypt(one->in_place ? out : data, out, (word32)one->size, reg, (word32)one->nonce_size, tag,
                            (word32)one->tag_size, aad, (word32)one->aad_size, one->key, one->h, tmp, reg, one->nr);
    canary_check(out, one->want, one->size, "encryption, case", number);
    canary_check(tag, one->want_tag, one->tag_size, "the tag, case", number);
    tap_equal(reg, nonce, sizeof reg, "the nonce after use, case", number);
}

/* In place or not; and with one wrong bit in the tag, when nothing may be written. */
static void check_decryption(gcm_case *one, size_t number)
{
    uint8_t tmp[BLOCK], reg[BLOCK], before[LONGEST];
    for (int wrong = 1; wrong >= 0; wrong--) {
        uint8_t tag[BLOCK];
        int result;
        memcpy(tag, one->want_tag, BLOCK);
        tag[number % one->tag_size] ^= (uint8_t)(wrong << number % 8);
        canary_set(out, one->size);
        if (one->in_place) {
            memcpy(out, one->want, one->size);
        }
        memcpy(before, out, one->size);
        result = gcm.decrypt(one->in_place ? out : one->want, out, (word32)one->size, nonce,
                                         (word32)one->nonce_size, tag, (word32)one->tag_size, aad,
                                         (word32)one->aad_size, one->key, one->h, tmp, reg, one->nr);
        tap_equal_number((unsigned)(result == (wrong ? WRONG_TAG : 0)), 1, "the answer, case", number);
        canary_check(out, wrong ? before : data, one->size, wrong ? "a wrong tag, case" : "decryption, case", number);
    }
}

static void check_messages(void)
{
    tap_begin("gcm/messages");
    for (size_t i = 0; i <= 300; i++) {
        gcm_case one = {0};
        one.key_length = key_lengths[i % 3];
        one.size = i;
        one.nonce_size = i % 5 == 0 ? 1 + i : 12;
        one.aad_size = i * 7 % 65;
        one.tag_size = 1 + i % 16;
        one.in_place = i / 2 % 2 != 0;
        prepare(&one);
        check_encryption(&one, i);
        check_decryption(&one, i);
    }
    tap_end();
}

/* ---- messages in pieces ------------------------------------------------------------------------------------ */

/* As wolfSSL does it: whole blocks at once, a block that is not whole by itself. */
static void add_aad(const gcm_case *one, uint8_t *hash, uint8_t *h)
{
    const size_t tail = one->aad_size % BLOCK, whole = one->aad_size - tail;
    uint8_t last[BLOCK] = {0};
    if (whole != 0) {
        gcm.aad_update(aad, (word32)whole, hash, h);
    }
    if (tail != 0) {
        memcpy(last, aad + whole, tail);
        gcm.ghash_block(last, hash, h);
    }
}

static void add_text(gcm_case *one, uint8_t *hash, uint8_t *counter, int decrypt)
{
    const size_t tail = one->size % BLOCK, whole = one->size - tail;
    const uint8_t *in = one->in_place ? out : decrypt ? one->want : data;
    uint8_t last[BLOCK] = {0}, text[BLOCK];
    if (whole != 0) {
        (decrypt ? gcm.decrypt_update : gcm.encrypt_update)(
            one->key, one->nr, out, in, (word32)whole, hash, one->h, counter);
    }
    if (tail != 0) {
        memcpy(last, in + whole, tail);
        gcm.encrypt_block(one->key, one->nr, text, last, counter);
        memcpy(out + whole, text, tail);
        if (!decrypt) {
            memset(last, 0, BLOCK);
            memcpy(last, text, tail);
        }
        gcm.ghash_block(last, hash, one->h);
    }
}

static void check_piece(gcm_case *one, int decrypt, size_t number)
{
    uint8_t hash[BLOCK] = {0}, counter[BLOCK], first[BLOCK], tag[BLOCK + 1] = {0};
    const word32 size = (word32)one->size, aad_size = (word32)one->aad_size, tag_size = (word32)one->tag_size;
    gcm.init(one->key, one->nr, nonce, (word32)one->nonce_size, one->h, counter, first);
    add_aad(one, hash, one->h);
    add_text(one, hash, counter, decrypt);
    canary_check(out, decrypt ? data : one->want, one->size, decrypt ? "decryption, case" : "encryption, case", number);
    if (decrypt) {
        int equal = 9, different = 9;
        uint8_t again[BLOCK], wrong[BLOCK];
        memcpy(again, hash, BLOCK);
        memcpy(wrong, one->want_tag, BLOCK);
        wrong[one->tag_size - 1] ^= 0x80;
        gcm.decrypt_final(hash, one->want_tag, tag_size, size, aad_size, one->h, first, &equal);
        gcm.decrypt_final(again, wrong, tag_size, size, aad_size, one->h, first, &different);
        tap_equal_number((unsigned)equal, 1, "the right tag, case", number);
        tap_equal_number((unsigned)different, 0, "a wrong tag, case", number);
    } else {
        gcm.encrypt_final(hash, tag, tag_size, size, aad_size, one->h, first);
        tap_equal(tag, one->want_tag, one->tag_size, "the tag, case", number);
        tap_equal_number(tag[one->tag_size], 0, "the byte after the tag, case", number);
    }
}

static void check_pieces(void)
{
    tap_begin("gcm/pieces");
    for (size_t i = 0; i <= 300; i++) {
        gcm_case one = {0};
        one.key_length = key_lengths[i % 3];
        one.size = i;
        one.nonce_size = i % 4 == 0 ? 1 + i / 3 : 12;
        one.aad_size = i * 5 % 67;
        one.tag_size = 1 + i % 16;
        one.in_place = i / 2 % 2 != 0;
        prepare(&one);
        check_piece(&one, 0, i);
        canary_set(out, one.size);
        if (one.in_place) {
            memcpy(out, one.want, one.size);
        }
        check_piece(&one, 1, i);
    }
    tap_end();
}

/* Lengths whose bits take more than 32: the calls at the end are told them. */
static void check_long(void)
{
    static const word32 sizes[] = {0x1ffffff0, 0x20000000, 0xfffffff0};
    gcm_case one = {0};
    tap_begin("gcm/long");
    one.key_length = 16;
    prepare(&one);
    for (size_t i = 0; i < 9; i++) {
        const word32 aad_size = sizes[i / 3], size = sizes[i % 3];
        uint8_t hash[BLOCK], want[BLOCK], tag[BLOCK], first[BLOCK];
        fill(hash, BLOCK, 21);
        fill(first, BLOCK, 22);
        memcpy(want, hash, BLOCK);
        model_ghash_lengths(want, one.h, aad_size, size);
        for (size_t at = 0; at < BLOCK; at++) {
            want[at] ^= first[at];
        }
        gcm.encrypt_final(hash, tag, BLOCK, size, aad_size, one.h, first);
        tap_equal(tag, want, BLOCK, "the tag, lengths", i);
    }
    tap_end();
}

/* A counter of wolfSSL's that wraps: the last 32 bits count and nothing carries out of them. */
static void check_wrap(void)
{
    tap_begin("gcm/wrap");
    for (size_t before = 0; before < 20; before++) {
        gcm_case one = {0};
        uint8_t hash[BLOCK] = {0}, counter[BLOCK], want[LONGEST];
        one.key_length = 32;
        one.size = LONGEST;
        one.nonce_size = 12;
        prepare(&one);
        memset(counter, 0xff, BLOCK);
        counter[15] = (uint8_t)(0xff - before);
        for (size_t at = 0; at < LONGEST; at += BLOCK) {
            uint8_t block[BLOCK];
            memset(block, 0xff, BLOCK);
            if (at / BLOCK >= before) {
                memset(block + 12, 0, 4);
                block[15] = (uint8_t)(at / BLOCK - before);
            } else {
                block[15] = (uint8_t)(0xff - before + at / BLOCK + 1);
            }
            model_aes_ctr(user_key, 32, block, data + at, want + at, BLOCK);
        }
        gcm.encrypt_update(one.key, one.nr, out, data, LONGEST, hash, one.h, counter);
        canary_check(out, want, LONGEST, "blocks before the wrap", before);
        tap_equal_number(counter[15], (uint8_t)(LONGEST / BLOCK - before - 1), "the counter, blocks before", before);
    }
    tap_end();
}

#if ANY_KERNEL
static void check_keys(void)
{
    const uint8_t zero[BLOCK] = {0};
    tap_begin("gcm/keys");
    for (size_t i = 0; i < 3; i++) {
        uint8_t h[BLOCK];
        gcm_case one = {0};
        one.key_length = key_lengths[i];
        prepare(&one);
        AES_GCM_set_key_AARCH64(zero, one.key, h, one.nr);
        tap_equal(h, one.h, BLOCK, "the key's length", one.key_length);
    }
    tap_end();
}
#endif

static void check_all(void)
{
    fill(user_key, sizeof user_key, 11);
    fill(data, sizeof data, 12);
    fill(aad, sizeof aad, 13);
    fill(nonce, sizeof nonce, 14);
    check_messages();
    check_pieces();
    check_long();
    check_wrap();
}

#define CHECK_NAMES(END)                                                                                              \
    gcm.encrypt = AES_GCM_encrypt_AARCH64##END;                                                                       \
    gcm.decrypt = AES_GCM_decrypt_AARCH64##END;                                                                       \
    gcm.init = AES_GCM_init_AARCH64##END;                                                                             \
    gcm.aad_update = AES_GCM_aad_update_AARCH64##END;                                                                 \
    gcm.ghash_block = AES_GCM_ghash_block_AARCH64##END;                                                               \
    gcm.encrypt_block = AES_GCM_encrypt_block_AARCH64##END;                                                           \
    gcm.encrypt_update = AES_GCM_encrypt_update_AARCH64##END;                                                         \
    gcm.decrypt_update = AES_GCM_decrypt_update_AARCH64##END;                                                         \
    gcm.encrypt_final = AES_GCM_encrypt_final_AARCH64##END;                                                           \
    gcm.decrypt_final = AES_GCM_decrypt_final_AARCH64##END;                                                           \
    check_all();

void test_gcm_arm64(void)
{
#if ANY_KERNEL
    CHECK_NAMES()
    check_keys();
#endif
}

void test_gcm_eor3_arm64(void)
{
#if WOLFSSL_BUILD_GCM_EOR3_ARM64
    CHECK_NAMES(_EOR3)
#endif
}

#else

/* ISO C wants a declaration in every file. */
typedef int test_gcm_not_built;

#endif
