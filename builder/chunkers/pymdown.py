"""What PyMdown's extensions make of signs in running text: icons, keys, insertions, edits, code that names its language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from .emoji import is_picture
from .keys import key_name

_ASIDE: Final = (
    r"\\.|(?<!`)(?P<ticks>`+)(?!`).{1,8000}?(?<!`)(?P=ticks)(?!`)|<!--.*?-->|</?[A-Za-z][^<>]*>"
    r"|\$\$.{1,20000}?\$\$|(?<![\\$])\$(?=[^\s$])[^$\n]{0,4000}?\$"
)
"""Escaped signs, code, formulas and tags, in which nothing is meant."""
_NAME: Final = r":[a-z0-9_+-]+:(?!:)(?:\{[^{}\n]*\})?"
_FORMS: Final[Mapping[str, str]] = {
    "emoji": rf"(?P<emoji>(?<=[*_]){_NAME}[ ]|[ ]{_NAME}(?=[*_])|(?<![A-Za-z0-9:]){_NAME})",
    "keys": r"""(?P<keys>\+\+(?P<pressed>(?:[\w-]+|"[^"\n]+"|'[^'\n]+')(?:\+(?:[\w-]+|"[^"\n]+"|'[^'\n]+'))*)\+\+)""",
    "insert": r"(?P<insert>\^\^(?=\S)(?P<inserted>.{1,4000}?)(?<=\S)\^\^)",
    "hilite": r"(?P<hilite>(?<!`)(?P<ticked>`+)(?!`)[ ]*(?:#!|:::)[\w+#-]+[ ]+(?P<code>.{1,4000}?)(?<!`)(?P=ticked)(?!`))",
    "wiki": r"(?P<wiki>\[\[(?P<page>[\w _-]+)\]\])",
    "angled": r"(?P<angle><<|>>)",
    "progress": r"(?P<bar>\[={1,100}[ ]*\d+(?:\.\d+)?(?:%|[ ]*/[ ]*\d+(?:\.\d+)?)"
    r"""(?:[ ]*(?P<label>"[^"\n]*"|'[^'\n]*'))?[ ]*\](?:\{[^{}\n]*\})?)""",
    "span": r"(?P<spanned>\[(?P<inside>[^\[\]\n]{1,4000})\]\{:?[ ]*[#.\w][^{}\n]*\})",
    "raised": r"(?P<raised>(?<!\^)\^(?=[^\s^])(?P<above>[^^\n]{1,400}?)(?<=\S)\^(?!\^))",
    "lowered": r"(?P<lowered>(?<!~)~(?=[^\s~])(?P<below>[^~\n]{1,400}?)(?<=\S)~(?!~))",
    "symbols": r"(?P<symbol>\((?:tm|c|r)\)|\+/-|=/=|\bc/o\b|<-->|(?<!-)-->|<--(?!-)"
    r"|(?<!\d)(?:1/[234568]|3/[458]|2/[35]|4/5|5/[68]|7/8)(?!\d))",
}
SYMBOLS: Final = {
    "(tm)": "™", "(c)": "©", "(r)": "®", "+/-": "±", "=/=": "≠", "c/o": "℅", "-->": "→", "<--": "←", "<-->": "↔",
    "1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "2/5": "⅖", "3/5": "⅗", "4/5": "⅘", "1/6": "⅙",
    "5/6": "⅚", "1/8": "⅛", "3/8": "⅜", "5/8": "⅝", "7/8": "⅞",
}  # fmt: skip
"""What smart symbols are set as."""
_PRESSED: Final = re.compile(r"""[\w-]+|"[^"]+"|'[^']+'""")
_SIGNS: Final[Mapping[str, tuple[str, ...]]] = {
    "emoji": (":",),
    "keys": ("++",),
    "insert": ("^^",),
    "hilite": ("`#!", "`:::", "` #!", "` :::"),
    "wiki": ("[[",),
    "angled": ("<<", ">>"),
    "progress": ("[=",),
    "span": ("]{",),
    "raised": ("^",),
    "lowered": ("~",),
    "symbols": ("(tm)", "(c)", "(r)", "+/-", "=/=", "c/o", "-->", "<--", "1/", "2/", "3/", "4/", "5/", "7/"),
}
"""Without one of these a text has none of a form."""


def shown(source: str, extensions: frozenset[str]) -> str:
    """A run of text with what these extensions make of it; what they leave out is gone."""
    looked_for, forms = _looked_for(extensions)
    for sign in looked_for:
        if sign in source:
            break
    else:
        return source
    there = frozenset(name for name, signs in forms if any(map(source.__contains__, signs)))
    return _pattern(there).sub(_replaced, source)


@cache
def _looked_for(extensions: frozenset[str]) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """Signs that a text with any of the forms has, and those of each form."""
    forms = tuple((name, _SIGNS[name]) for name in sorted(extensions & _SIGNS.keys()))
    return tuple(sign for _, signs in forms for sign in signs), forms


@cache
def _pattern(extensions: frozenset[str]) -> re.Pattern[str]:
    names = sorted(extensions - {"hilite"})
    first = [_FORMS["hilite"]] if "hilite" in extensions else []  # before it is taken for code as it stands
    return re.compile("|".join([*first, _ASIDE, *(_FORMS[name] for name in names)]), re.DOTALL)


_INNER: Final = ("inserted", "page", "inside", "above", "below")
"""Groups of which what stands between the signs is left."""
_ANGLES: Final = {"<<": "«", ">>": "»"}


def _replaced(found: re.Match[str]) -> str:
    groups = found.groupdict()
    if picture := groups.get("emoji"):
        return "" if is_picture(picture.split(":", 2)[1]) else picture
    if pressed := groups.get("pressed"):
        names = [key[1:-1] if key[0] in "\"'" else key_name(key) for key in _PRESSED.findall(pressed)]
        return "+".join(f"<kbd>{name.replace('<', '&lt;')}</kbd>" for name in names if name) if all(names) else found[0]
    if groups.get("hilite"):
        return f"{groups['ticked']}{groups['code']}{groups['ticked']}"
    if symbol := groups.get("symbol"):
        return SYMBOLS[symbol]
    for name in _INNER:
        if inner := groups.get(name):
            return inner.strip()
    if groups.get("bar"):
        return (groups["label"] or "")[1:-1]
    if angle := groups.get("angle"):
        return _ANGLES[angle]
    return found[0]


_EDIT: Final = re.compile(r"\{(\+\+|--|==|>>|~~)")
_EDIT_ENDS: Final = {"++": "++}", "--": "--}", "==": "==}", ">>": "<<}", "~~": "~~}"}
_MARKS: Final = re.compile(r"[\\`*_\[\]]")


def edited(source: str, extensions: frozenset[str]) -> str:
    """A page with its edits as it shows them: both readings, or what they come to when accepted or rejected; line for line."""
    mode = next((name.partition(":")[2] for name in extensions if name.startswith("critic:")), "")
    if not mode or "{" not in source:
        return source
    pieces: list[str] = []
    last = place = 0
    unended: set[str] = set()
    while found := _EDIT.search(source, place):
        sign, place = found[1], found.end()
        turn = source.find("~>", place) if sign == "~~" and sign not in unended else place - 2
        end = source.find(_EDIT_ENDS[sign], turn + 2) if turn >= 0 and sign not in unended else -1
        if end < 0:
            unended.add(sign)
            continue
        kept = _kept(sign, source[place:turn] if sign == "~~" else "", source[turn + 2 : end], mode)
        place = end + 3
        pieces += (source[last : found.start()], kept, "\n" * (source.count("\n", found.start(), place) - kept.count("\n")))
        last = place
    return "".join([*pieces, source[last:]])


def _kept(sign: str, before: str, text: str, mode: str) -> str:
    """What a page shows of an edit."""
    if sign == ">>":
        return _MARKS.sub(r"\\\g<0>", " ".join(text.split())).replace("<", "&lt;") if mode == "view" else ""
    if mode == "view" or sign == "==":
        return before + text
    if sign == "~~":
        return text if mode == "accept" else before
    return text if (sign == "++") == (mode == "accept") else ""
