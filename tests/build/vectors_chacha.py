"""Known answers of ChaCha20, Poly1305 and their AEAD for the `cmk_vectors` program.

They come from RFC 8439's vectors and other published ones, from an independent implementation, and, where the
counter wraps, from RFC 8439 written down once more: OpenSSL 3.0 carries into the nonce there (case B69).
"""

from __future__ import annotations

import hashlib
import random
import struct
from typing import TYPE_CHECKING

import cryptography_vectors
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.poly1305 import Poly1305
from hypothesis import strategies

from tests.build.vectors import cut, line

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["additional_data", "any_line", "boundary_splits", "counter_wraps", "published", "random_lengths"]

BLOCK, TAG = 64, 16
RAGGED = [5, 1, 10, 64, 3, 100, 63, 65, 200, 7]
BOUNDARIES = (1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 640, 703, 704)
LONGEST = 1300


# Independent implementations


def _chacha20(key: bytes, iv: bytes, data: bytes) -> bytes:
    """`iv`: the counter and the nonce, as RFC 8439 has them in the state. The counter may not wrap."""
    assert int.from_bytes(iv[:4], "little") + len(data) // BLOCK < 2**32
    encryptor = Cipher(algorithms.ChaCha20(key, iv), None).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def _rotated(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & 0xFFFFFFFF


def _block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """Return a block of keystream: RFC 8439 section 2.3."""
    start = list(struct.unpack("<16I", b"expand 32-byte k" + key + counter.to_bytes(4, "little") + nonce))
    words = start.copy()
    columns = [(i, 4 + i, 8 + i, 12 + i) for i in range(4)]
    diagonals = [(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4) for i in range(4)]
    for a, b, c, d in (columns + diagonals) * 10:
        for x, y, z, bits in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            words[x] = words[x] + words[y] & 0xFFFFFFFF
            words[z] = _rotated(words[z] ^ words[x], bits)
    return struct.pack("<16I", *(x + y & 0xFFFFFFFF for x, y in zip(words, start, strict=True)))


def _keystream(key: bytes, counter: int, nonce: bytes, blocks: int) -> bytes:
    return b"".join(_block(key, (counter + i) % 2**32, nonce) for i in range(blocks))


# Published vectors


def _records(name: str) -> Iterator[dict[str, str]]:
    """Yield the records of a file of fields; a blank line ends each."""
    record: dict[str, str] = {}
    with cryptography_vectors.open_vector_file(name, "r") as file:
        for text in map(str.strip, [*file, ""]):
            field, separator, value = text.partition("=")
            if separator and not text.startswith("#"):
                record[field.strip().upper()] = value.strip()
            elif not text and record:
                yield record
                record = {}


def _published_chacha20() -> Iterator[str]:
    for one in _records("ciphers/ChaCha20/rfc7539.txt"):
        key, nonce, plain, cipher = (
            bytes.fromhex(one[field]) for field in ("KEY", "NONCE", "PLAINTEXT", "CIPHERTEXT")
        )
        iv = int(one["INITIAL_BLOCK_COUNTER"]).to_bytes(4, "little") + nonce
        yield line("chacha20", key, iv, plain, cipher)
        yield line("chacha20", key, iv, cipher, plain)


def _published_poly1305() -> Iterator[str]:
    for one in _records("poly1305/rfc7539.txt"):
        yield line(
            "poly1305", bytes.fromhex(one["KEY"]), b"", bytes.fromhex(one["MSG"]), bytes.fromhex(one["TAG"])
        )


def _published_aead() -> Iterator[str]:
    for one in _records("ciphers/ChaCha20Poly1305/openssl.txt"):
        key, nonce, aad, plain, cipher, tag = (
            bytes.fromhex(one[field]) for field in ("KEY", "IV", "AAD", "PLAINTEXT", "CIPHERTEXT", "TAG")
        )
        if len(nonce) < 12:  # OpenSSL fills shorter ones up with zeros
            continue
        if "RESULT" in one:
            yield line("chacha20_poly1305_open", key, nonce + aad, cipher + tag, b"")
        else:
            yield line("chacha20_poly1305", key, nonce + aad, plain, cipher + tag)
    for one in _records("ciphers/ChaCha20Poly1305/boringssl.txt"):
        key, nonce, plain, aad, cipher, tag = (
            _bytes(one[field]) for field in ("KEY", "NONCE", "IN", "AD", "CT", "TAG")
        )
        if len(tag) == TAG and len(nonce) == 12:
            yield line("chacha20_poly1305", key, nonce + aad, plain, cipher + tag)


def _bytes(text: str) -> bytes:
    """Return what is written as digits, or as text in quotes."""
    return text.strip('"').encode() if text.startswith('"') else bytes.fromhex(text)


def published() -> list[str]:
    """Return every published vector of these algorithms that `cryptography_vectors` has."""
    return [*_published_chacha20(), *_published_poly1305(), *_published_aead()]


# Made by the independent implementation


def _aead(key: bytes, nonce: bytes, aad: bytes, plain: bytes, place: str = "") -> str:
    sealed = ChaCha20Poly1305(key).encrypt(nonce, plain, aad)
    return line("chacha20_poly1305", key, nonce + aad, plain, sealed, place=place)


def random_lengths(seed: int) -> list[str]:
    """Return vectors of many lengths, split at random, with a counter that does not wrap."""
    source, lines = random.Random(seed), []  # noqa: S311  not for keys
    for length in [*range(530), *range(530, LONGEST, 11)]:
        data, key, nonce, aad = (source.randbytes(n) for n in (length, 32, 12, source.randrange(70)))
        counter = source.choice((0, 1, 2**31 - 3, 2**32 - 40, source.randrange(2**31)))
        iv = counter.to_bytes(4, "little") + nonce
        splits = cut(length, [source.randrange(1, 300) for _ in range(source.randrange(4))])
        place = f"{source.randrange(16)}" + source.choice(("", f",{source.randrange(16)}"))
        lines.append(line("chacha20", key, iv, data, _chacha20(key, iv, data), splits=splits, place=place))
        lines.append(
            line("poly1305", key, b"", data, Poly1305.generate_tag(key, data), splits=splits, place=place)
        )
        lines.append(_aead(key, nonce, aad, data, place=place))
    return lines


def additional_data(seed: int) -> list[str]:
    """Return case B72: additional data of every length to 130 bytes, and texts around 0 to 18 blocks."""
    source, lines = random.Random(seed), []  # noqa: S311
    key, nonce = source.randbytes(32), source.randbytes(12)
    lines += [_aead(key, nonce, source.randbytes(length), bytes(range(33))) for length in range(131)]
    for around in range(0, 18 * BLOCK, 16):
        for length in {max(around + step, 0) for step in (-1, 0, 1)}:
            lines += [_aead(key, nonce, bytes(aad), source.randbytes(length)) for aad in (0, 16, 17)]
    return lines


def boundary_splits(seed: int) -> list[str]:
    """Return vectors cut at every pair of block and batch boundaries, and into ragged calls."""
    source, lines = random.Random(seed), []  # noqa: S311
    data, key, nonce = source.randbytes(LONGEST), source.randbytes(32), source.randbytes(12)
    iv = bytes(4) + nonce
    stream, tag = _chacha20(key, iv, data), Poly1305.generate_tag(key, data)
    cuts = [[first, second] for first in BOUNDARIES for second in BOUNDARIES if first + second < LONGEST]
    for splits in [*cuts, RAGGED, RAGGED + RAGGED]:
        lines.append(line("chacha20", key, iv, data, stream, splits=splits))
        lines.append(line("poly1305", key, b"", data, tag, splits=splits))
    return lines


def counter_wraps() -> list[str]:
    """Return case B69: the counter wraps after 2^32 - 1, before each of the first twenty blocks."""
    key, nonce = bytes(range(32)), bytes.fromhex("020000000000000000000000")
    stream = _keystream(key, 0xFFFFFFFE, nonce, 6)
    digest = "0c7f6bb8b9f7ee2c4809b9d823756b8c5fc52f8657ef0c3fb025499d993f72bf"
    assert hashlib.sha256(stream).hexdigest() == digest
    assert stream[128:192] == _block(key, 0, nonce)
    start = (0xFFFFFFFE).to_bytes(4, "little") + nonce
    lines = [
        line("chacha20", key, start, bytes(len(stream)), stream, splits=splits)
        for splits in ([], [1], [64], [127], [128], [129], [64] * 5, [7] * 54)
    ]
    for before in range(20):
        counter = (-before) % 2**32
        wide = _keystream(key, counter, nonce, 21)
        lines.append(line("chacha20", key, counter.to_bytes(4, "little") + nonce, bytes(len(wide)), wide))
    return lines


# For hypothesis

_PLACES = strategies.one_of(
    strategies.just(""),
    strategies.integers(0, 63).map(str),
    strategies.tuples(strategies.integers(0, 63), strategies.integers(0, 63)).map(
        lambda two: f"{two[0]},{two[1]}"
    ),
)


@strategies.composite
def any_line(draw: strategies.DrawFn) -> str:
    """Draw a vector: any algorithm, length, splits, alignment, in place or not, right or forged."""
    length = draw(strategies.one_of(strategies.integers(0, 300), strategies.integers(0, 2100)))
    source = draw(strategies.randoms(use_true_random=False))
    key, nonce, data, aad = (source.randbytes(n) for n in (32, 12, length, draw(strategies.integers(0, 100))))
    splits = cut(length, draw(strategies.lists(strategies.integers(1, 700), max_size=8)))
    place = draw(_PLACES)
    algorithm = draw(strategies.sampled_from(("chacha20", "poly1305", "aead", "forged")))
    if algorithm == "chacha20":
        counter = draw(strategies.integers(0, 2**32 - 1))
        wraps = counter + length // BLOCK >= 2**32
        iv = counter.to_bytes(4, "little") + nonce
        stream = (
            _keystream(key, counter, nonce, length // BLOCK + 1)
            if wraps
            else _chacha20(key, iv, bytes(length))
        )
        answer = bytes(a ^ b for a, b in zip(data, stream, strict=False))
        return line("chacha20", key, iv, data, answer, splits=splits, place=place)
    if algorithm == "poly1305":
        return line("poly1305", key, b"", data, Poly1305.generate_tag(key, data), splits=splits, place=place)
    if algorithm == "aead":
        return _aead(key, nonce, aad, data, place=place)
    forged = bytearray(ChaCha20Poly1305(key).encrypt(nonce, data, aad))
    forged[draw(strategies.integers(0, len(forged) - 1))] ^= 1 << draw(strategies.integers(0, 7))
    try:
        ChaCha20Poly1305(key).decrypt(nonce, bytes(forged), aad)
    except InvalidTag:
        pass
    else:
        raise AssertionError("a forged message was accepted")
    return line("chacha20_poly1305_open", key, nonce + aad, bytes(forged), b"", place=place)
