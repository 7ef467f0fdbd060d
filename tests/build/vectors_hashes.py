"""Known answers for the `cmk_vectors` program: SHA-224, SHA-384, SHA-512, SHA-3 and SHAKE.

Their form is described in `vectors`. For SHAKE the splits are of input and output, one after the other.
"""

from __future__ import annotations

import hashlib
import random
from typing import TYPE_CHECKING

from tests.build.vectors import cut, line, records

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["digest", "hashed", "lengths", "sha2_cavp", "sha3_cavp", "shake_splits"]

SHA2 = ("sha224", "sha384", "sha512")
SHA3 = ("sha3_224", "sha3_256", "sha3_384", "sha3_512")
SHAKE = ("shake128", "shake256")
RATES = {"shake128": 168, "shake256": 136}
LONGEST = 300
STEPS = (1, 3, 63, 64, 65, 127, 128, 129)


def digest(algorithm: str, data: bytes, length: int) -> bytes:
    """Return what an independent implementation says; `length` bytes of it for SHAKE."""
    if algorithm in SHAKE:
        return hashlib.new(algorithm.replace("shake", "shake_"), data).digest(length)  # type: ignore[call-arg]
    return hashlib.new(algorithm, data).digest()


def hashed(algorithm: str, data: bytes, splits: list[int], length: int = 200) -> str:
    """Return the vector for `data`; `length` is that of SHAKE. Splits behind the end are left out."""
    out = digest(algorithm, data, length)
    total = len(data) + (len(out) if algorithm in SHAKE else 0)
    return line(algorithm, b"", b"", data, out, splits=cut(total, splits))


def _cavp(algorithm: str, file: str) -> Iterator[str]:
    for record in records(file):
        if "MSG" in record:
            length = int(record["LEN"]) // 8 if "LEN" in record else len(record["MSG"]) // 2
            out = record["MD"] if "MD" in record else record["OUTPUT"]
            yield line(algorithm, b"", b"", bytes.fromhex(record["MSG"])[:length], bytes.fromhex(out))


def sha2_cavp() -> list[str]:
    """Return all vectors of the CAVP files of SHA-224, SHA-384 and SHA-512 but the chained ones."""
    return [
        found
        for name in SHA2
        for kind in ("Short", "Long")
        for found in _cavp(name, f"hashes/SHA2/{name.upper()}{kind}Msg.rsp")
    ]


def sha3_cavp() -> list[str]:
    """Return all vectors of the CAVP files of SHA-3 and SHAKE but the chained ones."""
    files = [
        (name, f"hashes/SHA3/{name.upper()}{kind}Msg.rsp") for name in SHA3 for kind in ("Short", "Long")
    ]
    files += [
        (name, f"hashes/SHAKE/{name.upper()}{kind}.rsp")
        for name in SHAKE
        for kind in ("ShortMsg", "LongMsg", "VariableOut")
    ]
    return [found for name, file in files for found in _cavp(name, file)]


def lengths(algorithms: tuple[str, ...], seed: int) -> list[str]:
    """Return vectors of every length 0 to 300: whole, split at random, and in steps of one length each."""
    source, lines = random.Random(seed), []  # noqa: S311  not for keys
    for algorithm in algorithms:
        for length in range(LONGEST + 1):
            data = source.randbytes(length)
            splits = [source.randrange(1, 140) for _ in range(source.randrange(4))]
            lines.append(hashed(algorithm, data, splits, source.randrange(1, 400)))
        for step in STEPS:
            data = source.randbytes(126 * step if step == 1 else LONGEST + step)
            lines.append(hashed(algorithm, data, [step] * (len(data) // step)))
    return lines


def shake_splits() -> list[str]:
    """Return case B75: what is known of SHAKE's output for "abc", and output cut around its blocks."""
    known = {
        ("shake128", 511): "93143102daaf43a205deba75d490b82428f4417ed6d80da6e72ae0fb7bf685b9",
        ("shake256", 415): "089ff5920ee046a60fbead27349a47f92d8e56fd3067d628c453696b02da1f49",
    }
    lines = []
    for (algorithm, length), sha256 in known.items():
        assert hashlib.sha256(digest(algorithm, b"abc", length)).hexdigest() == sha256
        rate = RATES[algorithm]
        places = (1, 7, 8, rate - 8, rate - 1, rate, rate + 1, 2 * rate)
        for first in places:
            lines += [hashed(algorithm, b"abc", [3, first, second], length) for second in places]
        lines.append(hashed(algorithm, b"abc", [3, 1, 7, rate - 8, rate], length))
        lines.append(hashed(algorithm, b"abc", [3, *[1] * 120], length))
    return lines
