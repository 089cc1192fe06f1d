"""`askbook demo`: any project becomes a site with its assistant, served under a sub-path or asked in the terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from askbook.builder.index.write import encode
from askbook.core.index import Index, load
from askbook.core.schema import Book, Card
from askbook.terminal.cli import main
from askbook.terminal.demo import first_questions
from askbook.terminal.shelf import read_shelf
from tests.fakes.endpoint import Endpoint, text

PAGE = "# Bread\n\n## Sourdough\n\nA sourdough rises slowly because wild yeast is patient.\n"


def demo(*arguments: str | Path) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(main, ["demo", *map(str, arguments)], env={"ASKBOOK_API_KEY": ""})


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A folder of Markdown without any configuration."""
    folder = tmp_path / "bread"
    folder.mkdir()
    (folder / "index.md").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that does not know the plugin."""
    folder = tmp_path / "Baking Book"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs/index.md").write_text(PAGE, encoding="utf-8")
    (folder / "mkdocs.yml").write_text("site_name: Baking\ntheme: readthedocs\nplugins: []\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example book as the command builds it."""
    site = tmp_path_factory.mktemp("demo") / "site"
    assert demo("--no-serve", "--out", site).exit_code == 0
    return site


def titles(site: Path) -> dict[str, str]:
    """Books of a site and their languages."""
    return {index.title: index.lang for index in read_shelf(str(site / "ai-index"))}


def test_the_example_book_is_two_books_one_a_language(example: Path) -> None:
    assert titles(example) == {"How Search Engines Rank Text": "en", "搜索引擎如何给文本排序": "zh-Hans"}


def test_the_example_book_has_its_units_in_both_languages(example: Path) -> None:
    numbered = []
    for index in read_shelf(str(example / "ai-index")):
        cards = [index.card(ordinal) for ordinal in range(len(index))]
        numbered.append({(card.kind, card.number) for card in cards if card.kind in ("theorem", "definition", "exercise")})
    assert len(numbered[0]) == 11 + 13 + 9
    assert numbered[0] == numbered[1]


def test_each_page_carries_the_assistant_once(example: Path) -> None:
    pages = sorted(page for page in example.rglob("*.html") if "assets" not in page.parts)
    assert {page.read_text(encoding="utf-8").count("assets/askbook/main.js") for page in pages} == {1}


@pytest.mark.parametrize(
    ("question", "told", "page"),
    [
        ("What does Theorem 2.2 say?", "strictly increasing and strictly concave", "/en/2-term-weights/#"),
        ("什么是倒排索引？", "从文档集的每个词项到其倒排列表的映射", "/zh/1-inverted-index/#"),
    ],
)
def test_a_question_is_answered_in_the_terminal_by_the_book_in_its_language(question: str, told: str, page: str) -> None:
    result = demo("--ask", question)
    assert result.exit_code == 0, result.output
    assert told in result.stdout
    assert re.search(r"\[\d\]", result.stdout)
    assert page in result.stdout
    assert {"/en/": "/zh/", "/zh/": "/en/"}[page[:4]] not in result.stdout


def test_a_model_answers_where_an_endpoint_is_given(project: Path) -> None:
    with Endpoint([text("Yeast is patient [1].")]) as server:
        result = demo(project, "--ask", "Why does sourdough rise slowly?", "--endpoint", server.url, "--model", "scripted")
    assert result.exit_code == 0, result.output
    assert "Yeast is patient [1]." in result.stdout


def test_the_panel_proposes_the_endpoint_given(project: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    result = demo(project, "--no-serve", "--out", site, "--endpoint", "http://127.0.0.1:9/v1", "--model", "tiny")
    assert result.exit_code == 0, result.output
    told = json.loads((site / "assets/askbook/site.js").read_text(encoding="utf-8").removeprefix("export const site = "))
    assert (told["options"]["endpoint"], told["options"]["model"]) == ("http://127.0.0.1:9/v1", "tiny")


def test_a_folder_of_markdown_is_enough(plain: Path, tmp_path: Path) -> None:
    result = demo(plain, "--no-serve", "--out", tmp_path / "site")
    assert result.exit_code == 0, result.output
    assert titles(tmp_path / "site") == {"bread": "en"}


def test_a_project_without_the_plugin_gets_it(project: Path, tmp_path: Path) -> None:
    result = demo(project, "--no-serve", "--out", tmp_path / "site")
    assert result.exit_code == 0, result.output
    assert titles(tmp_path / "site") == {"Baking": "en"}
    assert "assets/askbook/main.js" in (tmp_path / "site/index.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in project.iterdir()) == ["docs", "mkdocs.yml"]


def test_a_missing_docs_dir_is_named(project: Path) -> None:
    (project / "mkdocs.yml").write_text("site_name: Baking\ndocs_dir: build/docs\n", encoding="utf-8")
    result = demo(project, "--no-serve")
    assert result.exit_code == 1
    assert "docs_dir" in result.output
    assert "build/docs" in result.output


def test_a_configuration_that_is_no_yaml_is_named(project: Path) -> None:
    (project / "mkdocs.yml").write_text("site_name: [Baking\n", encoding="utf-8")
    result = demo(project, "--no-serve")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "mkdocs.yml" in result.output


@pytest.mark.parametrize("content", [None, "empty"])
def test_a_folder_without_a_book_is_named(tmp_path: Path, content: str | None) -> None:
    place = tmp_path / "nothing"
    if content:
        place.mkdir()
    result = demo(place, "--no-serve")
    assert result.exit_code == 1
    assert "nothing" in result.output


def shelf_of(lang: str, *cards: Card) -> Index:
    """A book in memory."""
    files = encode(Book("books", "b", "B", lang, cards))
    name, data = next(iter(files.items()))
    return load(data, {side: content for side, content in files.items() if side != name})


def card(number: str, kind: str = "theorem") -> Card:
    return Card(f"1/{kind}-{number}", kind, f"{kind.title()} {number}", f"x/#{number}", "A text with words.", number)


def test_first_questions_are_spread_over_a_book() -> None:
    index = shelf_of("en", card("", "section"), *(card(f"1.{n}") for n in range(1, 9)))
    assert first_questions([index]) == [f"What does “Theorem 1.{n}” say?" for n in (3, 5, 7)]


def test_first_questions_are_in_the_language_of_their_book() -> None:
    english, chinese = shelf_of("en", card("1.1")), shelf_of("zh-Hans", card("2.1"))
    assert first_questions([english, chinese]) == ["What does “Theorem 1.1” say?", "“Theorem 2.1”讲的是什么？"]


def test_no_book_has_no_question() -> None:
    assert first_questions([]) == []


@pytest.fixture
def served(project: Path) -> Iterator[tuple[str, list[str]]]:
    """The command as a process that serves; its address and what it printed below."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", "from askbook.terminal.cli import main; main()", "demo", str(project), "--port", "0"],
        stdout=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    assert process.stdout is not None
    printed = [process.stdout.readline() for _ in range(3)]
    yield printed[0].split()[4], printed
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0


def test_it_serves_under_a_sub_path_and_proposes_questions(served: tuple[str, list[str]]) -> None:
    address, printed = served
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port, timeout=5)
    connection.request("GET", parts.path)
    answer = connection.getresponse()
    assert (parts.path, answer.status) == ("/books/baking-book/", 200)
    assert "assets/askbook/main.js" in answer.read().decode()
    assert printed[1:] == ["Questions to try:\n", "  What does “Sourdough” say?\n"]
