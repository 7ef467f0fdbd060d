/* SPDX-License-Identifier: MIT */
/* secrets --variant NAME: calls every function that has a key with several keys and messages, and looks for what the
 * calls left behind on the stack: round keys, powers of H, masks, ChaCha20's key, Poly1305's r.
 *
 * One line a call: its name, and how many parts of the secrets were found. Only an optimised build leaves
 * nothing: without registers for its variables a compiler keeps them on the stack.
 *
 * Exit status: 0 nothing found, 1 something, 2 bad usage or a variant that is not built in. */
#include <stdio.h>
#include <string.h>

#include "buffers.h"
#include "variants.h"

#define STACK_SIZE ((size_t)24576) /* what is looked at below the caller's frame */
#define PAINT 0x5c
#define LENGTH 621
#define ROUNDS 4 /* keys and messages */

static const aes_variant *aes;
static const xts_variant *xts;
static const gcm_variant *gcm;
static const chacha20_variant *stream;
static const poly1305_variant *mac;
static const chacha20_poly1305_variant *aead;

/* What all calls of one round take. */
static struct {
    uint8_t bytes[64];
    cmk_aes_key key;
    cmk_aes_xts_key xts_key;
    cmk_aes_gcm_key gcm_key;
    cmk_aes_gcm_state state;
    cmk_aes_ctr_state ctr;
    cmk_chacha20_state chacha20;
    cmk_poly1305_context poly1305;
    uint32_t r[CMK_POLY1305_LIMBS]; /* of the AEAD's messages and of `poly1305` */
    uint8_t iv[16];
    uint8_t in[LENGTH], out[LENGTH], tag[16];
    uint8_t mask[16], right[16]; /* of messages in one call: what hides the hash, and the right tag */
} world;

/* ---- the calls ------------------------------------------------------------------------------------------ */

static void set_key(void)
{
    cmk_aes_key key;
    (void)aes->set_key(&key, world.bytes, 32);
    cmk_aes_key_wipe(&key);
}

static void ecb_encrypt(void)
{
    (void)aes->ecb_encrypt(&world.key, world.in, world.out, LENGTH / 16 * 16);
}

static void ecb_decrypt(void)
{
    (void)aes->ecb_decrypt(&world.key, world.in, world.out, LENGTH / 16 * 16);
}

static void cbc_encrypt(void)
{
    (void)aes->cbc_encrypt(&world.key, world.iv, world.in, world.out, LENGTH / 16 * 16);
}

static void cbc_decrypt(void)
{
    (void)aes->cbc_decrypt(&world.key, world.iv, world.in, world.out, LENGTH / 16 * 16);
}

static void ctr(void)
{
    (void)aes->ctr(&world.ctr, &world.key, world.in, world.out, LENGTH);
}

static void xts_set_key(void)
{
    cmk_aes_xts_key key;
    (void)xts->set_key(&key, world.bytes, 64);
    cmk_aes_xts_key_wipe(&key);
}

static void xts_encrypt(void)
{
    (void)xts->encrypt(&world.xts_key, world.iv, world.in, world.out, LENGTH);
}

static void xts_decrypt(void)
{
    (void)xts->decrypt(&world.xts_key, world.iv, world.in, world.out, LENGTH);
}

static void gcm_set_key(void)
{
    cmk_aes_gcm_key key;
    (void)gcm->set_key(&key, world.bytes, 32);
    cmk_aes_gcm_key_wipe(&key);
}

static void gcm_encrypt(void)
{
    (void)gcm->encrypt(&world.gcm_key, world.iv, 12, world.bytes, 21, world.in, world.out, LENGTH, world.tag, 16);
}

static void gcm_decrypt(void)
{
    (void)gcm->decrypt(&world.gcm_key, world.iv, 12, world.bytes, 21, world.in, world.out, LENGTH, world.tag, 16);
}

static void gcm_init(void)
{
    (void)gcm->init(&world.state, &world.gcm_key, world.iv, 16);
}

static void gcm_aad_update(void)
{
    (void)gcm->aad_update(&world.state, &world.gcm_key, world.bytes, 21);
}

static void gcm_encrypt_update(void)
{
    (void)gcm->encrypt_update(&world.state, &world.gcm_key, world.in, world.out, LENGTH);
}

