"""Units that plain paragraphs open: “Theorem 3.2 (Heine–Borel).”, “定理 3.2（…）”, “例2.1”, “Proof.”, in Chinese and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from .kinds import Kinds

NUMBER: Final = r"(?:[A-Z](?:[.\-–]\d+)+|\d+(?:[.\-–]\d+)*(?:[a-z](?![a-z]))?|[一二三四五六七八九十]{1,3}(?=[\s　、.:：（(]|$))"
"""A number as books write them: `3`, `3.2.1`, `15-1`, `B.2`, `2.1a`, 三."""

_NAME = r"[（(](?:[^（）()]|[（(][^（）()]*[)）]){1,120}[)）]|\[[^\[\]]{1,80}\]|【[^】]{1,80}】"
_END_MARKS = re.compile(r"(?:[□∎■◻◼▢⬜]|\\(?:qed|blacksquare|square|Box)\b\$*|Q\.\s?E\.\s?D\.?|证毕[。.]?|證畢[。.]?)[\s$.。]*$")
_CONTINUES = re.compile(
    r"^(?:[-*+] |\d+[.)] |[(（][\da-zivxIVX一二三四五六七八九十]{1,4}[)）]|\$\$|```|[a-z]"
    r"|其中|则|那么|且|并且|从而|即|使得|满足|这里"
    r"|where\b|then\b|and\b|Then\b|Moreover|Furthermore|In particular|Equivalently|Here )"
)
_OPEN_END = re.compile(r"[:：,，;；]$|\$\$$")
_UNNUMBERED: Final = frozenset(
    [
        "theorem",
        "lemma",
        "proposition",
        "corollary",
        "definition",
        "axiom",
        "conjecture",
        "claim",
        "example",
        "exercise",
        "solution",
        "proof",
        "remark",
        "algorithm",
    ]
)
"""Kinds a set-off word opens without a number."""
_PLAIN_UNNUMBERED: Final = frozenset(("proof", "solution"))
_SHORT_WORDS: Final = frozenset("例题解证證答注註系")
_STATEMENT_STARTS = re.compile(
    r"^(?:设|設|若|如果|假设|假設|对|對|任意|任一|任何|令|给定|給定|在|当|當|称|稱|一个|一個|每|存在|函数|已知|如|有|如下)"
)
_MENTION = re.compile(
    r"^(?:的|是|中|和|与|與|及|给|給|表|说|說|告|可|指|也|成立|证明|證明|所|、|，|,|以|来|就|都|之|为|為|得|知|那|里|裏|这|這|不|已|能|会|會|要|将|將|并|並|则|則|推|考|用|利用|同|类似|類似|"
    r"[)）]|to\b|and\b|or\b|is\b|are\b|in\b|of\b|shows?\b|says?\b|gives?\b|implies\b|states?\b|can\b|we\b|that\b)"
)


@dataclass(frozen=True, slots=True)
class Opened:
    """What a paragraph opens."""

    kind: str
    title: str
    number: str


class Openings:
    """Finds the units that paragraphs open, for one kind table."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        words = sorted(kinds.opens, key=lambda word: (-len(word), word))
        shown = [word if not word.isascii() else f"{word.capitalize()}|{word.upper()}" for word in words]
        pattern = "|".join(shown) or r"(?!)"
        self._head = re.compile(
            rf"(?P<word>{pattern})(?P<star>\*?)[ \u3000\xa0]*(?:\$?(?P<number>{NUMBER})\$?)?"
            rf"[ \u3000\xa0]*(?P<name>{_NAME})?[ \u3000\xa0]*(?P<stop>[.:：。．、]|--?|[–—]+)?"
        )
        self._first = frozenset(word[0] for entry in shown for word in entry.split("|") if word)

    def find(self, text: str, opening: str) -> Opened | None:
        """Return the unit a paragraph opens; a sentence that only mentions one opens nothing."""
        if not text or text[0] not in self._first:
            return None
        head = self._head.match(text)
        if head is None or (head["word"][-1].isascii() and text[head.end("word") : head.end("word") + 1].isalpha()):
            return None
        kind = self._kinds.opens.get(head["word"].casefold())
        if kind is None:
            return None
        if opening and text.startswith(opening):
            return self._set_off(text, opening, head, kind)
        return self._plain(text, head, kind)

    def of_caption(self, title: str) -> str | None:
        """Return the kind a caption names, as `Theorem 3.2 (X)`, `Proof of X` or 例题; a note may be called so."""
        if not title or title[0] not in self._first or (head := self._head.match(title)) is None:
            return None
        if head["word"][-1].isascii() and title[head.end("word") : head.end("word") + 1].isalpha():
            return None
        kind = self._kinds.opens.get(head["word"].casefold())
        if kind is None or self._kinds.role(kind) == "aside":
            return None
        rest = title[head.end() :].strip()
        named = head["number"] or not rest or head["name"] or (head["stop"] and head["stop"] in ".:：")
        return kind if named or rest.startswith(("of ", "to ", "for ")) else None

    def _set_off(self, text: str, opening: str, head: re.Match[str], kind: str) -> Opened | None:
        """The opening words are bold or italic."""
        number = head["number"] or ""
        reached = head.end("number") if number else head.end("word")
        if len(opening) < reached:
            return self._plain(text, head, kind)
        end = max(len(opening), head.end()) if head.end() <= len(opening) + len(head["name"] or "") + 6 else len(opening)
        title = text[:end].rstrip(" .:：。．、-–—\u3000")
        if number:
            if _MENTION.match(text[len(opening) :].lstrip()) and len(opening) == reached and not head["name"]:
                return None
            return Opened(kind, title if len(title) <= 120 else text[:reached], number)
        bare = opening.rstrip(" .:：。．\u3000")
        rest = text[len(opening) :]
        stops = opening != bare or rest.lstrip()[:1] in tuple(".:：。．") or _goes_on_apart(rest, head["word"])
        named = bare == head["word"] or (head["name"] and bare == text[: head.end("name")])
        if kind not in _UNNUMBERED or not named or not (stops or text == opening):
            return None
        return Opened(kind, title, "")

    def _plain(self, text: str, head: re.Match[str], kind: str) -> Opened | None:
        """The opening words look like the rest."""
        number, name, stop = head["number"] or "", head["name"], head["stop"]
        rest = text[head.end() :].strip()
        if not number:
            if kind not in _PLAIN_UNNUMBERED or not (
                (stop and stop in ":：.") or (head["word"] in ("证明", "證明") and text[2:3] in " \u3000")
            ):
                return None
            return Opened(kind, text[: head.end("name") if name else head.end("word")], "")
        title = text[: head.end("name") if name else head.end("number")].rstrip("$ ")
        title = title + "$" if title.count("$") % 2 else title
        if not self._opens(text, head, rest, kind):
            return None
        return Opened(kind, title, number)

    def _opens(self, text: str, head: re.Match[str], rest: str, kind: str) -> bool:
        stop, name = head["stop"], head["name"]
        if not rest:
            return True
        if stop:
            return stop != "、" and not (stop in "-–—" and not rest[:1].isupper() and rest[:1].isascii())
        if name:
            return not _MENTION.match(rest)
        worked = self._kinds.role(kind) in ("worked", "proof")
        if _MENTION.match(rest) and not (worked and rest.startswith(("证明", "證明"))):
            return False
        gap = text[head.end() - 1 : head.end()].isspace()
        if rest[0].isascii():
            return gap and (rest[0].isupper() or rest[0] in "$`\\")
        if worked:
            return gap or head["word"] not in ("问题", "题")
        return bool(_STATEMENT_STARTS.match(rest)) or (gap and head["word"] not in _SHORT_WORDS and len(text) < 40)


