"""Known answers for the `cmk_vectors` program: the CAVP files, an independent implementation, case B66.

A vector is one line: ALGORITHM KEY IV INPUT OUTPUT [SPLITS] [@PLACE], in hexadecimal, `-` for nothing.
vectors_modes has those of CBC, GCM and XTS, vectors_chacha those of ChaCha20 and Poly1305.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

import cryptography_vectors
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "boundary_splits",
    "cavp",
    "counter_wraps",
    "cut",
    "line",
    "random_blocks",
    "random_lengths",
    "records",
]

KEY_SIZES = (128, 192, 256)
ECB_FILES = ("ECBGFSbox", "ECBKeySbox", "ECBMMT", "ECBVarKey", "ECBVarTxt")
LONGEST = 520
BOUNDARIES = (1, 15, 16, 17, 63, 64, 65, 111, 112, 113, 127, 128, 129, 255, 256, 257)


def line(algorithm: str, *values: bytes, splits: list[int] | None = None, place: str = "") -> str:
    """Return the line for `values`: key, IV, input and output, and for GCM additional data and tag.

    `place`: where in memory, FROM or FROM,TO.
    """
    fields = [algorithm, *(value.hex() or "-" for value in values)]
    fields += [",".join(map(str, splits))] if splits else []
    return " ".join(fields + ([f"@{place}"] if place else []))


def records(name: str) -> Iterator[dict[str, str]]:
    """Yield the records of a NIST response file; `section` is the last [HEADING], FAIL the word FAIL."""
    section, record = "", {}
    with cryptography_vectors.open_vector_file(name, "r") as file:
        for one in [*file, ""]:
            text = one.strip()
            if text.startswith("["):
                section = text.strip("[]")
            elif " =" in text:
                field, value = text.split(" =", 1)
                record[field.upper()] = value.strip()
            elif text == "FAIL":
                record[text] = ""
            elif not text and record:
                yield {**record, "section": section}
                record = {}


def _aes_cavp() -> Iterator[str]:
    for size in KEY_SIZES:
        for name in ECB_FILES:
            for record in records(f"ciphers/AES/ECB/{name}{size}.rsp"):
                key, plain, cipher = (bytes.fromhex(record[f]) for f in ("KEY", "PLAINTEXT", "CIPHERTEXT"))
                if record["section"] == "ENCRYPT":
                    yield line("aes_ecb_encrypt", key, b"", plain, cipher)
                else:
                    yield line("aes_ecb_decrypt", key, b"", cipher, plain)
        for record in records(f"ciphers/AES/CTR/aes-{size}-ctr.txt"):
            key, iv, plain, cipher = (
                bytes.fromhex(record[f]) for f in ("KEY", "IV", "PLAINTEXT", "CIPHERTEXT")
            )
            yield line("aes_ctr", key, iv, plain, cipher)
            yield line("aes_ctr", key, iv, cipher, plain)


def _sha256_cavp() -> Iterator[str]:
    for name in ("SHA256ShortMsg", "SHA256LongMsg"):
        for record in records(f"hashes/SHA2/{name}.rsp"):
            if "MSG" in record:
                message = bytes.fromhex(record["MSG"])[: int(record["LEN"]) // 8]
                yield line("sha256", b"", b"", message, bytes.fromhex(record["MD"]))


def cavp() -> list[str]:
    """Return every vector of the CAVP files that the kernels' algorithms have."""
    return [*_aes_cavp(), *_sha256_cavp()]


def _aes(key: bytes, mode: modes.CTR | modes.ECB, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(key), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


def cut(total: int, parts: list[int]) -> list[int]:
    """Return `parts` cut off at `total`, so that the rest is one more piece."""
    result, left = [], total
    for part in parts:
        if part < left:
            result.append(part)
            left -= part
    return result


def random_lengths(seed: int) -> list[str]:
    """Return vectors of an independent implementation for every length 0 to 520, split at random."""
    source, lines = random.Random(seed), []  # noqa: S311  not for keys
    for length in range(LONGEST + 1):
        data, key, iv = (source.randbytes(n) for n in (length, source.choice((16, 24, 32)), 16))
        splits = cut(length, [source.randrange(1, 140) for _ in range(source.randrange(4))])
        lines.append(line("aes_ctr", key, iv, data, _aes(key, modes.CTR(iv), data), splits=splits))
        lines.append(line("sha256", b"", b"", data, hashlib.sha256(data).digest(), splits=splits))
        if length % 16 == 0:
            cipher = _aes(key, modes.ECB(), data)  # noqa: S305  the mode under test
            lines.append(line("aes_ecb_encrypt", key, b"", data, cipher))
            lines.append(line("aes_ecb_decrypt", key, b"", cipher, data))
    return lines


def boundary_splits(seed: int) -> list[str]:
    """Return vectors cut at every pair of block and lane boundaries."""
    source, lines = random.Random(seed), []  # noqa: S311
    data, key, iv = source.randbytes(LONGEST), source.randbytes(32), source.randbytes(16)
    stream, digest = _aes(key, modes.CTR(iv), data), hashlib.sha256(data).digest()
    for first in BOUNDARIES:
        for second in BOUNDARIES:
            if first + second < LONGEST:
                lines.append(line("aes_ctr", key, iv, data, stream, splits=[first, second]))
                lines.append(line("sha256", b"", b"", data, digest, splits=[first, second]))
    return lines


def random_blocks(size: int, blocks: int) -> list[str]:
    """Return vectors of `blocks` blocks in each direction under keys of `size` bytes."""
    source, lines, each = random.Random(size), [], 2000  # noqa: S311
    for _ in range(0, blocks, each):
        key, data = source.randbytes(size), source.randbytes(16 * each)
        cipher = _aes(key, modes.ECB(), data)  # noqa: S305  the mode under test
        lines.append(line("aes_ecb_encrypt", key, b"", data, cipher))
        lines.append(line("aes_ecb_decrypt", key, b"", cipher, data))
    return lines


def counter_wraps() -> list[str]:
    """Return case B66: AES-128-CTR where the counter carries out of 32, 64 and 128 bits, in every split."""
    key = bytes(range(16))
    counters = ["00000000000000000000000000000000"[:24] + "ffffffff", "0" * 16 + "f" * 16, "f" * 32]
    first_blocks = [
        "57941ff3415881a0b2a7917ac5fa33b8",
        "39a7ef0a0a5852a8bfd2032344bf9412",
        "3c441f32ce07822364d7a2990e50bb13",
    ]
    last_blocks = [
        "dcb7693bf75707d7bed019ca2ad2a532",
        "dda66f251cfdb9dc9fcef7c933ba828a",
        "b9ad2b2e346ac238505d365e9cb7fc56",
    ]
    lines = []
    for counter, first, last in zip(counters, first_blocks, last_blocks, strict=True):
        stream = _aes(key, modes.CTR(bytes.fromhex(counter)), bytes(80))
        assert (stream[:16].hex(), stream[-16:].hex()) == (first, last)
        lines += [
            line("aes_ctr", key, bytes.fromhex(counter), bytes(80), stream, splits=splits)
            for splits in ([], [1], [16], [17], [16] * 4, [1] * 79)
        ]
        # The carry in each lane of a wide loop: the wrap falls on block 0 to 40 of one call.
        for before in range(41):
            start = (int(counter, 16) - before) % 2**128
            wide = _aes(key, modes.CTR(start.to_bytes(16, "big")), bytes(50 * 16))
            lines.append(line("aes_ctr", key, start.to_bytes(16, "big"), bytes(50 * 16), wide))
    return lines
