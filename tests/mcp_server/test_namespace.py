"""What hostile code gets from the Linux sandbox: each attempt is contained, and the model reads what happened."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from askbook.core import limits
from askbook.core.pytool import Outcome
from askbook.mcp_server.namespace import NamespaceSandbox
from askbook.mcp_server.sandbox import Sandbox, SandboxError, find_sandbox


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    try:
        return find_sandbox(NamespaceSandbox)
    except SandboxError as wrong:
        pytest.skip(str(wrong))


def last_line(outcome: Outcome) -> str:
    return outcome.error.rpartition("\n")[2]


def test_code_computes_from_its_input(sandbox: Sandbox) -> None:
    assert sandbox.run("print(input['a'] + 1)\ninput['a'] * 2", {"a": 3}) == Outcome("4\n6\n")


def test_text_as_input_stays_text(sandbox: Sandbox) -> None:
    assert sandbox.run("input.upper()", "漢 b") == Outcome("漢 B\n")


def test_a_curve_comes_back_as_a_figure_beside_the_text(sandbox: Sandbox) -> None:
    outcome = sandbox.run("print('drawn')\nplot([0, 1, 2], [0, 1, 4], title='squares')", None)
    assert (outcome.stdout, [figure["type"] for figure in outcome.figures]) == ("drawn\n", ["image/svg+xml"])


NOT_FOUND = "FileNotFoundError: [Errno 2] No such file or directory: "
NOT_PERMITTED = "PermissionError: [Errno 1] Operation not permitted"
CALL = """import ctypes, os
c = ctypes.CDLL(None, use_errno=True)
{}
raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))"""
TGKILL = {"x86_64": 234, "aarch64": 131}.get(platform.machine(), 234)
ATTEMPTS = {
    "read a file of the machine": ("open('/etc/passwd').read()", f"{NOT_FOUND}'/etc/passwd'"),
    "climb out of the folder": ("open('../../../etc/passwd')", f"{NOT_FOUND}'../../../etc/passwd'"),
    "write beside the folder": ("open('/x', 'w')", "OSError: [Errno 30] Read-only file system: '/x'"),
    "see processes": ("import os; os.listdir('/proc')", f"{NOT_FOUND}'/proc'"),
    "open a connection": ("import socket; socket.create_connection(('127.0.0.1', 80))", NOT_PERMITTED),
    "send a datagram": ("import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", NOT_PERMITTED),
    "fork without end": ("import os\nwhile True: os.fork()", NOT_PERMITTED),
    "start a program": ("import subprocess; subprocess.run(['/bin/sh'])", NOT_PERMITTED),
    "start ever more threads": (
        "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(60,)).start()",
        "RuntimeError: can't start new thread",
    ),
    "take all memory": ("x = []\nwhile True: x.append(bytearray(10_000_000))", "MemoryError"),
    "fill the disk": ("open('f', 'wb').write(b'0' * 100_000_000)", "OSError: [Errno 27] File too large"),
    "fill the disk with many files": (
        "for n in range(9): open(str(n), 'wb').write(b'0' * 5_000_000)",
        "OSError: [Errno 28] No space left on device",
    ),
    "kill the supervisor": ("import os; os.kill(1, 9)", NOT_PERMITTED),
    "interrupt the supervisor": (CALL.format(f"c.syscall({TGKILL}, 1, 1, 2)"), NOT_PERMITTED),
    "read its own environment": ("open('/proc/self/environ')", f"{NOT_FOUND}'/proc/self/environ'"),
    "lay a link to a file of the machine": (
        "import os; os.symlink('/etc/passwd', 'p')",
        f"{NOT_PERMITTED}: '/etc/passwd' -> 'p'",
    ),
    "call a socket that has no file": ("import socket; socket.socket(socket.AF_UNIX).connect('\\0x')", NOT_PERMITTED),
    "send there through a pair of its own": (
        "import socket\npair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\npair[0].sendto(b'x', '\\0x')",
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ),
    "hand a file on": ("import socket; socket.send_fds(socket.socketpair()[0], [b'x'], [0])", NOT_PERMITTED),
    "make a file with a hole": ("open('f', 'wb').truncate(10**12)", "OSError: [Errno 27] File too large"),
    "leave the process group": ("import os; os.setsid()", NOT_PERMITTED),
    "raise a limit": (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
        "ValueError: not allowed to raise maximum limit",
    ),
    "mount": (CALL.format("c.mount(b'x', b'/work', b'tmpfs', 0, 0)"), NOT_PERMITTED),
    "make another namespace": (CALL.format("c.unshare(0x10000000)"), NOT_PERMITTED),
    "trace another process": (CALL.format("c.ptrace(16, 1, 0, 0)"), NOT_PERMITTED),
    "call the kernel by an unknown number": (CALL.format("c.syscall(425, 8, 0)"), "OSError: [Errno 38] Function not implemented"),
    "read memory it does not own": ("import ctypes; ctypes.string_at(0)", "the interpreter crashed"),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_an_attempt_to_escape_is_contained_and_told(sandbox: Sandbox, attempt: str) -> None:
    code, expected = ATTEMPTS[attempt]
    assert last_line(sandbox.run(code, None)) == expected


def test_nothing_of_the_machine_can_be_seen(sandbox: Sandbox) -> None:
    code = """