def _goes_on_apart(rest: str, word: str) -> bool:
    """Whether what follows a set-off word begins anew: “**Proof** Suppose …”, “**证明** 由 …”."""
    begins = rest.lstrip()[:1]
    if begins == rest[:1]:
        return False
    return not word.isascii() or begins.isupper() or begins in ("$", "`", "\\")


def ends_unit(text: str) -> bool:
    """Say whether a paragraph carries the mark that ends a proof."""
    return bool(_END_MARKS.search(text[-40:]))


def continues(text: str, before: str) -> bool:
    """Say whether a paragraph belongs to the statement that the paragraph before it is part of."""
    return bool(_CONTINUES.match(text) or _OPEN_END.search(before))


def number_in(title: str, kinds: Kinds) -> str:
    """The number in a unit's caption: `Theorem 3.2 (…)`, `例 6.4. …`, `Listing 15-1: …`; empty for none."""
    found = _CAPTION.match(title)
    if found is None:
        return ""
    word = found[1].strip()
    return found[2] if not word or kinds.of(word) or kinds.of(word.split()[-1]) else ""


_CAPTION = re.compile(
    rf"^([^\W\d_]{{0,24}}(?:\s[^\W\d_]{{1,24}})?)[ \u3000\xa0]*\$?({NUMBER})\$?(?=[\s.:：,，、（(\u3000）)】]|$)"
)
