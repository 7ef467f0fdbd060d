/* SPDX-License-Identifier: MIT */
/* GCM in parts: every split of message and additional data, states that another variant goes on with, the order of
 * calls, wrong tags, refusals. */
#include <string.h>

#include "buffers.h"
#include "gcm_messages.h"
#include "model.h"
#include "tap.h"
#include "tests.h"

#define SPLIT_LENGTH 289 /* two batches, two blocks and a byte */

/* Parts of a message: the calls that take it end at `ends`. Each call may be another variant's. */
typedef struct parts {
    const gcm_variant *variants[3];
    size_t ends[3];
    size_t aad_ends[3];
} parts;

static cmk_status begin(const parts *p, const gcm_message *m, cmk_aes_gcm_state *state)
{
    size_t at = 0;
    cmk_status status = p->variants[0]->init(state, &m->key, m->iv, m->iv_length);
    for (int i = 0; status == CMK_OK && i < 3; at = p->aad_ends[i++]) {
        status = p->variants[i]->aad_update(state, &m->key, m->aad + at, p->aad_ends[i] - at);
    }
    return status;
}

static void check_encryption(const parts *p, const gcm_message *m, size_t number)
{
    static const cmk_aes_gcm_state zero;
    cmk_aes_gcm_state state;
    uint8_t got[GCM_LONGEST], tag[16], want[16];
    size_t at = 0;
    tap_equal_number(begin(p, m, &state), CMK_OK, "status of the beginning", number);
    for (int i = 0; i < 3; at = p->ends[i++]) {
        tap_equal_number(p->variants[i]->encrypt_update(&state, &m->key, m->plain + at, got + at, p->ends[i] - at),
                         CMK_OK, "status of a part", number);
    }
    tap_equal_number(p->variants[2]->encrypt_final(&state, &m->key, tag, 16), CMK_OK, "status of the end", number);
    gcm_message_tag(m, at, want);
    tap_equal(got, m->encrypted, at, "encryption in parts, the first of length", number);
    tap_equal(tag, want, 16, "tag of parts, the first of length", number);
    tap_equal(&state, &zero, sizeof state, "the state after the end", number);
}

static void check_decryption(const parts *p, const gcm_message *m, size_t number)
{
    static const cmk_aes_gcm_state zero;
    cmk_aes_gcm_state state;
    uint8_t got[GCM_LONGEST], want[16];
    size_t at = 0;
    tap_equal_number(begin(p, m, &state), CMK_OK, "status of the beginning", number);
    for (int i = 0; i < 3; at = p->ends[i++]) {
        tap_equal_number(
            p->variants[i]->decrypt_update(&state, &m->key, m->encrypted + at, got + at, p->ends[i] - at), CMK_OK,
            "status of a part", number);
    }
    gcm_message_tag(m, at, want);
    tap_equal_number(p->variants[2]->decrypt_final(&state, &m->key, want, 16), CMK_OK, "status of the end", number);
    tap_equal(got, m->plain, at, "decryption in parts, the first of length", number);
    tap_equal(&state, &zero, sizeof state, "the state after the end", number);
}

static void check_parts(const gcm_variant *first, const gcm_variant *second, const gcm_message *m, size_t at,
                        size_t then)
{
    const size_t aad = m->aad_length;
    const parts p = {{first, second, first},
                     {at, at + then, SPLIT_LENGTH},
                     {at < aad ? at : aad, at + then < aad ? at + then : aad, aad}};
    check_encryption(&p, m, at);
    check_decryption(&p, m, at);
}

/* Two calls with the split around every block and between, three with the splits at boundaries, and calls of different
 * variants. */
static void check_splits(const gcm_variant *variant)
{
    static const size_t boundaries[] = {0, 1, 15, 16, 17, 112, 127, 128, 129, 145};
    const size_t count = sizeof boundaries / sizeof boundaries[0];
    const gcm_variant *portable = find_gcm("portable");
    static gcm_message m;
    tap_begin("aes_gcm/splits");
    gcm_make(variant, &m, 32, 12, 290, 100);
    for (size_t at = 0; at <= SPLIT_LENGTH; at++) {
        if (worth_trying(at)) {
            check_parts(variant, variant, &m, at, SPLIT_LENGTH - at);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            if (boundaries[i] + boundaries[j] <= SPLIT_LENGTH) {
                check_parts(variant, variant, &m, boundaries[i], boundaries[j]);
            }
        }
        check_parts(variant, portable, &m, boundaries[i], 100);
        check_parts(portable, variant, &m, boundaries[i], 100);
    }
    tap_end();
}