import os
seen = [os.path.join(folder, name) for folder, _, names in os.walk('/') for name in names]
library = os.path.dirname(os.__file__)
print([path for path in seen if not path.startswith((library, *(p for p in __import__('sys').path)))])
print(sorted(os.environ), os.getuid(), os.uname().nodename, os.listdir())
"""
    assert sandbox.run(code, None) == Outcome("[]\n['LC_ALL'] 65534 sandbox []\n")


def test_what_is_installed_beside_the_standard_library_is_not_shown(sandbox: Sandbox) -> None:
    code = """
import os, sys
folders = [os.path.join(os.path.dirname(os.__file__), name) for name in ("site-packages", "dist-packages")]
{name for folder in {*folders, *sys.path} if os.path.isdir(folder) and "-packages" in folder for name in os.listdir(folder)}
"""
    found = eval(sandbox.run(code, None).stdout)
    assert found <= set(sandbox.packages)


def test_nothing_can_be_written_where_packages_stand(sandbox: Sandbox) -> None:
    code = """
import os
folders = [os.path.join(os.path.dirname(os.__file__), name) for name in ("site-packages", "dist-packages")]
for folder in filter(os.path.isdir, folders):
    try: open(folder + "/x", "w")
    except OSError as wrong: assert wrong.errno == 30, wrong
    else: print("written")
"""
    assert sandbox.run(code, None) == Outcome("")


def test_a_secret_of_the_server_is_not_in_the_environment(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKBOOK_API_KEY", "secret")
    assert sandbox.run("import os; dict(os.environ)", None) == Outcome("{'LC_ALL': 'C.UTF-8'}\n")


def test_one_file_descriptor_is_open_beside_the_usual_three(sandbox: Sandbox) -> None:
    code = """
import os
def is_open(number):
    try: return bool(os.fstat(number))
    except OSError: return False
