/* SPDX-License-Identifier: MIT */
/* SHA-256 and SHA-224: published vectors, every length and split, every placement, refusals. */
#include "tests.h"

#define SHA2_VARIANT sha256_variant
#define SHA2_FIND find_sha256
#define SHA2_CONTEXT cmk_sha256_context
#define SHA2_WIPE cmk_sha256_wipe
#define SHA2_SHORTER_FINAL final_224
#define SHA2_MODEL model_sha256
#define SHA2_SHORTER_MODEL model_sha224
#define SHA2_BLOCK_SIZE CMK_SHA256_BLOCK_SIZE
#define SHA2_DIGEST_SIZE CMK_SHA256_DIGEST_SIZE
#define SHA2_MAX_LENGTH ((UINT64_C(1) << 61) - 1) /* fewer than 2^64 bits */
#define SHA2_BOUNDARIES {1, 55, 56, 57, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257}

#include "test_sha2.h"

static const hash hashes[HASHES] = {
    {LONGER, CMK_SHA256_DIGEST_SIZE, cmk_sha256_init, "sha256/fips180_4", "sha256/lengths", "sha256/splits",
     "sha256/steps", "sha256/placement", "sha256/refusals", "sha256/wipe"},
    {SHORTER, CMK_SHA224_DIGEST_SIZE, cmk_sha224_init, "sha256/fips180_4_224", "sha256/lengths_224",
     "sha256/splits_224", "sha256/steps_224", "sha256/placement_224", "sha256/refusals_224", "sha256/wipe_224"},
};

/* The examples that NIST publishes with FIPS 180-4. */
static const published vectors[] = {
    {"",
     {"e3b0c442 98fc1c14 9afbf4c8 996fb924 27ae41e4 649b934c a495991b 7852b855",
      "d14a028c 2a3a2bc9 476102bb 288234c4 15a2b01f 828ea62a c5b3e42f"}},
    {"abc",
     {"ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad",
      "23097d22 3405d822 8642a477 bda255b3 2aadbce4 bda0b3f7 e36c9da7"}},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     {"248d6a61 d20638b8 e5c02693 0c3e6039 a33ce459 64ff2167 f6ecedd4 19db06c1",
      "75388b16 512776cc 5dba5da1 fd890150 b0c6455c b4f58b19 52522525"}},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqr"
     "smnopqrstnopqrstu",
     {"cf5b16a7 78af8380 036ce59e 7b049237 0b249b11 e8f07a51 afac4503 7afee9d1",
      "c97ca9a5 59850ce9 7a04a96d ef6d99a9 e0e0e2ab 14e6b8df 265fc0b3"}},
};

void test_sha256(const sha256_variant *variant)
{
    check_million(variant, &hashes[LONGER], "sha256/million",
                  "cdc76e5c 9914fb92 81a1c7e2 84d73e67 f1809a48 a497200e 046d39cc c7112cd0");
    for (size_t i = 0; i < HASHES; i++) {
        check_published(variant, &hashes[i], vectors, sizeof vectors / sizeof vectors[0]);
        check_lengths(variant, &hashes[i]);
        check_splits(variant, &hashes[i]);
        check_steps(variant, &hashes[i]);
        check_placement(variant, &hashes[i]);
        check_refusals(variant, &hashes[i]);
        check_wipe(variant, &hashes[i]);
    }
}
