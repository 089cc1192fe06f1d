"""What PyMdown's extensions leave of the words of a source, for its coverage; of the chunkers' only tables of names are used."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from typing import Final

from .chunkers.emoji import is_picture
from .chunkers.keys import key_name
from .chunkers.pymdown import SYMBOLS
from .dialects import Dialect

_KEPT: Final = r"(?P<kept>\\[^\n]|(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)|(?<![\\$])\$[^$\n]+\$)"
"""What no extension reads: escaped signs, formulas, and code but for the language it may name."""
_LANGUAGE: Final = re.compile(r"^(`+)\s*(?:#!|:::)[\w+#-]+\s+(?=\S)")
_FORMS: Final = {
    "emoji": r":(?P<name>[a-z0-9_+-]+):",
    "keys": r"""\+\+(?P<keys>(?:"[^"\n]*"|'[^'\n]*'|[\w-]|\+(?!\+))+)\+\+""",
    "critic": r"\{(?P<sign>\+\+|--|~~|==|>>)(?P<edit>(?:[^{]|\{(?!\+\+|--|~~|==|>>)){0,8000}?)(?:\+\+|--|~~|==|<<)\}",
    "symbols": "|".join(
        rf"(?<!\d){sign}(?!\d)" if sign[0].isdigit() else re.escape(sign) for sign in sorted(SYMBOLS, key=len, reverse=True)
    ),
}
_KEY: Final = re.compile(r""""[^"]*"|'[^']*'|[\w-]+""")
_BOX: Final = re.compile(r"^([ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)+)\[[ xX]\](?=[ \t])", re.MULTILINE)
"""A task's box, behind the marker of its item."""
_GONE: Final = {"accept": ("--", ">>"), "reject": ("++", ">>")}
"""Edits that leave nothing, by mode."""


def without_marks(text: str, dialect: Dialect) -> str:
    """Text with what a reader sees of it, line for line, as far as the dialect's extensions change its words."""
    if dialect.tasks and "[" in text:
        text = _BOX.sub(r"\1", text)
    return _pattern(dialect.symbols).sub(partial(_seen, dialect.symbols), text) if dialect.symbols else text


@lru_cache(maxsize=16)
def _pattern(extensions: frozenset[str]) -> re.Pattern[str]:
    names = sorted(name.partition(":")[0] for name in extensions)
    return re.compile("|".join([_KEPT, *(_FORMS[name] for name in names if name in _FORMS)]), re.DOTALL)


def _seen(extensions: frozenset[str], found: re.Match[str]) -> str:
    groups = found.groupdict()
    if kept := groups["kept"]:
        return _LANGUAGE.sub(r"\1", kept) if "hilite" in extensions else kept
    if name := groups.get("name"):
        return " " if is_picture(name) else found[0]
    if keys := groups.get("keys"):
        shown = [key[1:-1] if key[0] in "\"'" else key_name(key) for key in _KEY.findall(keys)]
        return " ".join(filter(None, shown)) if all(shown) else found[0]
    if sign := groups.get("sign"):
        mode = next(name.partition(":")[2] for name in extensions if name.startswith("critic"))
        return _edited(sign, found["edit"], mode)
    return SYMBOLS[found[0]]


def _edited(sign: str, edit: str, mode: str) -> str:
    """What an edit leaves, with as many line ends."""
    before, _, after = edit.partition("~>") if sign == "~~" else ("", "", edit)
    if mode not in _GONE:
        return f"{before} {after}"
    kept = "" if sign in _GONE[mode] else before if sign == "~~" and mode == "reject" else after
    return "\n" * (edit.count("\n") - kept.count("\n")) + kept