static void gcm_encrypt_final(void)
{
    (void)gcm->encrypt_final(&world.state, &world.gcm_key, world.tag, 16);
}

static void gcm_decrypt_update(void)
{
    (void)gcm->decrypt_update(&world.state, &world.gcm_key, world.in, world.out, LENGTH);
}

static void gcm_decrypt_final(void)
{
    (void)gcm->decrypt_final(&world.state, &world.gcm_key, world.tag, 16);
}

/* A stream from its beginning: a part of a block, less than eight blocks, and more. */
static void chacha20_of(size_t length)
{
    cmk_chacha20_state state = world.chacha20;
    (void)stream->stream(&state, world.in, world.out, length);
    cmk_chacha20_wipe(&state);
}

static void chacha20_short(void)
{
    chacha20_of(20);
}

static void chacha20_part(void)
{
    chacha20_of(301);
}

static void chacha20_long(void)
{
    chacha20_of(LENGTH);
}

static void poly1305_update(void)
{
    (void)mac->update(&world.poly1305, world.in, LENGTH);
}

static void poly1305_final(void)
{
    (void)cmk_poly1305_final(&world.poly1305, world.tag);
}

static void aead_encrypt(void)
{
    (void)aead->encrypt(world.bytes, world.iv, world.bytes, 21, world.in, world.out, LENGTH, world.tag);
}

static void aead_decrypt(void)
{
    (void)aead->decrypt(world.bytes, world.iv, world.bytes, 21, world.in, world.out, LENGTH, world.tag);
}

/* ---- the stack ------------------------------------------------------------------------------------------ */

/* Through a volatile pointer: neither call is made part of its caller, whose frame it would then share. */
static volatile uintptr_t painted;

static void paint(void)
{
    volatile uint8_t dead[STACK_SIZE];
    for (size_t i = 0; i < STACK_SIZE; i++) {
        dead[i] = PAINT;
    }
    painted = (uintptr_t)dead;
}

/* Of the parts of a secret, `size` bytes each, how many are there. A small number, its upper half zero, says nothing:
 * counts and lengths are such. The stack grows down: most of what was painted first was never reached. */
static size_t count_of(const uint8_t *stack, const void *secret, size_t length, size_t size)
{
    static const uint8_t zero[4];
    const uint8_t *bytes = secret;
    size_t found = 0, reached = 0;
    while (reached < STACK_SIZE && stack[reached] == PAINT) {
        reached++;
    }
    for (size_t part = 0; part < length; part += size) {
        const int small = memcmp(bytes + part + size / 2, zero, size / 2) == 0;
        for (size_t i = reached; !small && i + size <= STACK_SIZE; i++) {
            found += memcmp(stack + i, bytes + part, size) == 0;
        }
    }
    return found;
}

static size_t secrets_left(void)
{
    static uint8_t stack[STACK_SIZE];
    volatile const uint8_t *dead = (volatile const uint8_t *)painted;
    for (size_t i = 0; i < STACK_SIZE; i++) {
        stack[i] = dead[i];
    }
    return count_of(stack, world.key.encrypt, sizeof world.key.encrypt, 8) +
           count_of(stack, world.key.decrypt, sizeof world.key.decrypt, 8) +
           count_of(stack, world.xts_key.encrypt, sizeof world.xts_key.encrypt, 8) +
           count_of(stack, world.xts_key.decrypt, sizeof world.xts_key.decrypt, 8) +
           count_of(stack, world.xts_key.tweak, sizeof world.xts_key.tweak, 8) +
           count_of(stack, world.gcm_key.powers, sizeof world.gcm_key.powers, 8) +
           count_of(stack, world.state.mask, sizeof world.state.mask, 8) +
           count_of(stack, world.mask, sizeof world.mask, 8) + count_of(stack, world.right, sizeof world.right, 8) +
           count_of(stack, world.chacha20.words + 4, CMK_CHACHA20_KEY_SIZE, 4) +
           count_of(stack, world.r, sizeof world.r, 4);
}

static size_t look(const char *name, void (*call)(void))
{
    void (*volatile first)(void) = paint;
    void (*volatile second)(void) = call;
    size_t found;
    first();
    second();
    found = secrets_left();
    printf("%s %lu\n", name, (unsigned long)found);
    return found;
}