/* One message in calls of equal length, in place. */
static void check_steps(const gcm_variant *variant)
{
    static const size_t steps[] = {1, 5, 7, 15, 16, 17, 33, 129};
    static gcm_message m;
    uint8_t want[16];
    tap_begin("aes_gcm/steps");
    gcm_make(variant, &m, 24, 7, 21, 110);
    gcm_message_tag(&m, GCM_LONGEST - 3, want);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const size_t step = steps[i], length = GCM_LONGEST - 3;
        uint8_t data[GCM_LONGEST], tag[16];
        cmk_aes_gcm_state state;
        (void)variant->init(&state, &m.key, m.iv, m.iv_length);
        for (size_t at = 0; at < m.aad_length; at += step) {
            (void)variant->aad_update(&state, &m.key, m.aad + at, m.aad_length - at < step ? m.aad_length - at : step);
        }
        memcpy(data, m.plain, length);
        for (size_t at = 0; at < length; at += step) {
            const size_t part = length - at < step ? length - at : step;
            (void)variant->encrypt_update(&state, &m.key, data + at, data + at, part);
        }
        (void)variant->encrypt_final(&state, &m.key, tag, 16);
        tap_equal(data, m.encrypted, length, "encryption in steps of", step);
        tap_equal(tag, want, 16, "tag in steps of", step);
        (void)variant->init(&state, &m.key, m.iv, m.iv_length);
        (void)variant->aad_update(&state, &m.key, m.aad, m.aad_length);
        for (size_t at = 0; at < length; at += step) {
            const size_t part = length - at < step ? length - at : step;
            (void)variant->decrypt_update(&state, &m.key, data + at, data + at, part);
        }
        tap_equal_number(variant->decrypt_final(&state, &m.key, want, 16), CMK_OK, "status in steps of", step);
        tap_equal(data, m.plain, length, "decryption in steps of", step);
    }
    tap_end();
}

/* The 32 bits of the counter wrap before one of the first 18 blocks, and nothing is carried. */
static void check_wrap(const gcm_variant *variant)
{
    static gcm_message m;
    uint8_t counter[16];
    tap_begin("aes_gcm/stream_wrap");
    for (unsigned before = 0; before < 18; before += 1 + before / 4) {
        fill(counter, sizeof counter, 120);
        memset(counter + 11, 0xff, 4);
        counter[15] = (uint8_t)(0xff - before);
        gcm_make_counter(variant, &m, counter, 121);
        check_parts(variant, variant, &m, 0, 0);
        check_parts(variant, variant, &m, 5, 2);
    }
    tap_end();
}

/* After `length` bytes: every field, against the portable variant, and hash and counter against the model. */
static void check_states(const gcm_variant *variant)
{
    static gcm_message m;
    tap_begin("aes_gcm/states");
    gcm_make(variant, &m, 16, 12, 33, 130);
    for (size_t length = 0; length <= SPLIT_LENGTH; length += length < 18 || length > 270 ? 1 : 9) {
        uint8_t got[GCM_LONGEST], hash[16];
        cmk_aes_gcm_state state, other;
        (void)variant->init(&state, &m.key, m.iv, 12);
        (void)variant->aad_update(&state, &m.key, m.aad, 33);
        (void)variant->encrypt_update(&state, &m.key, m.plain, got, length);
        (void)cmk_aes_gcm_init_portable(&other, &m.key, m.iv, 12);
        (void)cmk_aes_gcm_aad_update_portable(&other, &m.key, m.aad, 33);
        (void)cmk_aes_gcm_encrypt_update_portable(&other, &m.key, m.plain, got, length);
        tap_equal(&state, &other, sizeof state, "the state of a portable message, length", length);
        memcpy(hash, m.hashes[length / 16], 16);
        for (size_t i = 0; i < length % 16; i++) {
            hash[i] ^= m.encrypted[length - length % 16 + i];
        }
        tap_equal(state.hash, hash, 16, "the hash, length", length);
        tap_equal(state.mask, m.mask, 16, "the mask, length", length);
        tap_equal_number(state.counter[15], (unsigned)(2 + (length + 15) / 16), "the counter, length", length);
        for (size_t i = 0; length % 16 != 0 && i < 16; i++) {
            size_t at = length - length % 16 + i;
            unsigned unused = i < length % 16 ? 0u : (unsigned)(m.plain[at] ^ m.encrypted[at]);
            tap_equal_number(state.keystream[i], unused, "the keystream, length", length);
        }
    }
    tap_end();
}

