/* AES: block modes and the modes made of single blocks. */
#include "compare.h"
#include "report.h"

#include <string.h>

#include <wolfssl/wolfcrypt/aes.h>
#include <wolfssl/wolfcrypt/cmac.h>

static const word32 key_sizes[] = {16, 24, 32};
static byte key[64], iv[16];
static Aes aes; /* aligned, as wolfSSL wants it */

typedef int crypt_function(Aes *aes, byte *out, const byte *in, word32 sz);

/* Every number of blocks around those in flight, then long ones; unaligned; in place; and in two calls, where the
 * second goes on from the first. */
static void block_mode(const char *name, crypt_function *crypt, int direction)
{
    static const word32 long_ones[] = {47, 48, 49, 63, 64, 65, 127, 255, 256, 400};
    if (!group(name)) {
        return;
    }
    for (word32 i = 0; i < 44 + sizeof long_ones / sizeof long_ones[0]; i++) {
        word32 blocks = i < 44 ? i : long_ones[i - 44], size = 16 * blocks;
        for (word32 k = 0; k < 3; k++) {
            for (int in_place = 0; in_place < 2; in_place++) {
                const byte *in = input(i + k);
                byte *out = output(3 * i + k, size, in_place ? in : NULL);
                const byte *from = in_place ? out : in;
                word32 first = 16 * (in_place ? blocks / 2 : blocks);
                number_of_case(wc_AesSetKey(&aes, key, key_sizes[k], iv, direction));
                number_of_case(crypt(&aes, out, from, first));
                number_of_case(crypt(&aes, out + first, from + first, size - first));
                output_of_case(size);
                bytes_of_case(aes.reg, 16);
                case_done();
            }
        }
    }
    group_done();
}

#ifdef WOLFSSL_AES_COUNTER
static void ctr_in_pieces(word32 key_size, const byte *counter, const word32 *pieces, word32 count, int in_place)
{
    word32 total = 0, done = 0;
    for (word32 i = 0; i < count; i++) {
        total += pieces[i];
    }
    const byte *in = input(total);
    byte *out = output(total / 3, total, in_place ? in : NULL);
    number_of_case(wc_AesSetKey(&aes, key, key_size, counter, AES_ENCRYPTION));
    for (word32 i = 0; i < count; i++) {
        number_of_case(wc_AesCtrEncrypt(&aes, out + done, (in_place ? out : in) + done, pieces[i]));
        done += pieces[i];
    }
    output_of_case(total);
    bytes_of_case(aes.reg, 16);
    number_of_case((long)aes.left);
    case_done();
}

/* A carry out of the low 32, 64 and 128 bits, `before` blocks from the start. */
static void wrapping_counter(byte counter[16], word32 carry_bytes, word32 before)
{
    memset(counter, 0x11, 16);
    memset(counter + 16 - carry_bytes, 0xff, carry_bytes);
    counter[15] = (byte)(0xff - before);
}

static void ctr(void)
{
    static const word32 ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7, 0, 16, 128, 129, 127, 15, 1};
    static const word32 carries[] = {4, 8, 16};
    byte counter[16];
    if (!group("ctr")) {
        return;
    }
    for (word32 length = 0; length <= 700; length += length < 300 ? 1 : 13) {
        ctr_in_pieces(key_sizes[length % 3], iv, &length, 1, length % 2);
    }
    for (word32 first = 0; first <= 160; first++) {
        const word32 pieces[] = {first, 160 - first};
        ctr_in_pieces(16, iv, pieces, 2, 0);
    }
    for (word32 k = 0; k < 3; k++) {
        ctr_in_pieces(key_sizes[k], iv, ragged, sizeof ragged / sizeof ragged[0], 0);
        for (word32 i = 0; i < 3; i++) {
            for (word32 before = 0; before < 20; before++) {
                const word32 whole = 16 * 24, pieces[] = {16 * before + 5, 16 * 24 - 16 * before - 5 + 160};
                wrapping_counter(counter, carries[i], before);
                ctr_in_pieces(key_sizes[k], counter, &whole, 1, 1);
                ctr_in_pieces(key_sizes[k], counter, pieces, 2, 0);
            }
        }
    }
    group_done();
}
#endif

