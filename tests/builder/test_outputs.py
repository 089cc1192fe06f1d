"""llms.txt, llms-full.txt, book.json and mcp.json."""

from __future__ import annotations

import json

from askbook.builder.features import Outputs
from askbook.builder.outputs import address, outputs, part
from askbook.core.schema import Book, Card, Section

BOOK = Book(
    "books",
    "topology",
    "Topology",
    "en",
    (
        Card("compact", "section", "Compactness", "compact/#compactness", "Every open cover …"),
        Card("compact/3-2", "theorem", "Theorem 3.2", "compact/#hb", "Closed and bounded.", breadcrumb=("Compactness",)),
        Card(
            "compact/3-2~2", "theorem", "Theorem 3.2", "compact/#ask-1", "bounded.\n\nAnd more.", overlap=10, parent="compact/3-2"
        ),
        Card("拓扑", "section", "拓扑 [空间]", "拓扑/#a b", "定义。"),
    ),
    (Section("Compactness", "compact/#compactness", 0, 0, 3, "3"), Section("拓扑 [空间]", "拓扑/#a b", 0, 3, 4)),
    ("compact/", "拓扑/"),
)
BASE = "https://example.org/books/"


def made(switches: Outputs, base: str = BASE) -> dict[str, str]:
    found = outputs(
        [part(BOOK, base=base, hash_="h")], switches, title="My books", base=base, summary="Two lines\nof text", name="topology"
    )
    return {name: data.decode() for name, data in found.items()}


def test_llms_txt_lists_the_chapters_with_an_address_each() -> None:
    assert made(Outputs(llms_txt=True, book_json=False)) == {
        "llms.txt": (
            "# My books\n\n> Two lines of text\n\n## Topology\n\n"
            "- [Compactness](https://example.org/books/compact/#compactness)\n"
            "- [拓扑 \\[空间\\]](https://example.org/books/%E6%8B%93%E6%89%91/#a%20b)\n"
        )
    }


def test_llms_full_txt_has_the_text_once_with_an_address_on_every_section() -> None:
    text = made(Outputs(llms_full_txt=True, book_json=False))["llms-full.txt"]
    assert text == (
        "# Topology\n\n"
        "## Compactness\n\nSource: https://example.org/books/compact/#compactness\n\nEvery open cover …\n\n"
        "### Theorem 3.2\n\nSource: https://example.org/books/compact/#hb\n\nClosed and bounded.\n\n"
        "And more.\n\n"
        "## 拓扑 [空间]\n\nSource: https://example.org/books/%E6%8B%93%E6%89%91/#a%20b\n\n定义。\n"
    )


def test_book_json_names_collections_books_chapters_and_hashes() -> None:
    assert json.loads(made(Outputs())["book.json"]) == {
        "format": "askbook-book/1",
        "collections": [
            {
                "col": "books",
                "books": [
                    {
                        "col": "books",
                        "book": "topology",
                        "title": "Topology",
                        "lang": "en",
                        "authors": [],
                        "index": "books-topology.json",
                        "hash": "h",
                        "cards": 4,
                        "chapters": [
                            {"title": "Compactness", "number": "3", "url": "compact/#compactness", "cards": 3},
                            {"title": "拓扑 [空间]", "number": "", "url": "拓扑/#a b", "cards": 1},
                        ],
                    }
                ],
            }
        ],
    }


def test_mcp_json_starts_the_server_of_the_published_book() -> None:
    found = json.loads(made(Outputs(book_json=False, mcp_json=True))["mcp.json"])
    assert found == {"mcpServers": {"topology": {"command": "askbook", "args": ["mcp", BASE]}}}


def test_the_server_card_says_where_the_server_comes_from_and_how_it_starts() -> None:
    card = json.loads(made(Outputs(book_json=False, mcp_json=True))["server-card.json"])
    (package,) = card["packages"]
    assert (card["name"], package["identifier"], package["transport"]) == ("topology", "askbook", {"type": "stdio"})
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp", BASE]


def test_nothing_is_made_when_all_is_off() -> None:
    assert made(Outputs(book_json=False)) == {}


def test_an_address_without_a_site_stays_relative() -> None:
    assert address("a/#b", "") == "a/#b"
    assert address("a/#b", "/p") == "/p/a/#b"
    assert address("a/?x=%20#b", BASE) == "https://example.org/books/a/?x=%20#b"