/* Lengths whose bits take more than 32: nobody waits for such messages, so the state is said to stand behind one. */
static void check_long(const gcm_variant *variant)
{
    static const uint32_t lengths[] = {0x1ffffff0, 0x20000000, 0xfffffff0};
    static gcm_message m;
    tap_begin("aes_gcm/long");
    gcm_make(variant, &m, 16, 12, 0, 135);
    for (size_t i = 0; i < 9; i++) {
        const uint32_t aad_length = lengths[i / 3], length = lengths[i % 3];
        uint8_t want[16] = {0}, tag[16];
        cmk_aes_gcm_state state;
        (void)variant->init(&state, &m.key, m.iv, 12);
        state.aad_length = aad_length;
        state.length = length;
        model_ghash_lengths(want, m.h, aad_length, length);
        for (size_t at = 0; at < 16; at++) {
            want[at] ^= m.mask[at];
        }
        tap_equal_number(variant->encrypt_final(&state, &m.key, tag, 16), CMK_OK, "status, lengths", i);
        tap_equal(tag, want, 16, "tag, lengths", i);
    }
    tap_end();
}

/* ---- tags ----------------------------------------------------------------------------------------------- */

static void check_final(const gcm_variant *variant, const gcm_message *m, const uint8_t *tag, size_t tag_length,
                        cmk_status want)
{
    static const cmk_aes_gcm_state zero;
    uint8_t got[100];
    cmk_aes_gcm_state state;
    (void)variant->init(&state, &m->key, m->iv, m->iv_length);
    (void)variant->aad_update(&state, &m->key, m->aad, m->aad_length);
    (void)variant->decrypt_update(&state, &m->key, m->encrypted, got, 100);
    tap_equal_number(variant->decrypt_final(&state, &m->key, tag, tag_length), want, "status, tag length", tag_length);
    tap_equal(&state, &zero, sizeof state, "the state after the end, tag length", tag_length);
}