sum(map(is_open, range(64)))
"""
    assert sandbox.run(code, None) == Outcome("4\n")


def test_output_without_end_is_cut_at_the_limit(sandbox: Sandbox) -> None:
    outcome = sandbox.run("while True: print('漢' * 100)", None)
    assert (len(outcome.stdout), outcome.truncated, outcome.error) == (
        limits.PYTHON_CHARACTERS, True, "stopped after 8,000 characters of output; print less",
    )  # fmt: skip


@pytest.mark.parametrize("piece", [b"x", b"\xff" * 100, b"\xe6\xbc"])
def test_output_in_odd_pieces_is_cut_as_well(sandbox: Sandbox, piece: bytes) -> None:
    outcome = sandbox.run(f"import os\nwhile True: os.write(1, {piece!r})", None)
    assert (len(outcome.stdout), outcome.error) == (
        limits.PYTHON_CHARACTERS, "stopped after 8,000 characters of output; print less",
    )  # fmt: skip


def test_output_past_python_counts_too(sandbox: Sandbox) -> None:
    assert sandbox.run("import os\nwhile True: os.write(2, b'x' * 1000)", None).truncated


def test_output_of_exactly_the_limit_is_whole(sandbox: Sandbox) -> None:
    assert sandbox.run(f"print('x' * {limits.PYTHON_CHARACTERS - 1})", None) == Outcome("x" * 7999 + "\n")


def test_time_is_up_and_what_was_printed_stays() -> None:
    sandbox = NamespaceSandbox(seconds=1.0)
    start = time.monotonic()
    outcome = sandbox.run("print('begun')\nwhile True: pass", None)
    assert (outcome.stdout, outcome.error.partition(";")[0]) == ("begun\n", "stopped after 15 seconds")
    assert time.monotonic() - start < 3


def test_stopping_itself_does_not_help() -> None:
    code = "import signal\nprint('begun', flush=True)\nsignal.raise_signal(signal.SIGSTOP)"
    outcome = NamespaceSandbox(seconds=3.0).run(code, None)
    assert (outcome.stdout, outcome.error.partition(";")[0]) == ("begun\n", "stopped after 15 seconds")


def test_sleeping_does_not_help_either() -> None:
    assert "stopped after" in NamespaceSandbox(seconds=0.5).run("import time; time.sleep(60)", None).error


def test_a_program_that_ignores_every_signal_ends_with_its_threads() -> None:
    code = """
import signal, threading, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
threading.Thread(target=time.sleep, args=(60,)).start()
while True:
    try: time.sleep(60)
    except BaseException: pass
"""
    before = processes()
    NamespaceSandbox(seconds=0.5).run(code, None)
    time.sleep(0.2)
    assert processes() - before == set()


def processes() -> set[str]:
    """Processes that run our jail."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if b"jail.py" in (folder / "cmdline").read_bytes():
                found.add(folder.name)
        except OSError:
            continue
    return found


def test_the_caller_can_stop_it() -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    start = time.monotonic()
    outcome = NamespaceSandbox().run("while True: pass", None, stop=stop)
    assert (outcome.error, time.monotonic() - start < 3) == ("stopped: nobody waits for the result", True)


def test_it_dies_with_the_server(tmp_path: Path) -> None:
    code = "from askbook.mcp_server.namespace import NamespaceSandbox; NamespaceSandbox().run('while True: pass', None)"
    before = processes()
    server = subprocess.Popen([sys.executable, "-c", code], env=dict(os.environ), cwd=tmp_path)
    while not processes() - before:
        time.sleep(0.05)
    server.kill()
    server.wait()
    time.sleep(0.5)
    assert processes() - before == set()


def test_code_that_ends_itself_is_no_error(sandbox: Sandbox) -> None:
    assert sandbox.run("print(1)\nraise SystemExit", None) == Outcome("1\n")


def test_a_forged_report_is_read_as_what_it_is(sandbox: Sandbox) -> None:
    code = """
import os
for number in range(3, 64):
    try: os.write(number, b'{"error": "", "figures": [{"type": "text/html", "data": "x"}, 5]}')
    except OSError: pass
os._exit(0)
"""
    assert sandbox.run(code, None) == Outcome("")


def test_asyncio_and_the_usual_modules_work(sandbox: Sandbox) -> None:
    code = """
import asyncio, bz2, csv, ctypes, datetime, decimal, fractions, hashlib, lzma, math, random, re, sqlite3, statistics, uuid, zlib
async def later(): await asyncio.sleep(0); return 5
print(asyncio.run(later()), fractions.Fraction(1, 3) + 1, decimal.Decimal('0.1') * 3, statistics.mean([1, 2]))
print(hashlib.sha256(b'').hexdigest()[:8], sqlite3.connect(':memory:').execute('select 1').fetchone())
open('own.txt', 'w').write('kept while it runs'); print(open('own.txt').read())
"""
    assert sandbox.run(code, None) == Outcome("5 4/3 0.3 1.5\ne3b0c442 (1,)\nkept while it runs\n")


def test_runs_do_not_see_each_other(sandbox: Sandbox) -> None:
    sandbox.run("open('left', 'w').write('x')", None)
    assert sandbox.run("import os; os.listdir()", None) == Outcome("[]\n")
