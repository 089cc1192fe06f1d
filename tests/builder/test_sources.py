"""What a SOURCE of `build-ai-index` may be, what each is called, and how each wrong one is named; one row a case."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from askbook.builder.cli import main

PAGE = "# Heaps\n\nA heap keeps the smallest element on top.\n"
CARD = '{"id": "heaps", "title": "Heaps", "text": "A heap keeps the smallest element on top.", "url": "a/#heaps"}\n'
CELL = '{"cells": [{"cell_type": "markdown", "source": "# Heaps\\n\\nA heap keeps the smallest element on top."}]}'
HTML = "<html><body><main><h1 id='heaps'>Heaps</h1><p>A heap keeps the smallest element on top.</p></main></body></html>"
FILES = {
    "good/a.md": PAGE,
    "text/a.txt": PAGE,
    "cell.json": CELL,
    "cards.jsonl": CARD,
    "site/index.html": HTML,
    "project/mkdocs.yml": "site_name: P\n",
    "project/docs/index.md": PAGE,
    "lost/mkdocs.yml": "site_name: P\nnav:\n  - gone.md\n  - ../../away.md\n",
    "lost/docs/index.md": PAGE,
    "heir/mkdocs.yml": "INHERIT: ../gone.yml\n",
    "switch/features.toml": "[assistant]\nenbled = true\n",
    "switch/a.md": PAGE,
    "toml/features.toml": "[assistant]\nenabled = yes\n",
    "toml/a.md": PAGE,
    "byte/a.md": b"# A\n\n\xff\n",
    "odd.ipynb": '{"cells": [{"cell_type": "markdown", "source": 5}]}',
    "outputs.ipynb": '{"cells": [{"cell_type": "code", "source": "1", "outputs": 5}]}',
    "order/_toc.yml": "root: a\nparts: [\n",
    "order/a.md": PAGE,
    "null/mkdocs.yml": 'docs_dir: "a\\0b"\n',
    "deep/cards.jsonl": "{",
    "nested.jsonl": "[" * 100_000,
    "golden.jsonl": b'{"question": "heap", "id": "heaps"}\n\xff\n',
    "file": "x",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with sources of every kind, as the current one: paths in messages are those that were given."""
    for name, content in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True, parents=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    with zipfile.ZipFile(tmp_path / "bare.epub", "w") as book:
        book.writestr("META-INF/container.xml", "<container/>")
    package = '<x:package xmlns:x="x"><manifest/><spine/></x:package>'
    container = '<x:container xmlns:x="x"><x:rootfile full-path="o.opf"/></x:container>'
    for name, listed in (("none.epub", package), ("torn.epub", package)):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as book:
            book.writestr("META-INF/container.xml", container)
            book.writestr("o.opf", listed)
    torn = bytearray((tmp_path / "torn.epub").read_bytes())
    begin = torn.find(b"o.opf") + 5
    torn[begin : begin + 12] = b"\xff" * 12
    (tmp_path / "torn.epub").write_bytes(torn)
    os.mkfifo(tmp_path / "pipe.md")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


def build(*arguments: str) -> Result:
    out = () if "--out" in arguments else ("--out", "out")
    result = CliRunner().invoke(main, [*arguments, *out, "--no-cache", "--json"])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.mark.parametrize(
    ("arguments", "code", "files"),
    [
        (["good"], 0, ["books-good.json"]),
        (["good/a.md"], 0, ["books-a.json"]),
        (["site"], 0, ["books-site.json"]),
        (["project"], 0, ["books-project.json"]),
        (["project/mkdocs.yml"], 0, ["books-project.json"]),
        (["cards.jsonl", "good"], 0, ["books-cards.json", "books-good.json"]),
        (["text/a.txt", "--format", "markdown"], 0, ["books-a.json"]),
        (["cell.json", "--format", "ipynb"], 0, ["books-cell.json"]),
        (["good", "--col", "maths", "--book", "my-heaps"], 0, ["maths-my-heaps.json"]),
        (["switch", "good"], 1, ["books-good.json"]),
        (["lost", "byte", "good"], 1, ["books-good.json"]),
    ],
)
def test_every_kind_of_source_becomes_a_book_of_its_name(here: Path, arguments: list[str], code: int, files: list[str]) -> None:
    result = build(*arguments)
    written = sorted(path.name for path in (here / "out").glob("*-*.json") if path.name.count(".") == 1)
    said = [Path(book["file"]).name for book in json.loads(result.stdout)["books"] if book["file"]]
    assert (written, said, result.exit_code) == (files, files, code)
    assert json.loads((here / "out" / files[0]).read_text(encoding="utf-8"))["format"] == "askbook-index/1"


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["nowhere"], 2, "'nowhere' does not exist"),
        (["text"], 1, "text: error: holds no page"),
        (["text/a.txt"], 1, "text/a.txt: error: is none of"),
        (["good", "--format", "epub"], 1, "good: error: is a folder: --format epub takes a file"),
        (["good", "--format", "ipynb"], 1, "good: error: holds no page"),
        (["lost"], 1, "lost/mkdocs.yml:4: error: nav entry '../../away.md' leads outside the book"),
        (["lost/mkdocs.yml"], 1, "lost/mkdocs.yml:3: warning: nav entry 'gone.md' leads to no page"),
        (["heir"], 1, "gone.yml: error: cannot be read"),
        (["switch", "good"], 1, "switch/features.toml:2: error: no switch 'assistant.enbled'; did you mean assistant.enabled?"),
        (["toml"], 1, "toml/features.toml:2: error: is not TOML"),
        (["byte"], 1, "byte/a.md:3: error: is not UTF-8: byte 0xff at offset 5"),
        (["odd.ipynb"], 1, "odd.ipynb:1: error: is no notebook: the source of cell 1 is no text"),
        (["outputs.ipynb"], 1, "outputs.ipynb:1: error: is no notebook: the outputs of cell 1 are no list"),
        (["order"], 1, "order/_toc.yml:3: error: cannot be read: "),
        (["null"], 1, "null/mkdocs.yml: error: docs_dir 'ab' is missing"),
        (["deep/cards.jsonl"], 1, "deep/cards.jsonl:1: error: is no JSON"),
        (["bare.epub"], 1, "bare.epub:1: error: is no EPUB file: META-INF/container.xml names no package"),
        (["none.epub"], 1, "none.epub/o.opf:1: error: holds no page: its spine lists none"),
        (["torn.epub"], 1, "torn.epub:1: error: 'o.opf' cannot be unpacked"),
        (["nested.jsonl"], 1, "nested.jsonl:1: error: is nested too deeply"),
        (["pipe.md"], 1, "pipe.md:1: error: is no file that can be read to its end"),
        (["good", "--golden", "golden.jsonl"], 1, "golden.jsonl:2: error: is not UTF-8"),
        (["good", "--verify", "cards.jsonl"], 2, "cards.jsonl is neither the folder of a built site nor an EPUB file"),
        (["good", "--lang", "zh?"], 2, "'zh?' is no language tag"),
        (["good", "--col", "a-b"], 2, "'a-b' is no slug"),
        (["good", "--out", "file"], 2, "is a file"),
        (["good", "--out", "file/out"], 2, "file/out cannot be made"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(here: Path, arguments: list[str], code: int, said: str) -> None:
    result = build(*arguments)
    assert (result.exit_code, said in result.stderr) == (code, True), result.stderr
