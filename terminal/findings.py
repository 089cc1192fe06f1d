"""What `askbook doctor` finds, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "note", "wrong"]
SIGNS: dict[Verdict, str] = {"ok": "✓", "note": "·", "wrong": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    subject: str
    text: str
    verdict: Verdict = "ok"
    remedy: str = ""


def lines(findings: Iterable[Finding]) -> Iterator[str]:
    """The report as text."""
    for finding in findings:
        yield f"{SIGNS[finding.verdict]} {finding.subject:<12} {finding.text}"
        if finding.remedy:
            yield f"  {'':<12} → {finding.remedy}"
