#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "masks.h"
#include "masks_kernels_config.h"

static int number, failed;

static void check(const char *algorithm, const char *variant, const uint8_t *got, const uint8_t *want, size_t length)
{
    int ok = memcmp(got, want, length) == 0;
    printf("%s %d - %s %s 1 vectors\n", ok ? "ok" : "not ok", ++number, algorithm, variant);
    failed += !ok;
    for (int side = 0; !ok && side < 2; side++) {
        printf("#   %s ", side ? "want" : "got ");
        for (size_t i = 0; i < length; i++)
            printf("%02x", (side ? want : got)[i]);
        printf("\n");
    }
}

static void imc(const char *variant, void (*run)(uint8_t[16]))
{
    /* FIPS 197's MixColumns, the other way: the columns of its appendix B, round 1 */
    uint8_t block[16] = {0x04, 0x66, 0x81, 0xe5, 0xe0, 0xcb, 0x19, 0x9a, 0x48, 0xf8, 0xd3, 0x7a, 0x28, 0x06, 0x26, 0x4c};
    const uint8_t want[16] = {0xd4, 0xbf, 0x5d, 0x30, 0xe0, 0xb4, 0x52, 0xae,
                              0xb8, 0x41, 0x11, 0xf1, 0x1e, 0x27, 0x98, 0xe5};
    run(block);
    check("imc", variant, block, want, sizeof want);
}

static void clmul(const char *variant, void (*run)(uint64_t[2], uint64_t, uint64_t))
{
    uint64_t got[2];
    const uint64_t want[2] = {9, 1};
    run(got, 7, 3);
    uint64_t low = got[0];
    run(got, (uint64_t)1 << 63, 2);
    got[0] ^= low;
    check("clmul", variant, (const uint8_t *)got, (const uint8_t *)want, sizeof want);
}

static void fold(const char *variant, void (*run)(uint8_t[16], const uint8_t[16], const uint8_t[16]))
{
    uint8_t block[16] = {0x01, 0xff};
    const uint8_t a[16] = {0x02, 0x0f}, b[16] = {0x04, 0xf0}, want[16] = {0x07, 0x00};
    run(block, a, b);
    check("fold", variant, block, want, sizeof want);
}

int main(int argc, char **argv)
{
    const char *variant = argc == 3 && strcmp(argv[1], "--variant") == 0 ? argv[2] : "";
    if (strcmp(variant, "portable") == 0) {
        imc(variant, masks_imc_portable);
        clmul(variant, masks_clmul_portable);
        fold(variant, masks_fold_portable);
    }
    if (strcmp(variant, "arm64") == 0) {
#if MASKS_BUILD_IMC_ARM64
        imc(variant, masks_imc_arm64);
#endif
#if MASKS_BUILD_CLMUL_ARM64
        clmul(variant, masks_clmul_arm64);
#endif
#if MASKS_BUILD_FOLD_ARM64
        fold(variant, masks_fold_arm64);
#endif
    }
    if (strcmp(variant, "dispatch") == 0) {
        imc(variant, masks_imc);
        clmul(variant, masks_clmul);
        fold(variant, masks_fold);
    }
    printf("1..%d\n", number);
    return failed != 0;
}
