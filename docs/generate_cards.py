"""Write the numbers and the kind table of `docs/cards.md` from the code: python docs/generate_cards.py.

The page cannot go stale: a test makes it again and compares.
"""

from __future__ import annotations

import re
from pathlib import Path

from askbook.builder.kinds import KINDS, SECTION
from askbook.builder.split import TOKENS_LATIN, TOKENS_NARROW, TOKENS_WIDE
from askbook.core.limits import CARD_OVERLAP, CARD_TOKENS, PASSAGES

PAGE = Path(__file__).with_name("cards.md")
NUMBERS = {
    "tokens": str(CARD_TOKENS),
    "overlap": f"{CARD_OVERLAP:.0%}",
    "wide": str(TOKENS_WIDE),
    "narrow": str(TOKENS_NARROW),
    "latin": str(TOKENS_LATIN),
    "passages": str(PASSAGES),
}
_TABLE = re.compile(r"(<!-- kinds -->\n).*?(<!-- /kinds -->)", re.DOTALL)
_NUMBER = re.compile(r"\{\{ (\w+) \}\}|<!-- (\w+) -->[^<]*<!-- / -->")


def kind_table() -> str:
    """The rows of `kinds.py`."""
    rows = ["| kind | names in the source | words that open it in a paragraph |", "|---|---|---|"]
    for row in KINDS:
        rows.append(f"| {row.kind} | {', '.join(row.names)} | {', '.join(row.opens)} |")
    rows.append(f"| {SECTION} | the text under a heading | |")
    return "\n".join(rows)


def page(text: str) -> str:
    """The page with its numbers and its table as the code has them."""
    text = _NUMBER.sub(lambda found: _number(found[1] or found[2]) if (found[1] or found[2]) in NUMBERS else found[0], text)
    return _TABLE.sub(lambda found: f"{found[1]}\n{kind_table()}\n\n{found[2]}", text)


def _number(name: str) -> str:
    return f"<!-- {name} -->{NUMBERS[name]}<!-- / -->"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
