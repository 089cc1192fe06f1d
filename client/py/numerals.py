"""Read numbers in all their clothes: 第三章, Chapter III, 定理３.２, Listing 15-1 name one thing each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_letters
from typing import Final

KIND_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "chapter": ("chapter", "chapters", "chap", "ch", "章"),
    "section": ("section", "sections", "sec", "§", "小节", "节"),
    "part": ("part", "parts", "部分", "篇"),
    "volume": ("volume", "vol", "卷"),
    "lecture": ("lecture", "lectures", "lesson", "讲", "课"),
    "appendix": ("appendix", "appendices", "附录"),
    "theorem": ("theorem", "theorems", "thm", "定理"),
    "lemma": ("lemma", "lemmas", "lemmata", "引理"),
    "corollary": ("corollary", "corollaries", "cor", "推论", "系"),
    "proposition": ("proposition", "propositions", "prop", "命题"),
    "definition": ("definition", "definitions", "def", "defn", "定义"),
    "axiom": ("axiom", "axioms", "公理"),
    "property": ("property", "properties", "性质"),
    "proof": ("proof", "proofs", "证明"),
    "remark": ("remark", "remarks", "注记", "注", "备注"),
    "note": ("note", "notes", "笔记"),
    "example": ("example", "examples", "例题", "示例", "例子", "例"),
    "exercise": ("exercise", "exercises", "ex", "习题", "练习题", "练习"),
    "problem": ("problem", "problems", "问题", "题目", "题"),
    "question": ("question", "questions", "思考题"),
    "solution": ("solution", "solutions", "answer", "解答", "答案", "解"),
    "algorithm": ("algorithm", "algorithms", "alg", "算法"),
    "listing": ("listing", "listings", "代码清单", "程序清单", "清单", "代码", "程序"),
    "figure": ("figure", "figures", "fig", "figs", "插图", "图片", "图"),
    "table": ("table", "tables", "tab", "表格", "表"),
    "equation": (
        "equation",
        "equations",
        "eq",
        "eqs",
        "eqn",
        "formula",
        "formulas",
        "公式",
        "方程式",
        "方程",
        "等式",
        "式子",
        "式",
    ),
    "inequality": ("inequality", "inequalities", "不等式"),
    "step": ("step", "steps", "步骤", "步"),
    "rule": ("rule", "rules", "规则", "法则"),
    "case": ("case", "cases", "情形", "案例"),
    "variant": ("variant", "variants", "变式"),
    "method": ("method", "methods", "方法"),
    "experiment": ("experiment", "experiments", "实验"),
    "project": ("project", "projects", "项目"),
    "box": ("box", "boxes", "专栏"),
}
"""What a numbered thing is called, by the kind it is; authors of both languages name the same kinds."""

_KIND: Final = {word: kind for kind, words in KIND_WORDS.items() for word in words}
_DIGITS: Final = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES: Final = {"十": 10, "百": 100, "千": 1000}
_ROMAN: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_ROMAN_FORM: Final = re.compile(r"(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_CHINESE: Final = "零〇一二三四五六七八九十百千两"

_FIGURES: Final = (
    r"(?:(?P<digits>\d{1,4}(?:\s?[.\-]\s?\d{1,4}){0,4}[a-z]?|[A-Za-z](?:[.\-]\d{1,4}){1,3})"
    rf"|(?P<letters>[IVXL]{{1,7}}|[ivxl]{{2,7}}|[A-Z]))(?![A-Za-z0-9_]|[.\-]\d|')|(?P<chinese>[{_CHINESE}]{{1,6}})"
)
_CANDIDATE: Final = re.compile(rf"(?<![A-Za-z0-9_.\-])(?:{_FIGURES})")
_ORDINAL: Final = re.compile(rf"第\s?(?P<number>[{_CHINESE}]{{1,6}}|\d{{1,4}}(?:[.\-]\d{{1,4}}){{0,4}})\s?")
_DRESS: Final = " \t\n\u00a0([$#~"
_UNDRESS: Final = ")]$"
_JOINTS: Final = frozenset({",", "、", "and", "or", "to", "和", "与", "及", "或", "至", "到", "&"})
_LOOK_BACK: Final = 24
_CJK_LONGEST: Final = max(len(word) for word in _KIND if not word.isascii())
_LAST_LETTERS: Final = frozenset(word[-1] for word in _KIND) | frozenset(word[-1].upper() for word in _KIND) | {"."}
"""What stands before a number that has a kind; most numbers have another sign there."""
_CJK_LAST: Final = "".join(sorted({word[-1] for word in _KIND if not word.isascii()}))
_BEHIND: Final = "".join(
    rf"|(?<=[{re.escape(''.join(sorted(_LAST_LETTERS)))}][{re.escape(_DRESS)}]{{{size}}})" for size in range(1, 5)
)
_FIRST: Final = re.compile(
    rf"[{re.escape(_DRESS)}{_CJK_LAST}](?=[\dA-Z{_CHINESE}]|[ivxl]{{2}}|[a-z][.\-]\d)(?:(?<=[{_CJK_LAST}]){_BEHIND})(?:{_FIGURES})"
)
"""A number after what may stand between it and its kind word, after the last letter of one: all other numbers have no kind."""
_REACH: Final = 8
"""Within how many letters the next number of a list begins."""
_SPACES: Final = re.compile(r"\s+")


def chinese(numeral: str) -> int | None:
    """Value of a Chinese numeral below ten thousand, or None: 二十三 is 23, 二〇 is 20."""
    if not any(letter in _PLACES for letter in numeral):
        digits = [_DIGITS.get(letter) for letter in numeral]
        return None if None in digits else int("".join(map(str, digits)))
    total, digit = 0, 0
    for letter in numeral:
        if letter in _PLACES:
            total, digit = total + (digit or 1) * _PLACES[letter], 0
        else:
            digit = _DIGITS[letter]
    return total + digit


def roman(numeral: str) -> int | None:
    """Value of a Roman numeral below one hundred, or None."""
    if not numeral or not _ROMAN_FORM.fullmatch(numeral):
        return None
    values = [_ROMAN[letter] for letter in numeral.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def canonical(number: str) -> str:
    """One spelling of a number: points between its parts, lower case, no spaces: `15 - 1` and `15.1` are `15.1`."""
    return _SPACES.sub("", number).replace("-", ".").lower()


def kind_of(word: str) -> str:
    """Kind that a word of either language names, empty for none."""
    return _KIND.get(word.lower(), "")


def label_letters(kinds: Iterable[str]) -> frozenset[str]:
    """Letters that Chinese labels of these kinds are made of: beside its label, 第三章 has nothing to say."""
    words = [word for kind in kinds for word in KIND_WORDS[kind] if not word.isascii()]
    return frozenset(f"第{_CHINESE}{''.join(words)}") if words else frozenset()


def labels(text: str) -> Iterator[tuple[str, str, int]]:
    """Find what folded text names by kind and number: (kind, canonical number, place of the kind word)."""
    end = 0
    for match in _FIRST.finditer(text):
        start = match.start() + 1
        if start < end:
            continue
        kind, place = _kind_before(text, start)
        following: re.Match[str] | None = match
        while kind and following and (number := _number(following, kind)):
            yield kind, number, place
            end = following.end()
            following = _next(text, end)
    for match in _ORDINAL.finditer(text) if "第" in text else ():
        kind = _kind_after(text, match.end())
        value = match["number"] if match["number"][0].isdigit() else chinese(match["number"])
        if kind and value is not None:
            yield kind, canonical(str(value)), match.start()


def _next(text: str, end: int) -> re.Match[str] | None:
    """The next number of a list: `3.2 and 3.3`."""
    match = _CANDIDATE.search(text, end, end + 2 * _LOOK_BACK)
    if match is None or match.start() - end >= _REACH:
        return None
    return match if text[end : match.start()].strip(_DRESS + _UNDRESS).lower() in _JOINTS else None


def _kind_before(text: str, end: int) -> tuple[str, int]:
    """Kind that the word before a number names, and where that word begins."""
    before = text[max(0, end - _LOOK_BACK) : end]
    bare = before.rstrip(_DRESS)
    if len(before) - len(bare) > 4:
        return "", 0
    bare = bare.removesuffix(".")
    start = end - len(before)
    if word := bare[len(bare.rstrip(ascii_letters)) :]:
        return kind_of(word), start + len(bare) - len(word)
    for size in range(min(_CJK_LONGEST, len(bare)), 0, -1):
        if kind := _KIND.get(bare[-size:], ""):
            return kind, start + len(bare) - size
    return "", 0


def _kind_after(text: str, start: int) -> str:
    return next((kind for size in range(_CJK_LONGEST, 0, -1) if (kind := _KIND.get(text[start : start + size], ""))), "")


def _number(match: re.Match[str], kind: str) -> str:
    """A number as it counts after its kind word: `Chapter III` is 3, `Appendix C` stays c, 定理三 is 3."""
    if match["digits"]:
        return canonical(match["digits"])
    if match["chinese"]:
        return str(chinese(match["chinese"]) or "")
    letters = match["letters"]
    value = roman(letters) if len(letters) > 1 or kind != "appendix" else None
    return str(value or (letters.lower() if len(letters) == 1 else ""))