static size_t look_at_aes(void)
{
    size_t found = 0;
    found += look("set_key", set_key) + look("ecb_encrypt", ecb_encrypt) + look("ecb_decrypt", ecb_decrypt);
    found += look("cbc_encrypt", cbc_encrypt) + look("cbc_decrypt", cbc_decrypt) + look("ctr", ctr);
    found += look("xts_set_key", xts_set_key) + look("xts_encrypt", xts_encrypt) + look("xts_decrypt", xts_decrypt);
    return found;
}

static size_t look_at_gcm(void)
{
    size_t found = 0;
    (void)gcm->init(&world.state, &world.gcm_key, world.iv, 12);
    memcpy(world.mask, world.state.mask, sizeof world.mask);
    found += look("gcm_set_key", gcm_set_key) + look("gcm_encrypt", gcm_encrypt);
    memcpy(world.in, world.out, LENGTH);
    memcpy(world.right, world.tag, sizeof world.right);
    found += look("gcm_decrypt", gcm_decrypt);
    world.tag[0] ^= 1;
    found += look("gcm_decrypt", gcm_decrypt);
    found += look("gcm_init", gcm_init) + look("gcm_aad_update", gcm_aad_update);
    found += look("gcm_encrypt_update", gcm_encrypt_update) + look("gcm_encrypt_final", gcm_encrypt_final);
    found += look("gcm_init", gcm_init) + look("gcm_aad_update", gcm_aad_update);
    return found + look("gcm_decrypt_update", gcm_decrypt_update) + look("gcm_decrypt_final", gcm_decrypt_final);
}

static size_t look_at_chacha20_poly1305(void)
{
    size_t found = 0;
    found += look("chacha20_short", chacha20_short) + look("chacha20_part", chacha20_part);
    found += look("chacha20_long", chacha20_long);
    found += look("poly1305_update", poly1305_update) + look("poly1305_final", poly1305_final);
    found += look("aead_encrypt", aead_encrypt);
    memcpy(world.in, world.out, LENGTH);
    memcpy(world.right, world.tag, sizeof world.right);
    found += look("aead_decrypt", aead_decrypt);
    world.tag[0] ^= 1;
    return found + look("aead_decrypt", aead_decrypt);
}

/* What is looked for, also where the variant has nothing that uses it: zeros would be found anywhere. ChaCha20's key is
 * the first of the bytes; its first block, the key of Poly1305 as the AEAD makes it. */
static void set_keys(void)
{
    uint8_t block[CMK_CHACHA20_BLOCK_SIZE] = {0};
    (void)cmk_aes_set_key_portable(&world.key, world.bytes, 32);
    (void)cmk_aes_xts_set_key_portable(&world.xts_key, world.bytes, 64);
    (void)cmk_aes_gcm_set_key_portable(&world.gcm_key, world.bytes, 32);
    (void)cmk_aes_ctr_init(&world.ctr, world.iv);
    (void)cmk_chacha20_init(&world.chacha20, world.bytes, world.iv, 0);
    (void)cmk_chacha20_portable(&world.chacha20, block, block, sizeof block);
    (void)cmk_poly1305_init(&world.poly1305, block);
    memcpy(world.r, world.poly1305.r, sizeof world.r);
}

int main(int count, char **arguments)
{
    size_t found = 0;
    const char *name = variant_argument(count, arguments);
    if (name == NULL) {
        return 2;
    }
    aes = find_aes(name);
    xts = find_xts(name);
    gcm = find_gcm(name);
    stream = find_chacha20(name);
    mac = find_poly1305(name);
    aead = find_chacha20_poly1305(name);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        fill(world.bytes, sizeof world.bytes, 7 * round + 1);
        fill(world.iv, sizeof world.iv, 7 * round + 2);
        fill(world.in, sizeof world.in, 7 * round + 3);
        set_keys();
        if (aes != NULL && xts != NULL) {
            found += look_at_aes();
        }
        if (gcm != NULL) {
            found += look_at_gcm();
        }
        if (stream != NULL && mac != NULL && aead != NULL) {
            found += look_at_chacha20_poly1305();
        }
    }
    return found != 0;
}
