"""The stand-in's C library and start-up code, compiled for AArch64 Linux with a KERNEL32 of our own."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from cmaketool import resources
from cmaketool.standins.msvc_model.libraries import library_sources
from tests.msvc_model.support import FOLDER
from tests.support import require_tool

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.build

HEADERS = "standins/msvc_model/include"
GCC = "aarch64-linux-gnu-gcc"
# Enough of cl's language, and no C library but the one under test.
OPTIONS = [
    "-D__int64=long long", "-D__declspec(x)=", "-D__stdcall=", "-D__cdecl=",
    "-D_MSC_VER=1944", "-D_M_ARM64=1", "-std=gnu11", "-O1", "-w", "-ffreestanding", "-fno-builtin",
    "-fno-stack-protector", "-fno-tree-loop-distribute-patterns", "-nostdinc", "-nostdlib", "-static",
    "-Wl,-e,mainCRTStartup",
]  # fmt: skip

EXPECTED = r"""{C:\some folder\app.exe}{plain}{two words}{"quoted"}{a\\b}{}{end\}
[-7] [   42] [42   ] [00042] [+42] [ 42] [0]
[4294967295] [ff] [0000beef] [0xff] [ABC] [10] [005]
[18446744073709551615] [-9223372036854775808] [123456789012] [123456789abcdef] [2] [-1]
[text] [     right] [left      ] [cu] [c] [%] [   7] [a]
[(null)] [000000000000ABCD] [%q]
[truncat] 9
<one><two><three> aabcde -1 0 /name .c stack 1 -1
31z 63 -12 34 18446744073709551615 none
7 7 1 1 1
value [] 1
(one
)(a longe)(r line
)(end) 1 -1
goodbye
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    for name in resources.listing(HEADERS, ".h"):
        (folder / name).write_text(resources.text(HEADERS, name), encoding="utf-8")
    sources = library_sources()
    for name, text in sources.items():
        (folder / name).write_text(text, encoding="utf-8")
    files = [str(folder / name) for name in sources if name.endswith(".c")]
    files += [str(FOLDER / "library" / name) for name in ("check.c", "kernel32.c")]
    output = folder / "check"
    command = [require_tool(GCC), *OPTIONS, f"-I{folder}", *files, "-o", str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return output


def test_what_it_prints_and_reads(program: Path) -> None:
    done = subprocess.run(
        [require_tool("qemu-aarch64"), str(program)],
        input="one\na longer line\nend",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout == EXPECTED
    assert done.stderr == "to standard error\n"
    assert done.returncode == 5


def test_long_input_and_output_pass_the_buffers(program: Path) -> None:
    text = "".join(f"line {number}\n" for number in range(5000))
    done = subprocess.run(
        [require_tool("qemu-aarch64"), str(program)],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    lines = done.stdout.split("value [] 1\n")[1]
    assert lines.replace("(", "").replace(")", "").startswith(text)
