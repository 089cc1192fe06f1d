"""Files that pages take in: mdBook's `{{#include}}`, Quarto's and VitePress's includes, MyST's directives, PyMdown's snippets.

What is taken in stands in the page's text as if it were written there; signs at the ends of lines keep the page's own numbers.
"""

from __future__ import annotations

import posixpath
import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from askbook.core.errors import ContentError

from .files import PAGE_BYTES, decode, read_text
from .frontmatter import read_front_matter

ADDED: Final = "\ue001"
"""Behind a line whose next one stands in the same line of the page's own file; a private character."""
GONE: Final = "\ue002"
"""Behind a line below which one of the page's own is left out."""
_DEEPEST: Final = 20
_COSTS: Final = 1_024
"""Bytes that any file counts for beside its own, so that many small ones have an end as well."""


@dataclass(frozen=True, slots=True)
class Includes:
    """How the pages of a book say what they take in, and where that is looked for."""

    style: str
    pages: Path
    root: Path
    """Nothing outside of it is read."""
    bases: tuple[Path, ...] = ()
    """Folders in which names are looked for; without any beside the file that names them."""
    dedent: bool = False


def take_in(content: bytes, path: str, includes: Includes) -> tuple[bytes, tuple[str, ...]]:
    """A page with all that it takes in; also what of it is not there, which stays as it is written."""
    sign, put = _STYLES[includes.style]
    if sign not in content:
        return content, ()
    try:
        text = decode(content, path)
    except ContentError:
        return content, ()
    reader = Reader(includes, open=[(includes.pages / path).resolve()])
    return put(text, includes.pages / path, reader).encode("utf-8", "surrogatepass"), tuple(reader.lost)


def own_lines(text: str) -> tuple[str, Sequence[int]]:
    """A text without the signs behind its lines, and how far below its first line each stands; nothing where that is plain."""
    if ADDED not in text and GONE not in text:
        return text, ()
    lines, numbers, number = text.split("\n"), list[int](), 0
    for line in lines:
        numbers.append(number)
        bare = line.rstrip(ADDED + GONE)
        number += line.count(GONE, len(bare)) + (0 if line.endswith(ADDED) else 1)
    return "\n".join(line.rstrip(ADDED + GONE) for line in lines), numbers


@dataclass(slots=True)
class Reader:
    """Reads what a page takes in: only what is inside the project, nothing into itself, and not without end."""

    includes: Includes
    lost: list[str] = field(default_factory=list)
    open: list[Path] = field(default_factory=list)
    left: int = PAGE_BYTES

    def read(self, name: str, beside: Path) -> tuple[Path, str] | None:
        """A file and its text; what lies elsewhere in the network is not asked for, and is no mistake."""
        if "://" in name:
            return None
        root, bases = self.includes.root.resolve(), self.includes.bases or (beside.parent,)
        below = name.replace("\0", "").lstrip("/")
        for base in (root,) if name.startswith("/") else bases:
            try:
                file = (base / below).resolve()
                if file in self.open:
                    return file, ""
                if not file.is_relative_to(root) or not file.is_file() or len(self.open) > _DEEPEST:
                    continue
                text = read_text(file, name)
            except (ContentError, OSError, RuntimeError):
                continue
            if len(text) <= self.left:
                self.left -= len(text) + _COSTS
                return file, text
        self.lost.append(name)
        return None

    @contextmanager
    def inside(self, file: Path) -> Iterator[None]:
        """While a file is read that has been taken in."""
        self.open.append(file)
        yield
        self.open.pop()


def joined(text: str, *, lines: int = 1) -> str:
    """What stands in place of so many lines of a page."""
    return text.replace("\n", f"{ADDED}\n") + "\n" * (lines - 1)


# mdBook

_MDBOOK = re.compile(r"(\\?)\{\{\s*#(include|rustdoc_include|playground|playpen|title)\s+([^}\n]+?)\s*\}\}")
_ANCHOR = re.compile(r"ANCHOR(_END)?:\s*([\w-]+)")


def _mdbook(text: str, path: Path, reader: Reader) -> str:
    return _MDBOOK.sub(partial(_mdbook_file, path, reader), text)


def _mdbook_file(path: Path, reader: Reader, found: re.Match[str]) -> str:
    if found[1] or found[2] == "title":
        return found[0][1:] if found[1] else ""
    target, *attributes = found[3].split() if found[2].startswith("play") else [found[3]]
    name, _, part = target.partition(":")
    if (taken := reader.read(name, path)) is None:
        return found[0]
    with reader.inside(taken[0]):
        text = _mdbook(_part(taken[1], part), taken[0], reader)
    return joined(f"```{','.join(['rust', *attributes])}\n{text}\n```" if found[2].startswith("play") else text)


def _part(text: str, part: str) -> str:
    """Lines from one number to another, or those between the marks of a name."""
    lines = text.rstrip("\n").split("\n")
    first, colon, rest = part.partition(":")
    if first and not first.isdecimal():
        return "\n".join(_anchored(lines, first))
    start = max(int(first) - 1, 0) if first else 0
    last = rest.partition(":")[0]
    if last.isdecimal():
        return "\n".join(lines[start : int(last)])
    return "\n".join(lines[start:] if colon or not first else lines[start : start + 1])


