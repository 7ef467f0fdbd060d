"""Known answers for the `cmk_vectors` program: CBC, GCM and XTS, in the form that `vectors` describes."""

from __future__ import annotations

import random
from itertools import islice
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tests.build.vectors import cut, line, records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["cavp", "cbc", "gcm", "gcm_additional_data", "gcm_wraps", "random_lengths", "xts"]

KEY_SIZES = (128, 192, 256)
CBC_FILES = ("CBCGFSbox", "CBCKeySbox", "CBCMMT", "CBCVarKey", "CBCVarTxt")
EACH = 2  # of the fifteen vectors of each combination of lengths in NIST's files for GCM


def _sampled(name: str) -> Iterable[dict[str, str]]:
    """Yield the first records of each run of equal lengths of a file for GCM."""
    for record in records(name):
        if int(record["COUNT"]) < EACH:
            yield record


def _cbc_cavp() -> Iterator[str]:
    for size in KEY_SIZES:
        for name in CBC_FILES:
            for record in records(f"ciphers/AES/CBC/{name}{size}.rsp"):
                key, iv, plain, cipher = (
                    bytes.fromhex(record[field]) for field in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT")
                )
                if record["section"] == "ENCRYPT":
                    yield line("aes_cbc_encrypt", key, iv, plain, cipher)
                else:
                    yield line("aes_cbc_decrypt", key, iv, cipher, plain)


def _gcm_cavp() -> Iterator[str]:
    for size in KEY_SIZES:
        for name in ("gcmEncryptExtIV", "gcmDecrypt"):
            for record in _sampled(f"ciphers/AES/GCM/{name}{size}.rsp"):
                key, iv, cipher, aad, tag = (
                    bytes.fromhex(record[field]) for field in ("KEY", "IV", "CT", "AAD", "TAG")
                )
                if "FAIL" in record:
                    yield line("aes_gcm_refuse", key, iv, cipher, b"", aad, tag)
                    continue
                algorithm = "aes_gcm_decrypt" if name == "gcmDecrypt" else "aes_gcm_encrypt"
                plain = bytes.fromhex(record["PT"])
                data = (cipher, plain) if name == "gcmDecrypt" else (plain, cipher)
                yield line(algorithm, key, iv, *data, aad, tag)


def _xts_cavp() -> Iterator[str]:
    for size in (128, 256):
        for record in records(f"ciphers/AES/XTS/tweak-128hexstr/XTSGenAES{size}.rsp"):
            if int(record["DATAUNITLEN"]) % 8 == 0:  # the others end within a byte
                key, tweak, plain, cipher = (
                    bytes.fromhex(record[field]) for field in ("KEY", "I", "PT", "CT")
                )
                if record["section"] == "ENCRYPT":
                    yield line("aes_xts_encrypt", key, tweak, plain, cipher)
                else:
                    yield line("aes_xts_decrypt", key, tweak, cipher, plain)


def cavp() -> list[str]:
    """Return the vectors of NIST's files: all of CBC and XTS, some of GCM for each combination of lengths."""
    return [*_cbc_cavp(), *_gcm_cavp(), *_xts_cavp()]


def cbc(key: bytes, iv: bytes, data: bytes, splits: list[int] | None = None) -> list[str]:
    """Return the vectors of both directions for whole blocks, by an independent implementation."""
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    encrypted = encryptor.update(data) + encryptor.finalize()
    return [
        line("aes_cbc_encrypt", key, iv, data, encrypted, splits=splits),
        line("aes_cbc_decrypt", key, iv, encrypted, data, splits=splits),
    ]


def xts(key: bytes, tweak: bytes, data: bytes) -> list[str]:
    """Return the vectors of both directions for a data unit, by an independent implementation."""
    encryptor = Cipher(algorithms.AES(key), modes.XTS(tweak)).encryptor()
    encrypted = encryptor.update(data) + encryptor.finalize()
    return [
        line("aes_xts_encrypt", key, tweak, data, encrypted),
        line("aes_xts_decrypt", key, tweak, encrypted, data),
    ]


def gcm(
    key: bytes, iv: bytes, aad: bytes, data: bytes, *, tag_length: int = 16, splits: list[int] | None = None
) -> list[str]:
    """Return the vectors of both directions and a refusal, by an independent implementation.

    It wants IVs of at least 8 bytes.
    """
    encryptor = Cipher(algorithms.AES(key), modes.GCM(iv)).encryptor()
    encryptor.authenticate_additional_data(aad)
    encrypted = encryptor.update(data) + encryptor.finalize()
    tag = encryptor.tag[:tag_length]
    wrong = bytes([*tag[:-1], tag[-1] ^ 1])
    return [
        line("aes_gcm_encrypt", key, iv, data, encrypted, aad, tag, splits=splits),
        line("aes_gcm_decrypt", key, iv, encrypted, data, aad, tag, splits=splits),
        line("aes_gcm_refuse", key, iv, encrypted, b"", aad, wrong, splits=splits),
    ]