static void check_tags(const gcm_variant *variant)
{
    static gcm_message m;
    uint8_t whole[16];
    tap_begin("aes_gcm/stream_tags");
    gcm_make(variant, &m, 16, 12, 13, 140);
    gcm_message_tag(&m, 100, whole);
    for (size_t tag_length = 4; tag_length <= 16; tag_length++) {
        uint8_t got[100], tag[16 + 2 * CANARY_SIZE];
        cmk_aes_gcm_state state;
        (void)variant->init(&state, &m.key, m.iv, m.iv_length);
        (void)variant->aad_update(&state, &m.key, m.aad, m.aad_length);
        (void)variant->encrypt_update(&state, &m.key, m.plain, got, 100);
        canary_set(tag + CANARY_SIZE, tag_length);
        (void)variant->encrypt_final(&state, &m.key, tag + CANARY_SIZE, tag_length);
        canary_check(tag + CANARY_SIZE, whole, tag_length, "tag of length", tag_length);
        check_final(variant, &m, tag + CANARY_SIZE, tag_length, CMK_OK);
        for (size_t bit = tag_length % 5; bit < 8 * tag_length; bit += 5) {
            tag[CANARY_SIZE + bit / 8] ^= (uint8_t)(1 << bit % 8);
            check_final(variant, &m, tag + CANARY_SIZE, tag_length, CMK_ERROR_TAG);
            tag[CANARY_SIZE + bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
    }
    tap_end();
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

/* Every call, on a copy of `state`, is refused with `want` and writes nothing, except those that `allowed` has. */
enum { MAY_ADD = 1, MAY_ENCRYPT = 2, MAY_END_ENCRYPTION = 4, MAY_DECRYPT = 8, MAY_END_DECRYPTION = 16 };

static void check_order(const gcm_variant *variant, const gcm_message *m, const cmk_aes_gcm_state *state,
                        unsigned allowed, const char *what)
{
    for (unsigned call = MAY_ADD; call <= MAY_END_DECRYPTION; call *= 2) {
        for (size_t length = 0; length < 6; length += 5) {
            uint8_t out[16] = {0}, before[16] = {0};
            cmk_aes_gcm_state copy = *state;
            cmk_status status;
            if (call == MAY_ADD) {
                status = variant->aad_update(&copy, &m->key, m->aad, length);
            } else if (call == MAY_ENCRYPT) {
                status = variant->encrypt_update(&copy, &m->key, m->plain, out, length);
            } else if (call == MAY_DECRYPT) {
                status = variant->decrypt_update(&copy, &m->key, m->plain, out, length);
            } else if (call == MAY_END_ENCRYPTION) {
                status = variant->encrypt_final(&copy, &m->key, out, 16);
            } else {
                status = variant->decrypt_final(&copy, &m->key, out, 16);
            }
            if ((allowed & call) == 0) {
                tap_equal_number(status, CMK_ERROR_STATE, what, call);
                tap_equal(&copy, state, sizeof copy, "the state after a refusal", call);
                tap_equal(out, before, sizeof out, "the output after a refusal", call);
            } else {
                tap_equal_number(status, call == MAY_END_DECRYPTION ? CMK_ERROR_TAG : CMK_OK, what, call);
            }
        }
    }
}

static void check_orders(const gcm_variant *variant)
{
    static const cmk_aes_gcm_state zero;
    static gcm_message m;
    uint8_t out[32];
    cmk_aes_gcm_state start, state;
    tap_begin("aes_gcm/order");
    gcm_make(variant, &m, 16, 12, 20, 150);
    check_order(variant, &m, &zero, 0, "no message, call");
    (void)variant->init(&start, &m.key, m.iv, 12);
    check_order(variant, &m, &start, 31, "the beginning, call");
    state = start;
    (void)variant->aad_update(&state, &m.key, m.aad, 20);
    check_order(variant, &m, &state, 31, "after additional data, call");
    state = start;
    (void)variant->encrypt_update(&state, &m.key, m.plain, out, 0);
    check_order(variant, &m, &state, MAY_ENCRYPT | MAY_END_ENCRYPTION, "after no plaintext, call");
    (void)variant->encrypt_update(&state, &m.key, m.plain, out, 20);
    check_order(variant, &m, &state, MAY_ENCRYPT | MAY_END_ENCRYPTION, "after plaintext, call");
    state = start;
    (void)variant->decrypt_update(&state, &m.key, m.plain, out, 20);
    check_order(variant, &m, &state, MAY_DECRYPT | MAY_END_DECRYPTION, "after ciphertext, call");
    for (uint32_t stage = 4; stage < 8; stage++) {
        state = start;
        state.stage = stage;
        check_order(variant, &m, &state, 0, "a damaged stage, call");
    }
    state = start;
    state.length = ((uint64_t)1 << 36) - 31;
    check_order(variant, &m, &state, 0, "a damaged length, call");
    state = start;
    state.aad_length = (uint64_t)1 << 61;
    check_order(variant, &m, &state, 0, "a damaged length of additional data, call");
    tap_end();
}

/* A message and additional data that become too long. */
static void check_limits(const gcm_variant *variant, const gcm_message *m)
{
    uint8_t out[64] = {0};
    cmk_aes_gcm_state start, state;
    (void)variant->init(&start, &m->key, m->iv, 12);
    start.length = ((uint64_t)1 << 36) - 32 - 16;
    start.aad_length = ((uint64_t)1 << 61) - 1 - 16;
    state = start;
    tap_equal_number(variant->aad_update(&state, &m->key, m->aad, 17), CMK_ERROR_LENGTH, "too much additional data", 0);
    tap_equal_number(variant->encrypt_update(&state, &m->key, m->plain, out, 17), CMK_ERROR_LENGTH, "too long", 0);
    tap_equal_number(variant->decrypt_update(&state, &m->key, m->plain, out, 17), CMK_ERROR_LENGTH, "too long", 0);
    tap_equal(&state, &start, sizeof state, "the state after refusals of lengths", 0);
    tap_equal_number(variant->aad_update(&state, &m->key, m->aad, 16), CMK_OK, "the most of additional data", 0);
    tap_equal_number(variant->encrypt_update(&state, &m->key, m->plain, out, 16), CMK_OK, "the longest", 0);
    tap_equal_number(variant->encrypt_update(&state, &m->key, m->plain, out, 1), CMK_ERROR_LENGTH, "longer", 0);
    state = start;
    tap_equal_number(variant->decrypt_update(&state, &m->key, m->plain, out, 16), CMK_OK, "the longest", 0);
}

static void check_nulls(const gcm_variant *variant, const gcm_message *m)
{
    uint8_t out[64] = {0};
    cmk_aes_gcm_state start, state;
    (void)variant->init(&start, &m->key, m->iv, 12);
    state = start;
    tap_equal_number(variant->init(NULL, &m->key, m->iv, 12), CMK_ERROR_NULL, "no state to begin", 0);
    tap_equal_number(variant->init(&state, NULL, m->iv, 12), CMK_ERROR_NULL, "no key to begin", 0);
    tap_equal_number(variant->init(&state, &m->key, NULL, 12), CMK_ERROR_NULL, "no IV", 0);
    tap_equal_number(variant->init(&state, &m->key, NULL, 0), CMK_ERROR_LENGTH, "no IV, length", 0);
    tap_equal_number(variant->init(&state, &m->key, m->iv, 0), CMK_ERROR_LENGTH, "IV, length", 0);
    tap_equal_number(variant->aad_update(NULL, &m->key, m->aad, 16), CMK_ERROR_NULL, "no state", 0);
    tap_equal_number(variant->aad_update(&state, NULL, m->aad, 16), CMK_ERROR_NULL, "no key", 0);
    tap_equal_number(variant->aad_update(&state, &m->key, NULL, 16), CMK_ERROR_NULL, "no additional data", 0);
    tap_equal_number(variant->encrypt_update(NULL, &m->key, m->plain, out, 16), CMK_ERROR_NULL, "no state", 1);
    tap_equal_number(variant->encrypt_update(&state, NULL, m->plain, out, 16), CMK_ERROR_NULL, "no key", 1);
    tap_equal_number(variant->encrypt_update(&state, &m->key, NULL, out, 16), CMK_ERROR_NULL, "no input", 1);
    tap_equal_number(variant->encrypt_update(&state, &m->key, m->plain, NULL, 16), CMK_ERROR_NULL, "no output", 1);
    tap_equal_number(variant->decrypt_update(NULL, &m->key, m->plain, out, 16), CMK_ERROR_NULL, "no state", 2);
    tap_equal_number(variant->decrypt_update(&state, NULL, m->plain, out, 16), CMK_ERROR_NULL, "no key", 2);
    tap_equal_number(variant->decrypt_update(&state, &m->key, NULL, out, 16), CMK_ERROR_NULL, "no input", 2);
    tap_equal_number(variant->decrypt_update(&state, &m->key, m->plain, NULL, 16), CMK_ERROR_NULL, "no output", 2);
    tap_equal_number(variant->encrypt_final(NULL, &m->key, out, 16), CMK_ERROR_NULL, "no state", 3);
    tap_equal_number(variant->encrypt_final(&state, NULL, out, 16), CMK_ERROR_NULL, "no key", 3);
    tap_equal_number(variant->encrypt_final(&state, &m->key, NULL, 16), CMK_ERROR_NULL, "no tag", 3);
    tap_equal_number(variant->decrypt_final(NULL, &m->key, out, 16), CMK_ERROR_NULL, "no state", 4);
    tap_equal_number(variant->decrypt_final(&state, NULL, out, 16), CMK_ERROR_NULL, "no key", 4);
    tap_equal_number(variant->decrypt_final(&state, &m->key, NULL, 16), CMK_ERROR_NULL, "no tag", 4);
    for (size_t tag_length = 0; tag_length < 20; tag_length += tag_length == 3 ? 14 : 1) {
        tap_equal_number(variant->encrypt_final(&state, &m->key, out, tag_length), CMK_ERROR_LENGTH, "tag length",
                         tag_length);
        tap_equal_number(variant->decrypt_final(&state, &m->key, out, tag_length), CMK_ERROR_LENGTH, "tag length",
                         tag_length);
    }
    tap_equal(&state, &start, sizeof state, "the state after refusals", 0);
    tap_equal_number(variant->aad_update(&state, &m->key, NULL, 0), CMK_OK, "no additional data, length", 0);
    tap_equal_number(variant->encrypt_update(&state, &m->key, NULL, NULL, 0), CMK_OK, "no plaintext, length", 0);
    (void)variant->encrypt_update(&state, &m->key, m->plain, out, 5);
    tap_equal_number(variant->encrypt_update(&state, &m->key, NULL, NULL, 0), CMK_OK, "no more plaintext, length", 0);
    state = start;
    (void)variant->aad_update(&state, &m->key, m->aad, 5);
    tap_equal_number(variant->aad_update(&state, &m->key, NULL, 0), CMK_OK, "no more additional data, length", 0);
    tap_equal_number(variant->decrypt_update(&state, &m->key, NULL, NULL, 0), CMK_OK, "no ciphertext, length", 0);
    (void)variant->decrypt_update(&state, &m->key, m->plain, out, 5);
    tap_equal_number(variant->decrypt_update(&state, &m->key, NULL, NULL, 0), CMK_OK, "no more ciphertext, length", 0);
}

static void check_damaged_keys(const gcm_variant *variant, const gcm_message *m)
{
    uint8_t out[16] = {0};
    cmk_aes_gcm_key damaged = m->key;
    cmk_aes_gcm_state start, state;
    (void)variant->init(&start, &m->key, m->iv, 12);
    state = start;
    for (damaged.rounds = 9; damaged.rounds < 16; damaged.rounds += 2) {
        const size_t rounds = damaged.rounds;
        tap_equal_number(variant->init(&state, &damaged, m->iv, 12), CMK_ERROR_KEY, "rounds", rounds);
        tap_equal_number(variant->aad_update(&state, &damaged, m->aad, 5), CMK_ERROR_KEY, "rounds", rounds);
        tap_equal_number(variant->encrypt_update(&state, &damaged, m->plain, out, 5), CMK_ERROR_KEY, "rounds", rounds);
        tap_equal_number(variant->decrypt_update(&state, &damaged, m->plain, out, 5), CMK_ERROR_KEY, "rounds", rounds);
        tap_equal_number(variant->encrypt_final(&state, &damaged, out, 16), CMK_ERROR_KEY, "rounds", rounds);
        tap_equal_number(variant->decrypt_final(&state, &damaged, out, 16), CMK_ERROR_KEY, "rounds", rounds);
    }
    tap_equal(&state, &start, sizeof state, "the state after damaged keys", 0);
}

static void check_refusals(const gcm_variant *variant)
{
    static gcm_message m;
    tap_begin("aes_gcm/stream_refusals");
    gcm_make(variant, &m, 16, 12, 20, 160);
    check_nulls(variant, &m);
    check_damaged_keys(variant, &m);
    check_limits(variant, &m);
    tap_end();
}

static void check_wipe(const gcm_variant *variant)
{
    static const cmk_aes_gcm_state zero;
    static const cmk_aes_gcm_key no_key;
    static gcm_message m;
    uint8_t out[20];
    cmk_aes_gcm_state state;
    tap_begin("aes_gcm/wipe");
    gcm_make(variant, &m, 16, 12, 20, 170);
    (void)variant->init(&state, &m.key, m.iv, 12);
    (void)variant->encrypt_update(&state, &m.key, m.plain, out, sizeof out);
    cmk_aes_gcm_wipe(&state);
    tap_equal(&state, &zero, sizeof state, "the state after the wipe", 0);
    cmk_aes_gcm_key_wipe(&m.key);
    tap_equal(&m.key, &no_key, sizeof no_key, "the key after the wipe", 0);
    cmk_aes_gcm_wipe(NULL);
    cmk_aes_gcm_key_wipe(NULL);
    tap_end();
}

void test_aes_gcm_stream(const gcm_variant *variant)
{
    check_splits(variant);
    check_steps(variant);
    check_wrap(variant);
    check_states(variant);
    check_long(variant);
    check_tags(variant);
    check_orders(variant);
    check_refusals(variant);
    check_wipe(variant);
}