def _anchored(lines: Sequence[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = _ANCHOR.search(line)
        if mark is None:
            if inside:
                yield line
        elif mark[2] == name:
            inside = not mark[1]


# Quarto

_QUARTO = re.compile(r"^[ \t]*\{\{<\s+include\s+[\"']?([^\s\"']+)[\"']?\s+>\}\}[ \t]*$", re.MULTILINE)


def _quarto(text: str, path: Path, reader: Reader) -> str:
    return _QUARTO.sub(partial(_quarto_file, path, reader), text)


def _quarto_file(path: Path, reader: Reader, found: re.Match[str]) -> str:
    if (taken := reader.read(found[1], path)) is None:
        return found[0]
    with reader.inside(taken[0]):
        return joined(_quarto(read_front_matter(taken[1]).body.strip("\n"), taken[0], reader))


# VitePress

_VITEPRESS = re.compile(
    r"""^[ \t]*(?:
    <!--[ \t]*@include:[ \t]*(?P<page>[^\s\#{}]+?)(?:\#(?P<part>[\w-]+))?(?:\{(?P<from>\d*),?(?P<to>\d*)\})?[ \t]*-->
    |<<<[ \t]*(?P<code>[^\s\#{}\[]+)(?:\#(?P<region>[\w-]+))?[ \t]*(?:\{(?P<info>[^}\n]*)\})?[ \t]*(?:\[(?P<title>.+?)\])?
    )[ \t]*$""",
    re.MULTILINE | re.VERBOSE,
)
_REGION = re.compile(r"#(end)?region\b[ \t]*([\w-]+)?")


def _vitepress(text: str, path: Path, reader: Reader) -> str:
    return _VITEPRESS.sub(partial(_vitepress_file, path, reader), text)


def _vitepress_file(path: Path, reader: Reader, found: re.Match[str]) -> str:
    name = found["page"] or found["code"]
    name = f"/{name[2:]}" if name.startswith("@/") else name
    if (taken := reader.read(name, path)) is None:
        return found[0]
    file, text = taken
    if region := found["part"] or found["region"]:
        text = textwrap.dedent("\n".join(_region(text.split("\n"), region)))
    if found["code"]:
        language = (found["info"] or "").split(" ")[-1].strip("0123456789,-:") or posixpath.splitext(name)[1][1:]
        title = f' title="{found["title"]}"' if found["title"] else ""
        return joined(f"````{language}{title}\n{text.rstrip()}\n````")
    lines = read_front_matter(text).body.rstrip("\n").split("\n")
    start, end = int(found["from"] or 1) - 1, int(found["to"] or len(lines))
    with reader.inside(file):
        return joined(_vitepress("\n".join(lines[max(start, 0) : end]), file, reader))


def _region(lines: Sequence[str], name: str) -> Iterator[str]:
    inside = False
    for line in lines:
        mark = _REGION.search(line)
        if mark is not None and (mark[2] == name or (inside and mark[1] and not mark[2])):
            inside = not mark[1]
        elif inside and mark is None:
            yield line


# MyST

_MYST = re.compile(
    r"^(?P<margin>[ \t]*)(?P<fence>`{3,}|:{3,})\{(?P<name>include|literalinclude)\}[ \t]+(?P<file>\S+)[ \t]*\n"
    r"(?P<options>(?:[ \t]*:[\w-]+:[^\n]*\n)*)\s*?(?P=margin)(?P=fence)[ \t]*$",
    re.MULTILINE,
)
_OPTION = re.compile(r"^[ \t]*:([\w-]+):[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def _myst(text: str, path: Path, reader: Reader) -> str:
    return _MYST.sub(partial(_myst_file, path, reader), text)


def _myst_file(path: Path, reader: Reader, found: re.Match[str]) -> str:
    if (taken := reader.read(found["file"], path)) is None:
        return found[0]
    file, options, count = taken[0], dict(_OPTION.findall(found["options"])), found[0].count("\n") + 1
    text = _chosen(taken[1], options)
    code = options.get("code", options.get("language"))
    if found["name"] == "literalinclude" or code is not None or "literal" in options:
        return joined(textwrap.indent(f"````{code or ''}\n{text.rstrip()}\n````", found["margin"]), lines=count)
    with reader.inside(file):
        shown = _myst(read_front_matter(text).body.strip("\n"), file, reader)
    return joined(textwrap.indent(shown, found["margin"]), lines=count)


def _chosen(text: str, options: Mapping[str, str]) -> str:
    """What the options of a directive leave of a file."""
    lines = text.split("\n")
    start, end = (int(value) if re.fullmatch(r"-?\d+", value := options.get(key, "")) else None for key in _LINES)
    text = "\n".join(lines[start:end])
    if mark := options.get("start-after"):
        text = text.partition(mark)[2]
    if mark := options.get("end-before"):
        text = text.partition(mark)[0]
    if wanted := options.get("lines"):
        text = "\n".join(line for number, line in enumerate(text.split("\n"), 1) if _is_wanted(number, wanted))
    return text


_LINES: Final = ("start-line", "end-line")


def _is_wanted(number: int, ranges: str) -> bool:
    """Whether a line is one of `1,3-5,8-`."""
    for each in ranges.split(","):
        first, dash, last = each.strip().partition("-")
        if first.isdecimal() and int(first) <= number <= (
            int(last) if last.isdecimal() else number if dash and not last else int(first)
        ):
            return True
    return False


def _snippets(text: str, path: Path, reader: Reader) -> str:
    from .snippets import with_snippets

    return with_snippets(text, path, reader)


_STYLES: Final[Mapping[str, tuple[bytes, Callable[[str, Path, Reader], str]]]] = {
    "mdbook": (b"#", _mdbook),
    "quarto": (b"{{<", _quarto),
    "vitepress": (b"<", _vitepress),
    "myst": (b"include}", _myst),
    "snippets": (b"8<-", _snippets),
}
"""Of each generator a sign without which a page takes nothing in, and what puts files in."""
