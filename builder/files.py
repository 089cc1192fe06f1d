"""Files of a book: found without leaving its folder, read without trusting what is in them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from askbook.core.errors import ContentError

from .blocks import Problem

PAGE_BYTES: Final = 20_000_000
"""A larger page is refused: nobody reads it, and no reader's browser would open it."""
_HEAD_BYTES: Final = 4000
"""How much of a file is read to see how it begins, where its front matter is no longer."""
_FENCED: Final = (b"---", b"\xef\xbb\xbf---")

_SKIPPED: Final = frozenset(["node_modules", "bower_components", "__pycache__", "_build", "site-packages", "venv"])


def find_files(root: Path, suffixes: tuple[str, ...], problems: list[Problem]) -> list[str]:
    """Paths below `root` with one of these suffixes, sorted; links that leave the folder or run in a circle are problems."""
    return sorted(path for path in _walk(root, root.resolve(), problems) if path.lower().endswith(suffixes))


def _walk(root: Path, real: Path, problems: list[Problem]) -> Iterator[str]:
    for folder, names, files in os.walk(root, onerror=lambda wrong: problems.append(_unreadable(root, wrong))):
        below = os.path.relpath(folder, root).replace(os.sep, "/") + "/"
        below = "" if below == "./" else below
        for name in list(names):
            if name.startswith(".") or name in _SKIPPED:
                names.remove(name)
            elif os.path.islink(os.path.join(folder, name)):
                names.remove(name)
                problems.append(_linked(root, real, Path(folder, name)))
        names.sort()
        for name in sorted(files):
            if name.startswith("."):
                continue
            linked = os.path.islink(os.path.join(folder, name))
            if linked and (problem := _link_problem(root, real, Path(folder, name))):
                problems.append(problem)
                continue
            yield below + name


def _unreadable(root: Path, wrong: OSError) -> Problem:
    return Problem(_shown(root, Path(str(wrong.filename))), 1, f"cannot be read: {wrong.strerror}", fatal=True)


def _shown(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)


def _linked(root: Path, real: Path, path: Path) -> Problem:
    """A folder that is a link is never entered."""
    problem = _link_problem(root, real, path)
    return problem or Problem(
        _shown(root, path),
        1,
        "is a symbolic link to a folder of the same book: not followed, it would run in a circle or repeat pages",
        fatal=True,
    )


def _link_problem(root: Path, real: Path, path: Path) -> Problem | None:
    shown = _shown(root, path)
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError) as wrong:
        loops = isinstance(wrong, RuntimeError) or getattr(wrong, "errno", 0) == 40
        reason = "is a symbolic link that runs in a circle" if loops else "is a symbolic link to nothing"
        return Problem(shown, 1, reason, fatal=True)
    if not target.is_relative_to(real):
        return Problem(shown, 1, "is a symbolic link to a path outside the book", fatal=True)
    return None


def read_text(path: Path, shown: str) -> str:
    """Read a page; raise ContentError when it is too large, not UTF-8, or holds null bytes."""
    return decode(read_bytes(path, shown), shown)


def read_bytes(path: Path, shown: str) -> bytes:
    """Read a file of a sane size."""
    try:
        told = path.stat()
        if not stat.S_ISREG(told.st_mode):
            raise ContentError("is no file that can be read to its end", file=shown, line=1)
        size = told.st_size
        if size > PAGE_BYTES:
            with path.open("rb") as file:
                line = file.read(PAGE_BYTES).count(b"\n") + 1
            raise ContentError(f"is {size:,} bytes long, more than the {PAGE_BYTES:,} a page may have", file=shown, line=line)
        return path.read_bytes()
    except OSError as wrong:
        raise ContentError(f"cannot be read: {wrong.strerror}", file=shown, line=1) from None


def head_of(path: Path) -> str:
    """How a file begins, front matter and all, as far as it can be read; who reads the page itself says what is wrong with it."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
            while head.startswith(_FENCED) and b"\n---" not in head and len(head) < PAGE_BYTES and (more := file.read(len(head))):
                head += more
            return head.decode("utf-8", "replace")
    except OSError:
        return ""


def line_of(file: Path, words: str) -> int:
    """The first line of a file that has these words; 0 where none has."""
    for number, line in enumerate(file.read_text(encoding="utf-8", errors="replace").split("\n"), 1):
        if words in line:
            return number
    return 0


def decode(data: bytes, shown: str) -> str:
    """Turn bytes into text with plain line ends."""
    if b"\0" in data:
        raise ContentError("holds null bytes: it is no text", file=shown, line=data.count(b"\n", 0, data.index(b"\0")) + 1)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        raise ContentError(
            f"is not UTF-8: byte {data[wrong.start]:#04x} at offset {wrong.start}", file=shown, line=line
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
