"""The example book tells the truth: its listings print what it says, and both languages say the same."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
BOOK = ROOT / "examples/book"
CHAPTERS = sorted(path.name for path in (BOOK / "docs/en").glob("[0-9]*.md"))
FENCE = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def text(lang: str, chapter: str) -> str:
    return (BOOK / "docs" / lang / chapter).read_text(encoding="utf-8")


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_listings_print_what_the_book_says(lang: str, chapter: str) -> None:
    blocks = FENCE.findall(text(lang, chapter))
    program = "\n".join(code for name, code in blocks if name == "python")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(program, names)
    assert program
    assert printed.getvalue() == "".join(code for name, code in blocks if name == "text")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_both_languages_have_the_same_units_formulas_and_blocks(chapter: str) -> None:
    english, chinese = (skeleton(text(lang, chapter)) for lang in ("en", "zh"))
    assert english == chinese


def skeleton(chapter: str) -> list[str]:
    """Headings by level and number, boxes by kind, displayed formulas without words, tables by width."""
    found = []
    for line in re.sub(r"\\text\{[^}]*\}", r"\\text{}", chapter).splitlines():
        if match := re.match(r"(#+) (?:Chapter |第 )?([\d.]+)", line):
            found.append(f"{match[1]} {match[2]}")
        elif match := re.match(r"\s*(!!!|\?\?\?) (\w+)(?:.*?(\d\.\d))?", line):
            found.append(" ".join(filter(None, match.groups())))
        elif match := re.match(r"\s*(=== |\|[-:])", line):
            found.append(f"{match[1]}{line.count('|')}")
        elif line.strip() == "$$" or line.startswith("```"):
            found.append(line.strip()[:9])
    return found


def test_the_navigation_names_every_page() -> None:
    pages = {path.relative_to(BOOK / "docs").as_posix() for path in (BOOK / "docs").rglob("*.md")}
    nav = re.search(r"^nav:\n(.*?)^\S", (BOOK / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert nav is not None
    assert set(re.findall(r"- (\S+\.md)$", nav[1], re.MULTILINE)) == pages


def test_the_workflow_uses_commands_and_options_that_exist() -> None:
    flow = yaml.safe_load((ROOT / "examples/ci/github.yml").read_text(encoding="utf-8"))
    assert list(flow["jobs"]) == ["build", "publish"]
    assert flow["jobs"]["publish"]["needs"] == "build"
    runs = [step["run"] for step in flow["jobs"]["build"]["steps"] if "run" in step]
    reference = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    options = [option for run in runs if run.startswith("build-ai-index") for option in re.findall(r"--[\w-]+", run)]
    assert options
    assert [option for option in options if f"`{option}`" not in reference] == []