def random_lengths(seed: int) -> list[str]:
    """Return vectors for lengths around every block and batch up to 80 blocks, split at random."""
    source, lines = random.Random(seed), []  # noqa: S311  not for keys

    def bytes_of(*lengths: int) -> bytes:
        return source.randbytes(source.choice(lengths))

    for blocks in (*range(41), 63, 64, 65, 80):
        for length in (16 * blocks - 1, 16 * blocks, 16 * blocks + 1):
            if length < 0:
                continue
            data, aad = source.randbytes(length), source.randbytes(source.choice((0, 13, 16, 20, 128, 145)))
            splits = cut(length + len(aad), [source.randrange(1, 300) for _ in range(source.randrange(4))])
            key, iv, tag_length = bytes_of(16, 24, 32), bytes_of(12, 8, 16, 60), source.randrange(4, 17)
            lines += gcm(key, iv, aad, data, tag_length=tag_length, splits=splits)
            if length >= 16:
                lines += xts(bytes_of(32, 64), source.randbytes(16), data)
            if length % 16 == 0:
                whole = [split - split % 16 for split in splits]
                lines += cbc(bytes_of(16, 24, 32), source.randbytes(16), data, cut(length, whole))
    return lines


def gcm_additional_data() -> list[str]:
    """Return case B72: additional data around whole blocks, split anywhere; texts around 0 to 40 blocks."""
    key, iv, plain = bytes(range(16)), bytes(range(12)), bytes(range(33))
    tags = {
        0: "f784d07537d7825bfef6abfed6545b35",
        1: "f3188e7a95b8cc381008fa8e0f0d0394",
        15: "04767045bde62de7c059939052633548",
        16: "828d677f6a4df448037c0f71a05b91fd",
        17: "e32088ea97263fab9253db8f4abeba4d",
        32: "dfb82755ea5d5c5afd84374fee5a9f06",
        48: "23e127b2d26e3a65af011c9303c5b5cf",
        64: "a2d539d45bc39f9786a54fe39c4ff800",
        65: "b1227ff495c7bce46cb974081f50e5d8",
        128: "cf2b7a034226e3fd3db69beb2361f19e",
        129: "91c6ec8da84b33f517a7f5ded8e7f9e8",
    }
    lines = []
    for length, tag in tags.items():
        aad = bytes((7 * i + 1) & 255 for i in range(length))
        for at in range(length + 1):
            lines += gcm(key, iv, aad, plain, splits=[at, length - at] if at else None)
            assert lines[-3].split()[6] == tag
    for blocks in range(41):
        for length in {max(16 * blocks + step, 0) for step in (-1, 0, 1)}:
            lines += gcm(key, iv, b"additional", bytes(i & 255 for i in range(length)))
    return lines


def _multiply(x: int, y: int) -> int:
    """Return the product of two blocks as numbers whose highest bit is that of x^0: SP 800-38D, 6.3."""
    product = 0
    for i in range(128):
        if x >> (127 - i) & 1:
            product ^= y
        y = y >> 1 ^ (0xE1 << 120 if y & 1 else 0)
    return product


def _iv_for(key: bytes, counter: int) -> bytes:
    """Return the IV of 16 bytes from which GCM makes `counter`, by dividing by H twice."""
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305  the block cipher itself
    power = int.from_bytes(encryptor.update(bytes(16)), "big")
    inverse = 1 << 127
    for _ in range(127):  # 1/h is h to the power of 2^128 - 2
        power = _multiply(power, power)
        inverse = _multiply(inverse, power)
    return _multiply(_multiply(counter, inverse) ^ 128, inverse).to_bytes(16, "big")


def gcm_wraps() -> list[str]:
    """Return messages whose 32-bit counter wraps on one of the first 41 blocks, so in every lane."""
    key, lines = bytes(range(16)), list[str]()
    for before in range(41):
        counter = (0x00112233445566778899AABB << 32 | 0xFFFFFFFF) - before
        iv = _iv_for(key, counter)
        for splits in (None, [5], [16], [16 * 20]):
            lines += islice(gcm(key, iv, b"", bytes(50 * 16), splits=splits), 2)
        ecb = Cipher(algorithms.AES(key), modes.ECB()).encryptor()  # noqa: S305  the block cipher itself
        first = counter & ~0xFFFFFFFF | (counter + 1) & 0xFFFFFFFF
        assert lines[-1].split()[3][:32] == ecb.update(first.to_bytes(16, "big")).hex()
    return lines