#ifdef WOLFSSL_AES_XTS
static void xts(void)
{
    static XtsAes xts_key;
    if (!group("xts")) {
        return;
    }
    for (word32 length = 16; length <= 1100; length += length < 420 ? 1 : 37) {
        for (int direction = AES_ENCRYPTION; direction <= AES_DECRYPTION; direction++) {
            word32 key_size = length % 2 == 0 ? 32 : 64;
            int in_place = (int)(length / 2 % 2);
            const byte *in = input(length);
            byte *out = output(length / 7, length, in_place ? in : NULL);
            number_of_case(wc_AesXtsSetKey(&xts_key, key, key_size, direction, NULL, INVALID_DEVID));
            number_of_case((direction == AES_ENCRYPTION ? wc_AesXtsEncrypt : wc_AesXtsDecrypt)(
                &xts_key, out, in_place ? out : in, length, iv, 16));
            output_of_case(length);
            case_done();
            wc_AesXtsFree(&xts_key);
        }
    }
    group_done();
}
#endif

#ifdef WOLFSSL_AES_DIRECT
static void direct(void)
{
    if (!group("direct")) {
        return;
    }
    for (word32 i = 0; i < 96; i++) {
        const byte *in = input(i);
        byte *out = output(i / 3, 32, in);
        word32 size = key_sizes[i % 3];
        number_of_case(wc_AesSetKeyDirect(&aes, key, size, NULL, AES_ENCRYPTION));
        number_of_case(wc_AesEncryptDirect(&aes, out, i % 2 == 0 ? in : out));
        number_of_case(wc_AesSetKeyDirect(&aes, key, size, NULL, AES_DECRYPTION));
        number_of_case(wc_AesDecryptDirect(&aes, out + 16, i % 2 == 0 ? in : out + 16));
        output_of_case(32);
        case_done();
    }
    group_done();
}
#endif

#ifdef HAVE_AESCCM
static void ccm(void)
{
    if (!group("ccm")) {
        return;
    }
    for (word32 length = 0; length <= 160; length++) {
        byte tag[16] = {0};
        const byte *in = input(length);
        byte *out = output(length, length, NULL);
        number_of_case(wc_AesCcmSetKey(&aes, key, key_sizes[length % 3]));
        number_of_case(wc_AesCcmEncrypt(&aes, out, in, length, iv, 13, tag, 16, key, length % 40));
        output_of_case(length);
        bytes_of_case(tag, sizeof tag);
        number_of_case(wc_AesCcmDecrypt(&aes, out, out, length, iv, 13, tag, 16, key, length % 40));
        output_of_case(length);
        case_done();
    }
    group_done();
}
#endif

#ifdef WOLFSSL_CMAC
static void cmac(void)
{
    if (!group("cmac")) {
        return;
    }
    for (word32 length = 1; length <= 160; length++) {
        byte tag[16] = {0};
        word32 size = sizeof tag;
        number_of_case(wc_AesCmacGenerate(tag, &size, input(length), length, key, key_sizes[length % 3]));
        bytes_of_case(tag, sizeof tag);
        case_done();
    }
    group_done();
}
#endif

void compare_aes(void)
{
    fill(key, sizeof key, 100);
    fill(iv, sizeof iv, 101);
    (void)wc_AesInit(&aes, NULL, INVALID_DEVID);
    block_mode("cbc encrypt", wc_AesCbcEncrypt, AES_ENCRYPTION);
    block_mode("cbc decrypt", wc_AesCbcDecrypt, AES_DECRYPTION);
#ifdef HAVE_AES_ECB
    block_mode("ecb encrypt", wc_AesEcbEncrypt, AES_ENCRYPTION);
    block_mode("ecb decrypt", wc_AesEcbDecrypt, AES_DECRYPTION);
#endif
#ifdef WOLFSSL_AES_COUNTER
    ctr();
#endif
#ifdef WOLFSSL_AES_XTS
    xts();
#endif
#ifdef WOLFSSL_AES_DIRECT
    direct();
#endif
#ifdef HAVE_AESCCM
    ccm();
#endif
#ifdef WOLFSSL_CMAC
    cmac();
#endif
    wc_AesFree(&aes);
}
