"""The system calls sandboxed Python may make, as a BPF program; no package but the standard library.

What is not on the list answers "not implemented", so that a C library falls back as it does on an old kernel. What a program
would take for a fault of its own (starting a process, opening a socket) answers "not permitted".
"""

from __future__ import annotations

import errno
import struct
from typing import Final, NamedTuple

CLONE_THREAD: Final = 0x00010000


class Machine(NamedTuple):
    """One processor architecture: its mark in a filter, and which column of the tables is its."""

    audit: int
    column: int
    pivot_root: int


MACHINES: Final = {"x86_64": Machine(0xC000003E, 0, 155), "aarch64": Machine(0xC00000B7, 1, 41)}

ALLOWED: Final[dict[str, tuple[int, int]]] = {
    # memory, threads, end
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "mremap": (25, 216), "madvise": (28, 233),
    "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293), "set_tid_address": (218, 96), "gettid": (186, 178),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "arch_prctl": (158, -1), "membarrier": (324, 283),
    "exit": (60, 93), "exit_group": (231, 94), "restart_syscall": (219, 128),
    # files of the own folder and the standard library
    "read": (0, 63), "write": (1, 64), "open": (2, -1), "close": (3, 57), "stat": (4, -1), "fstat": (5, 80), "lstat": (6, -1),
    "lseek": (8, 62), "ioctl": (16, 29), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "access": (21, -1), "dup": (32, 23), "dup2": (33, -1), "dup3": (292, 24), "fcntl": (72, 25), "flock": (73, 32),
    "fsync": (74, 82), "fdatasync": (75, 83), "truncate": (76, 45), "ftruncate": (77, 46), "getdents64": (217, 61),
    "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "rename": (82, -1), "mkdir": (83, -1), "rmdir": (84, -1),
    "unlink": (87, -1), "readlink": (89, -1), "chmod": (90, -1), "fchmod": (91, 52), "umask": (95, 166), "openat": (257, 56),
    "mkdirat": (258, 34), "newfstatat": (262, 79), "unlinkat": (263, 35), "renameat": (264, 38), "renameat2": (316, 276),
    "readlinkat": (267, 78), "fchmodat": (268, 53), "faccessat": (269, 48), "faccessat2": (439, 439), "utimensat": (280, 88),
    "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44), "sendfile": (40, 71), "copy_file_range": (326, 285),
    "fadvise64": (221, 223), "close_range": (436, 436),
    # waiting: asyncio's loop wakes itself through a socket pair
    "poll": (7, -1), "ppoll": (271, 73), "select": (23, -1), "pselect6": (270, 72), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, -1), "epoll_pwait": (281, 22), "eventfd2": (290, 19), "pipe": (22, -1),
    "pipe2": (293, 59), "socketpair": (53, 199), "sendto": (44, 206), "recvfrom": (45, 207), "nanosleep": (35, 101),
    "clock_nanosleep": (230, 115), "setitimer": (38, 103), "getitimer": (36, 102), "alarm": (37, -1), "pause": (34, -1),
    # questions about itself and the time
    "getpid": (39, 172), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "uname": (63, 160), "sysinfo": (99, 179), "times": (100, 153), "getrlimit": (97, 163),
    "prlimit64": (302, 261), "getrusage": (98, 165), "gettimeofday": (96, 169), "time": (201, -1),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "getrandom": (318, 278), "getcpu": (309, 168),
    # signals of its own
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "sigaltstack": (131, 132),
    "rt_sigpending": (127, 136), "rt_sigtimedwait": (128, 137),
}  # fmt: skip
"""Name to number on x86_64 and aarch64; -1 where a machine has no such call."""

REFUSED: Final[dict[str, tuple[int, int]]] = {
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "sendmsg": (46, 211),
    "fork": (57, -1), "vfork": (58, -1), "execve": (59, 221), "execveat": (322, 281), "kill": (62, 129), "ptrace": (101, 117),
    "setsid": (112, 157), "setpgid": (109, 154), "prctl": (157, 167), "mount": (165, 40), "umount2": (166, 39),
    "pivot_root": (155, 41), "chroot": (161, 51), "unshare": (272, 97), "setns": (308, 268), "symlink": (88, -1),
    "symlinkat": (266, 36), "link": (86, -1), "linkat": (265, 37), "chown": (92, -1), "fchown": (93, 55), "setuid": (105, 146),
    "bpf": (321, 280), "perf_event_open": (298, 241), "process_vm_readv": (310, 270), "keyctl": (250, 219),
}  # fmt: skip
"""As above."""

_CLONE: Final = (56, 220)
_TGKILL: Final = (234, 131)
OWN_PID: Final = 2
"""Of the program in its namespace, after the supervisor; it may send signals to itself alone."""
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_KILL, _ERROR, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def program(machine: Machine) -> bytes:
    """The filter for one machine, as the kernel reads it."""
    steps = [_step(_LOAD, _ARCHITECTURE), _step(_EQUAL, machine.audit, 1, 0), _step(_RETURN, _KILL), _step(_LOAD, _NUMBER)]
    for table, answer in ((ALLOWED, _ALLOW), (REFUSED, _ERROR | errno.EPERM)):
        for numbers in table.values():
            if (number := numbers[machine.column]) >= 0:
                steps += [_step(_EQUAL, number, 0, 1), _step(_RETURN, answer)]
    steps += [
        _step(_EQUAL, _TGKILL[machine.column], 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_EQUAL, OWN_PID, 0, 1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_EQUAL, _CLONE[machine.column], 0, 4),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_ANY_BIT, CLONE_THREAD, 0, 1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERROR | errno.EPERM),
        _step(_RETURN, _ERROR | errno.ENOSYS),
    ]
    return b"".join(steps)
