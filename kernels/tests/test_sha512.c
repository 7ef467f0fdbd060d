/* SPDX-License-Identifier: MIT */
/* SHA-512 and SHA-384: published vectors, every length and split, every placement, refusals. */
#include "tests.h"

#define SHA2_VARIANT sha512_variant
#define SHA2_FIND find_sha512
#define SHA2_CONTEXT cmk_sha512_context
#define SHA2_WIPE cmk_sha512_wipe
#define SHA2_SHORTER_FINAL final_384
#define SHA2_MODEL(data, length, digest) model_sha512(data, length, 0, digest)
#define SHA2_SHORTER_MODEL(data, length, digest) model_sha384(data, length, 0, digest)
#define SHA2_BLOCK_SIZE CMK_SHA512_BLOCK_SIZE
#define SHA2_DIGEST_SIZE CMK_SHA512_DIGEST_SIZE
#define SHA2_MAX_LENGTH UINT64_MAX /* what the context can count */
#define SHA2_BOUNDARIES {1, 63, 64, 65, 111, 112, 113, 127, 128, 129, 239, 240, 241, 255, 256, 257}

#include "test_sha2.h"

static const hash hashes[HASHES] = {
    {LONGER, CMK_SHA512_DIGEST_SIZE, cmk_sha512_init, "sha512/fips180_4", "sha512/lengths", "sha512/splits",
     "sha512/steps", "sha512/placement", "sha512/refusals", "sha512/wipe"},
    {SHORTER, CMK_SHA384_DIGEST_SIZE, cmk_sha384_init, "sha512/fips180_4_384", "sha512/lengths_384",
     "sha512/splits_384", "sha512/steps_384", "sha512/placement_384", "sha512/refusals_384", "sha512/wipe_384"},
};

/* The examples that NIST publishes with FIPS 180-4. */
static const published vectors[] = {
    {"",
     {"cf83e1357eefb8bd f1542850d66d8007 d620e4050b5715dc 83f4a921d36ce9ce 47d0d13c5d85f2b0 "
      "ff8318d2877eec2f 63b931bd47417a81 a538327af927da3e",
      "38b060a751ac9638 4cd9327eb1b1e36a 21fdb71114be0743 4c0cc7bf63f6e1da 274edebfe76f65fb "
      "d51ad2f14898b95b"}},
    {"abc",
     {"ddaf35a193617aba cc417349ae204131 12e6fa4e89a97ea2 0a9eeee64b55d39a 2192992a274fc1a8 "
      "36ba3c23a3feebbd 454d4423643ce80e 2a9ac94fa54ca49f",
      "cb00753f45a35e8b b5a03d699ac65007 272c32ab0eded163 1a8b605a43ff5bed 8086072ba1e7cc23 "
      "58baeca134c825a7"}},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqr"
     "smnopqrstnopqrstu",
     {"8e959b75dae313da 8cf4f72814fc143f 8f7779c6eb9f7fa1 7299aeadb6889018 501d289e4900f7e4 "
      "331b99dec4b5433a c7d329eeb6dd2654 5e96e55b874be909",
      "09330c33f71147e8 3d192fc782cd1b47 53111b173b3b05d2 2fa08086e3b0f712 fcc7c71a557e2db9 "
      "66c3e9fa91746039"}},
};

/* A message of 2^61 bytes and more, whose length has more than 64 bits, as far as its padding goes. */
static void check_longer(const sha512_variant *variant, const hash *one)
{
    static const char *const names[HASHES] = {"sha512/longer", "sha512/longer_384"};
    static const uint64_t before[] = {(uint64_t)1 << 61, ((uint64_t)1 << 63) + SHA2_BLOCK_SIZE,
                                      UINT64_MAX - 2 * SHA2_BLOCK_SIZE + 1};
    uint8_t data[SHA2_BLOCK_SIZE], want[SHA2_DIGEST_SIZE], got[SHA2_DIGEST_SIZE];
    cmk_sha512_context context;
    fill(data, sizeof data, 107);
    tap_begin(names[one->which]);
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++) {
        (void)one->init(&context);
        context.length = before[i];
        (void)variant->update(&context, data, 100);
        (void)finish(variant, one, &context, got);
        if (one->which == LONGER) {
            model_sha512(data, 100, before[i], want);
        } else {
            model_sha384(data, 100, before[i], want);
        }
        tap_equal(got, want, one->size, "number", i);
    }
    tap_end();
}

void test_sha512(const sha512_variant *variant)
{
    check_million(variant, &hashes[LONGER], "sha512/million",
                  "e718483d0ce76964 4e2e42c7bc15b463 8e1f98b13b204428 5632a803afa973eb de0ff244877ea60a "
                  "4cb0432ce577c31b eb009c5c2c49aa2e 4eadb217ad8cc09b");
    for (size_t i = 0; i < HASHES; i++) {
        check_published(variant, &hashes[i], vectors, sizeof vectors / sizeof vectors[0]);
        check_lengths(variant, &hashes[i]);
        check_splits(variant, &hashes[i]);
        check_steps(variant, &hashes[i]);
        check_placement(variant, &hashes[i]);
        check_longer(variant, &hashes[i]);
        check_refusals(variant, &hashes[i]);
        check_wipe(variant, &hashes[i]);
    }
}
