/* ChaCha20, Poly1305 and both together. */
#include "compare.h"
#include "report.h"

#include <string.h>

#include <wolfssl/wolfcrypt/chacha.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/poly1305.h>

static byte key[32], nonce[24];

static void chacha_in_pieces(word32 key_size, word32 counter, const word32 *pieces, word32 count, int in_place)
{
    static ChaCha chacha;
    word32 total = 0, done = 0;
    for (word32 i = 0; i < count; i++) {
        total += pieces[i];
    }
    const byte *in = input(total);
    byte *out = output(total / 5, total, in_place ? in : NULL);
    number_of_case(wc_Chacha_SetKey(&chacha, key, key_size));
    number_of_case(wc_Chacha_SetIV(&chacha, nonce, counter));
    for (word32 i = 0; i < count; i++) {
        number_of_case(wc_Chacha_Process(&chacha, out + done, (in_place ? out : in) + done, pieces[i]));
        done += pieces[i];
    }
    output_of_case(total);
    case_done();
}

static void chacha(void)
{
    static const word32 ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7, 256, 255, 257, 320, 512, 1, 1023};
    if (!group("chacha20")) {
        return;
    }
    for (word32 length = 0; length <= 2600; length += length < 1300 ? 1 : 61) {
        chacha_in_pieces(length % 2 == 0 ? 32 : 16, length % 7, &length, 1, (int)(length / 2 % 2));
    }
    for (word32 first = 0; first <= 700; first += 3) {
        const word32 pieces[] = {first, 700 - first};
        chacha_in_pieces(32, 1, pieces, 2, 0);
    }
    chacha_in_pieces(32, 0, ragged, sizeof ragged / sizeof ragged[0], 0);
    chacha_in_pieces(16, 0, ragged, sizeof ragged / sizeof ragged[0], 1);
    group_done();
    if (!group("chacha20 counters that wrap")) {
        return;
    }
    for (word32 before = 0; before < 24; before++) {
        const word32 whole = 64 * 20 + before, pieces[] = {64 * before + 1, 64 * 20};
        chacha_in_pieces(32, 0xffffffff - before, &whole, 1, (int)(before % 2));
        chacha_in_pieces(32, 0xffffffff - before, pieces, 2, 0);
    }
    group_done();
}

static void poly_in_pieces(const byte *poly_key, const byte *in, const word32 *pieces, word32 count)
{
    static Poly1305 poly;
    byte tag[16 + MARGIN];
    memset(tag, 0xa5, sizeof tag);
    number_of_case(wc_Poly1305SetKey(&poly, poly_key, 32));
    for (word32 i = 0; i < count; i++) {
        number_of_case(wc_Poly1305Update(&poly, in, pieces[i]));
        in += pieces[i];
    }
    number_of_case(wc_Poly1305Final(&poly, tag));
    bytes_of_case(tag, sizeof tag);
    case_done();
}

/* Keys and messages whose limbs are as large, or as close to 2^130 - 5, as they can be. */
static void poly_edges(void)
{
    static const byte edges[] = {0x00, 0xff, 0xfb, 0xfa, 0xfc, 0x80, 0x7f, 0x01};
    static byte extreme[1024];
    byte poly_key[32];
    for (word32 i = 0; i < 64; i++) {
        for (word32 length = 1; length <= 400; length += 27) {
            memset(poly_key, edges[i / 8], sizeof poly_key);
            memset(extreme, edges[i % 8], sizeof extreme);
            extreme[16 * (length % 9)] = 0xfb;
            poly_in_pieces(poly_key, extreme, &length, 1);
        }
    }
}

static void poly(void)
{
    static const word32 ragged[] = {5, 1, 10, 64, 3, 100, 63, 65, 200, 7, 128, 16, 15, 17, 256, 1};
    if (!group("poly1305")) {
        return;
    }
    for (word32 length = 0; length <= 900; length++) {
        poly_in_pieces(key, input(length), &length, 1);
    }
    for (word32 first = 0; first <= 300; first++) {
        const word32 pieces[] = {first, 300 - first};
        poly_in_pieces(key, input(first), pieces, 2);
    }
    poly_in_pieces(key, input(3), ragged, sizeof ragged / sizeof ragged[0]);
    poly_edges();
    group_done();
}

static void both(void)
{
    if (!group("chacha20-poly1305")) {
        return;
    }
    for (word32 length = 1; length <= 1400; length += length < 700 ? 1 : 53) {
        byte tag[16];
        word32 aad = length % 70;
        const byte *in = input(length);
        byte *out = output(length, length, length % 2 == 0 ? in : NULL);
        number_of_case(wc_ChaCha20Poly1305_Encrypt(key, nonce, key, aad % 32, length % 2 == 0 ? out : in, length, out,
                                                   tag));
        output_of_case(length);
        bytes_of_case(tag, sizeof tag);
        number_of_case(wc_ChaCha20Poly1305_Decrypt(key, nonce, key, aad % 32, out, length, tag, out));
        output_of_case(length);
        tag[length % 16] ^= 1;
        number_of_case(wc_ChaCha20Poly1305_Decrypt(key, nonce, key, aad % 32, in, length, tag, out));
        case_done();
    }
    group_done();
}

#ifdef HAVE_XCHACHA
static void xchacha(void)
{
    if (!group("xchacha20-poly1305")) {
        return;
    }
    for (word32 length = 1; length <= 400; length += 7) {
        const byte *in = input(length);
        byte *out = output(length, length + 16, NULL);
        number_of_case(
            wc_XChaCha20Poly1305_Encrypt(out, length + 16, in, length, key, length % 32, nonce, 24, key, 32));
        output_of_case(length + 16);
        case_done();
    }
    group_done();
}
#endif

void compare_chacha(void)
{
    fill(key, sizeof key, 120);
    fill(nonce, sizeof nonce, 121);
    chacha();
    poly();
    both();
#ifdef HAVE_XCHACHA
    xchacha();
#endif
}
