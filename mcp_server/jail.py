"""The program that locks itself up and then runs a model's Python: Linux only, standard library only.

Started by `namespace.py` as `python -I -S -B jail.py REPORT SERVER` with a request on standard input. It makes new user, mount,
process, network, IPC and host-name namespaces, moves into an empty root with nothing but the standard library, gives up every
capability, limits itself, filters its system calls, and only then looks at the code. Output goes to standard output as it comes,
the end of the story to the file descriptor REPORT; SERVER is the process that waits for it.
"""

from __future__ import annotations

import base64
import ctypes
import importlib
import json
import os
import resource
import signal
import sys
from types import ModuleType
from typing import Any, NoReturn

NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x20000000 | 0x40000000 | 0x08000000 | 0x04000000 | 0x02000000
"""CLONE_NEW- USER, NS, PID, NET, IPC, UTS, CGROUP."""
NOBODY = 65534
ROOT = "/proc"
"""A folder every system has, covered by the new root in our own mount namespace only."""
WORK = "/work"
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 1, 22, 24, 38, 47
LAST_CAPABILITY = 63
INSTALLED = ("site-packages", "dist-packages")
"""What people add to a standard library stands in these folders of it, and is theirs."""
LINKED = ("_bz2", "_ctypes", "_decimal", "_hashlib", "_lzma", "_sqlite3", "_ssl", "_uuid", "pyexpat", "zlib")
"""Standard modules that need a shared library: loaded while the libraries can still be seen."""

_libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *arguments: object) -> None:
    """Call the C library; a failure is an OSError that says which call it was."""
    if getattr(_libc, name)(*arguments) == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def mount(source: str, target: str, kind: str | None, flags: int, options: str | None = None) -> None:
    """`mount(2)`."""
    call("mount", source.encode(), target.encode(), kind and kind.encode(), ctypes.c_ulong(flags), options and options.encode())


def enter_namespaces() -> None:
    """Be nobody in a world of our own; the network there has not even a loopback that is up."""
    user, group = os.geteuid(), os.getegid()
    call("unshare", NEW_NAMESPACES)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{NOBODY} {user} 1"), ("gid_map", f"{NOBODY} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    die_with_parent()  # the kernel forgets it where credentials change
    call("sethostname", b"sandbox", 7)


def die_with_parent() -> None:
    """Be killed when the process that made us ends."""
    call("prctl", PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def show_folder(path: str) -> None:
    """Make a folder of the machine visible in the new root, to be read only."""
    target = ROOT + path
    os.makedirs(target, exist_ok=True)
    mount(path, target, None, MS_BIND)
    kept = os.statvfs(path).f_flag & (0x400 | 0x800 | 0x1000)  # noatime, nodiratime, relatime: a namespace may not take them off
    flags = {0x400: 1 << 10, 0x800: 1 << 11, 0x1000: 1 << 21}
    more = sum(bit for flag, bit in flags.items() if kept & flag)
    mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | more)


def hide_installed(path: str) -> list[str]:
    """Cover packages installed into a standard library with empty folders; return these, open to what is shown of them after."""
    covered = [f"{ROOT}{path}/{name}" for name in INSTALLED if os.path.isdir(f"{ROOT}{path}/{name}")]
    for target in covered:
        mount("sandbox", target, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,nr_inodes=64,mode=0755")
    return covered


def change_root(folders: list[str], limits: dict[str, int]) -> None:
    """Leave the machine's files: an empty root, the folders named, and an empty place to work in."""
    size = limits["file_bytes"]
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("sandbox", ROOT, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=0755")
    covered = []
    for path in folders:
        show_folder(path)
        covered += hide_installed(path)
    for target in covered:
        mount("none", target, None, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.makedirs(ROOT + WORK)
    mount("sandbox", ROOT + WORK, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, f"size={2 * size},nr_inodes=256,mode=0700")
    mount("none", ROOT, None, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)
    os.chdir(ROOT)
    call("syscall", ctypes.c_long(limits["pivot_root"]), b".", b".")
    call("umount2", b".", MNT_DETACH)
    os.chdir(WORK)


def drop_capabilities() -> None:
    """Give up what being the first in a user namespace brings."""
    call("prctl", PR_CAP_AMBIENT, 4, 0, 0, 0)
    for number in range(LAST_CAPABILITY + 1):
        if _libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0) == -1:
            break
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    call("capset", header, nothing)


def set_limits(limits: dict[str, int]) -> None:
    """Bound memory, time, files and threads."""
    for name, value in (
        ("RLIMIT_AS", limits["memory_bytes"]), ("RLIMIT_CPU", limits["seconds"] + 1), ("RLIMIT_FSIZE", limits["file_bytes"]),
        ("RLIMIT_NOFILE", 64), ("RLIMIT_NPROC", 64), ("RLIMIT_CORE", 0), ("RLIMIT_MEMLOCK", 0), ("RLIMIT_MSGQUEUE", 0),
    ):  # fmt: skip
        resource.setrlimit(getattr(resource, name), (value, value))


def filter_calls(program: bytes) -> None:
    """Install the filter for system calls; it can never be taken off."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))

    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("prctl", PR_SET_SECCOMP, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0)


def wait_for(child: int) -> int:
    """The child's wait status."""
    while True:
        try:
            pid, status = os.wait()
        except InterruptedError:
            continue
        if pid == child:
            return status


def fork(role: Any) -> int:
    """Fork, run `role` in the child, which dies with its parent; return the child's wait status."""
    child = os.fork()
    if child:
        return wait_for(child)
    die_with_parent()
    role()
    os._exit(0)


def report(descriptor: int, **story: object) -> None:
    """Write the end of the story."""
    data = json.dumps(story).encode()
    while data:
        data = data[os.write(descriptor, data) :]


def load(name: str, text: str) -> ModuleType:
    """A module from its text."""
    module = ModuleType(name)
    sys.modules[name] = module
    exec(compile(text, f"{name}.py", "exec"), module.__dict__)
    return module


def run_code(request: dict[str, Any], modules: dict[str, ModuleType], descriptor: int) -> NoReturn:
    """Lock the last doors and run the code."""
    limits = request["limits"]
    drop_capabilities()
    set_limits(limits)
    sys.path[:] = [path for path in request["path"] if os.path.isdir(path)]
    filter_calls(base64.b64decode(request["filter"]))

    def hand_on(text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(1, data) :]

    story = modules["execution"].execute(request["code"], request["input"], hand_on, extra={"plot": modules["plotting"].plot})
    report(descriptor, **story)
    os._exit(0)


def main() -> None:
    """Read the request, go into the sandbox, tell how it ended."""
    descriptor = int(sys.argv[1])
    die_with_parent()
    if os.getppid() != int(sys.argv[2]):  # the server ended before it could be told
        return
    request = json.loads(sys.stdin.buffer.read())
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(1, 2)
    for name in LINKED:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    modules = {name: load(name, text) for name, text in request["modules"].items()}

    def first() -> None:
        change_root(request["folders"], request["limits"])
        status = fork(lambda: run_code(request, modules, descriptor))
        if os.WIFSIGNALED(status):
            report(descriptor, killed=os.WTERMSIG(status))

    try:
        enter_namespaces()
        fork(guarded(first, descriptor))
    except OSError as refused:
        report(descriptor, refused=str(refused))


def guarded(role: Any, descriptor: int) -> Any:
    """A role that tells when the system does not let it do its work."""

    def run() -> None:
        try:
            role()
        except OSError as refused:
            report(descriptor, refused=str(refused))

    return run


if __name__ == "__main__":
    main()
