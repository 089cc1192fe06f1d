"""Read numbers in all their clothes: 第三章, Chapter III, 定理３.２, Listing 15-1 name one thing each."""

from __future__ import annotations

import re
from collections.abc import Iterator
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

_NUMBER: Final = (
    r"(?:\d{1,4}(?:\s?[.\-]\s?\d{1,4}){0,4}[a-z]?(?![A-Za-z0-9_]|[.\-]\d)|[A-Z](?:[.\-]\d{1,4}){1,3}(?![A-Za-z0-9_]))"
)
_DRESS: Final = r"[\s\u00a0]?[(\[$#~]{0,2}\s?"
_LATIN_WORDS: Final = "|".join(sorted((re.escape(w) for w in _KIND if w.isascii()), key=len, reverse=True))
_CJK_WORDS: Final = "|".join(sorted((w for w in _KIND if not w.isascii() and w != "§"), key=len, reverse=True))
_LABEL: Final = re.compile(
    rf"(?:(?<![A-Za-z])(?P<latin>{_LATIN_WORDS})(?![A-Za-z])\.?|(?P<cjk>{_CJK_WORDS}|§))"
    rf"(?P<numbers>{_DRESS}{_NUMBER}[)\]$]{{0,2}}(?:\s?(?:,|、|and|or|to|和|与|及|或|至|到)\s?{_DRESS}{_NUMBER}[)\]$]{{0,2}}){{0,4}})",
    re.IGNORECASE,
)
_ONE: Final = re.compile(_NUMBER, re.IGNORECASE)
_ORDINAL: Final = re.compile(rf"第\s?(?P<number>[{_CHINESE}]{{1,6}}|\d{{1,4}}(?:[.\-]\d{{1,4}}){{0,4}})\s?(?P<kind>{_CJK_WORDS})")
_WORDED: Final = re.compile(
    rf"(?<![A-Za-z])(?P<latin>{_LATIN_WORDS})\b\.?\s(?P<number>[IVXLivxl]{{1,7}}|[A-Z])(?![A-Za-z0-9_']|[.\-]\d)", re.IGNORECASE
)
_CJK_LETTER: Final = re.compile(rf"(?P<kind>{_CJK_WORDS})\s?(?P<number>[A-Z]|[{_CHINESE}]{{1,5}})(?![A-Za-z0-9_]|[.\-]\d)")
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


def labels(text: str) -> Iterator[tuple[str, str, int]]:
    """Find what folded text names by kind and number: (kind, canonical number, place)."""
    for match in _LABEL.finditer(text):
        kind = _KIND[(match["latin"] or match["cjk"]).lower()]
        for number in _ONE.finditer(match["numbers"]):
            yield kind, canonical(number.group()), match.start()
    for match in _ORDINAL.finditer(text):
        value = match["number"] if match["number"][0].isdigit() else chinese(match["number"])
        if value is not None:
            yield _KIND[match["kind"]], canonical(str(value)), match.start()
    for match in _WORDED.finditer(text):
        yield from _lettered(_KIND[match["latin"].lower()], match["number"], match.start())
    for match in _CJK_LETTER.finditer(text):
        yield from _lettered(_KIND[match["kind"]], match["number"], match.start())


def _lettered(kind: str, numeral: str, place: int) -> Iterator[tuple[str, str, int]]:
    """A number written with letters: `Chapter III` is 3, `Appendix C` stays c, 定理三 is 3."""
    if numeral[0] in _CHINESE:
        value = chinese(numeral)
    else:
        value = roman(numeral) if len(numeral) > 1 or (numeral.isupper() and kind != "appendix") else None
    if value:
        yield kind, str(value), place
    elif len(numeral) == 1 and numeral.isupper():
        yield kind, numeral.lower(), place
