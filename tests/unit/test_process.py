"""Real processes: what ends, what is captured, what is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from cmaketool import process
from cmaketool.diagnostics import CmaketoolError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PYTHON = sys.executable

# A child that starts a grandchild deaf to SIGTERM, writes its id to argv[1], and goes on or ends.
FAMILY = """
import subprocess, sys, time
code = "from signal import *; import time; signal(SIGTERM, SIG_IGN); print('up', flush=True); time.sleep(60)"
grandchild = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
grandchild.stdout.readline()
with open(sys.argv[1], "w") as file:
    file.write(str(grandchild.pid))
print("ready", flush=True)
time.sleep(float(sys.argv[2]))
"""


@pytest.fixture(autouse=True)
def resumed() -> Iterator[None]:
    yield
    process.resume()


def alive(pid: int) -> bool:
    """Whether `pid` runs; a zombie that nobody has collected yet does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith("Z")


def wait_for(path: Path) -> int:
    limit = time.monotonic() + 20
    while not (path.exists() and path.read_text(encoding="utf-8")):
        assert time.monotonic() < limit
        time.sleep(0.02)
    return int(path.read_text(encoding="utf-8"))


def python(code: str, *arguments: str) -> list[str]:
    return [PYTHON, "-c", code, *arguments]


def test_both_streams_and_the_exit_code() -> None:
    result = process.run(
        python("import sys; print('a'); print('b', file=sys.stderr); sys.exit(3)"), timeout=20
    )
    assert (result.returncode, result.output, result.errors, result.timed_out) == (3, "a\n", "b\n", False)
    assert 0 < result.seconds < 20


def test_input_folder_and_environment(tmp_path: Path) -> None:
    code = "import os, sys; print(os.getcwd(), os.environ['WORD'], sys.stdin.read())"
    env = {**os.environ, "WORD": "w"}
    result = process.run(python(code), cwd=tmp_path, env=env, input=b"text", timeout=20)
    assert result.output == f"{tmp_path.resolve()} w text\n"


def test_an_environment_with_something_that_must_not_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORD", "w")
    code = "import os; print(os.environ.get('WORD'), os.environ['OTHER'])"
    result = process.run(python(code), env={**os.environ, "WORD": None, "OTHER": ""}, timeout=20)
    assert result.output == "None \n"


def test_input_that_nobody_reads_does_not_block() -> None:
    assert process.run(python("pass"), input=b"x" * 10_000_000, timeout=20).returncode == 0


def test_bytes_that_are_no_text_are_replaced_and_crlf_is_lf() -> None:
    result = process.run(python(r"import os; os.write(1, b'a\xff\x00\r\nb')"), timeout=20)
    assert result.output == "a�\x00\nb"


def test_a_signal_is_a_negative_exit_code() -> None:
    assert process.run(python("import os; os.kill(os.getpid(), 9)"), timeout=20).returncode == -signal.SIGKILL


def test_huge_output_keeps_both_ends_and_the_log_has_all(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "huge.log"
    code = (
        "import os; print('first'); [print('x' * 999) for _ in range(30000)]; print('last', flush=True)\n"
        "os.write(2, b'aside\\n')"
    )
    result = process.run(python(code), log=log, timeout=60)
    assert result.output.startswith("first\n")
    assert result.output.endswith("\nlast\n")
    left_out = 6 + 30_000_000 + 5 - 2 * process.KEPT_BYTES
    assert f"[... {left_out} bytes left out ...]" in result.output
    text = log.read_bytes()
    assert text.startswith(b"$ ")
    assert text.count(b"aside\n") == 1  # wherever it came among the lines of the other stream
    assert text.replace(b"aside\n", b"").endswith((b"x" * 999 + b"\n") * 30000 + b"last\n")


def test_output_under_twice_the_limit_is_whole() -> None:
    size = 2 * process.KEPT_BYTES
    result = process.run(python(f"import sys; sys.stdout.write('y' * {size})"), timeout=60)
    assert result.output == "y" * size


def test_the_time_limit_ends_grandchildren_too(tmp_path: Path) -> None:
    begin = time.monotonic()
    result = process.run(python(FAMILY, str(tmp_path / "pid"), "60"), timeout=3)
    assert result.timed_out
    assert result.returncode == -signal.SIGTERM
    assert result.output == "ready\n"
    assert time.monotonic() - begin < 15
    assert not alive(wait_for(tmp_path / "pid"))


def test_a_command_that_ends_takes_what_it_started_with_it(tmp_path: Path) -> None:
    result = process.run(python(FAMILY, str(tmp_path / "pid"), "0"), timeout=20)
    assert (result.returncode, result.timed_out) == (0, False)
    assert not alive(wait_for(tmp_path / "pid"))


def test_cancel_from_another_thread(tmp_path: Path) -> None:
    seen: list[BaseException | process.Result] = []

    def work(number: int) -> None:
        try:
            seen.append(process.run(python(FAMILY, str(tmp_path / f"pid{number}"), "60"), timeout=60))
        except process.Cancelled as error:
            seen.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    pids = [wait_for(tmp_path / f"pid{number}") for number in range(3)]
    process.cancel_all()
    for thread in threads:
        thread.join(10)
    assert [type(item) for item in seen] == [process.Cancelled] * 3
    assert not any(alive(pid) for pid in pids)
    with pytest.raises(process.Cancelled):
        process.run(python("pass"), timeout=20)
    process.resume()
    assert process.run(python("pass"), timeout=20).returncode == 0


def test_ctrl_c_ends_the_group_and_is_passed_on(tmp_path: Path) -> None:
    run = f"process.run([sys.executable, '-c', {FAMILY!r}, sys.argv[1], '60'], timeout=60)"
    code = f"import sys; from cmaketool import process; {run}"
    child = subprocess.Popen(
        python(code, str(tmp_path / "pid")), stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    grandchild = wait_for(tmp_path / "pid")
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors
    assert not alive(grandchild)


def test_a_command_in_the_background_ends_with_the_program(tmp_path: Path) -> None:
    run = f"process.run([sys.executable, '-c', {FAMILY!r}, sys.argv[1], '60'], timeout=60)"
    code = (
        "import pathlib, sys, threading, time; from cmaketool import process\n"
        f"threading.Thread(target=lambda: {run}, daemon=True).start()\n"
        "while not pathlib.Path(sys.argv[1]).exists(): time.sleep(0.05)"
    )
    subprocess.run(python(code, str(tmp_path / "pid")), check=True, stderr=subprocess.DEVNULL, timeout=30)
    assert not alive(wait_for(tmp_path / "pid"))


def test_a_missing_program_is_named() -> None:
    with pytest.raises(
        CmaketoolError, match=r"cannot run no-such-program-at-all: No such file.*\[missing-program\]"
    ):
        process.run(["no-such-program-at-all"], timeout=1)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(CmaketoolError, match=r"no folder .*absent to run .*\[missing-folder\]"):
        process.run(python("pass"), cwd=tmp_path / "absent", timeout=1)


def test_eight_threads_at_once() -> None:
    results: list[process.Result] = []

    def work(number: int) -> None:
        results.append(process.run(python(f"print('z' * 200000, {number})"), timeout=60))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(int(result.output.split()[1]) for result in results) == list(range(8))
