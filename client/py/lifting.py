"""Parse an index file with its long values cut out, since a parser looks at letter after letter, and a search at many at once.

A column has no quotation mark inside, so it ends at the next one; of what JSON escapes it may have backslashes. The records of
the terms are lists of lists, which are parsed when the first of them is read. Whatever does not look as the build writes it is
left to the parser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

MARK: Final = "\x7f"
"""A value that no column has."""
_INSIDE: Final = MARK.encode()
_ALONE: Final = b'"%b"' % _INSIDE


class _Long(NamedTuple):
    """A value that is cut out: where it stands, and what comes before and behind it."""

    member: str
    name: str
    before: bytes
    behind: bytes
    mark: bytes
    """What stands in its place while the rest is parsed."""


def _column(member: str, name: str) -> _Long:
    return _Long(member, name, f'"{name}":"'.encode(), b'"', _INSIDE)


_LONG: Final = (
    *[_column("cards", name) for name in ("titles", "anchors", "ids")],
    *[_column("terms", name) for name in ("names", "pairs", "classes", "sizes")],
    _Long("terms", "digits", b'"digits":', b',"times":', _ALONE),
    _Long("terms", "times", b'"times":', b',"long":', _ALONE),
    *[_column("terms", name) for name in ("long", "long_times")],
)
"""In the order of the file."""


def parse_index(data: bytes) -> Any:
    """Return the value of an index file, its records as text; raise ValueError where it is not JSON."""
    rest: list[bytes] = []
    cut: list[tuple[_Long, bytes]] = []
    done = 0
    for long, start, end in _places(data):
        value = data[start:end]
        if long.mark == _INSIDE and b"\\" in value:
            parts = value.split(b"\\")  # by counting and replacing pairs it would take three times as long
            if len(parts) % 2 == 0 or any(parts[1::2]):
                continue  # a quotation mark, or another escape
            value = b"\\".join(parts[::2])
        rest += data[done:start], long.mark
        cut.append((long, value))
        done = end
    parsed = json.loads(b"".join([*rest, data[done:]]))
    if not _stand(cut, parsed):
        return json.loads(data)
    for long, value in cut:
        parsed[long.member][long.name] = value.decode() if long.mark == _INSIDE else value
    return parsed


def _stand(cut: Sequence[tuple[_Long, bytes]], parsed: Any) -> bool:
    """Whether all that was cut out stood where it belongs."""
    try:
        return all(parsed[long.member][long.name] == MARK for long, _ in cut)
    except (KeyError, TypeError):
        return False


def _places(data: bytes) -> Iterator[tuple[_Long, int, int]]:
    """Where the long values of a file stand, as far as they are found in their order."""
    at = 0
    member = ""
    for long in _LONG:
        if long.member != member:
            member = long.member
            at = data.find(f'"{member}":{{'.encode(), at)
        start = data.find(long.before, max(at, 0)) + len(long.before)
        end = data.find(long.behind, start)
        if at < 0 or start < len(long.before) or end < 0:
            return
        yield long, start, end
        at = end
