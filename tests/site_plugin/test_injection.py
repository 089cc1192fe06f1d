"""`askbook inject` on built sites."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from site_projects import everything, made_here

from askbook.builder.verify import page_ids
from askbook.core.errors import ContentError
from askbook.core.index import load
from askbook.site_plugin.injection import Injection, inject
from askbook.terminal.inject import command

PAGE = """<!DOCTYPE html>
<html lang="{lang}"><head><meta charset="utf-8"><title>{title}</title><script>var a = 1</script></head>
<body><nav id="sidebar"><ol class="chapter"><li><a href="{root}index.html">Home</a></li>
<li><a href="{root}b/two.html">Two</a></li></ol></nav>
<main><h1 id="top-one">{title}</h1><p>{text}</p></main></body></html>
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "topology"
    (folder / "b").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE.format(lang="en", title="Topology", text="A first look.", root=""), encoding="utf-8")
    (folder / "b/two.html").write_text(PAGE.format(lang="en", title="Two", text="Closed sets.", root="../"), encoding="utf-8")
    (folder / "404.html").write_text(PAGE.format(lang="en", title="Gone", text="Not here.", root="/"), encoding="utf-8")
    return folder


def test_a_built_site_gets_index_client_ids_and_one_script(site: Path) -> None:
    before = everything(site)
    done = inject(Injection(site))
    assert (done.book.name, done.book.title, done.book.lang, done.pages, done.coverage.share, done.dead) == (
        "books-topology", "Topology", "en", 2, 1.0, ()
    )  # fmt: skip
    index = load((site / "ai-index/books-topology.json").read_bytes())
    assert [index.card(ordinal).url for ordinal in range(len(index))] == ["#top-one", "b/two.html#top-one"]
    after = everything(site)
    for name in ("index.html", "b/two.html"):
        script = rb'<script type="module" src="(?:\.\./)*assets/askbook/main.js"></script>\n'
        assert len(re.findall(script, after[name])) == 1
        assert re.sub(rb' id="ask-[0-9a-f]{8}"', b"", re.sub(script, b"", after[name])) == before[name]
    assert after["404.html"] == before["404.html"]


def test_a_second_time_changes_nothing(site: Path) -> None:
    inject(Injection(site, policy=True))
    once = made_here(site)
    inject(Injection(site, policy=True))
    assert made_here(site) == once


def test_the_page_for_wrong_addresses_needs_the_path_of_the_site(site: Path) -> None:
    inject(Injection(site, base_url="/books/x/"))
    assert b'src="/books/x/assets/askbook/main.js"' in (site / "404.html").read_bytes()


def test_ids_of_paragraphs_are_on_the_page(site: Path) -> None:
    inject(Injection(site))
    assert any(name.startswith("ask-") for name in page_ids((site / "index.html").read_text(encoding="utf-8")))


def test_a_policy_hashes_the_inline_scripts_of_the_page(site: Path) -> None:
    inject(Injection(site, policy=True, connect=("https://api.example.org",)))
    page = (site / "index.html").read_text(encoding="utf-8")
    assert "'sha256-" in page.split("script-src", 1)[1].split(";", 1)[0]
    assert "connect-src 'self' https://api.example.org;" in page


def test_a_page_that_is_not_utf8_is_named_and_left_alone(site: Path) -> None:
    (site / "bad.html").write_bytes(b"<main>\xff</main>")
    done = inject(Injection(site))
    assert [(problem.file, problem.message.split(" (")[0]) for problem in done.problems] == [("bad.html", "is not UTF-8")]
    assert (site / "bad.html").read_bytes() == b"<main>\xff</main>"


def test_a_site_without_text_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<main><img src=a.png></main>", encoding="utf-8")
    with pytest.raises(ContentError, match="nothing was written"):
        inject(Injection(tmp_path))
    assert list(everything(tmp_path)) == ["index.html"]


def test_the_command_reports_as_json(site: Path) -> None:
    done = CliRunner().invoke(command, [str(site), "--title", "拓扑", "--json"])
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert (report["book"], report["title"], report["pages"], report["coverage"], report["dead"]) == (
        "books-topology",
        "拓扑",
        2,
        1.0,
        [],
    )


def test_a_switched_off_assistant_leaves_the_site_as_it_is(site: Path) -> None:
    (site.parent / "features.toml").write_text("[assistant]\nenabled = false\n", encoding="utf-8")
    before = everything(site)
    assert CliRunner().invoke(command, [str(site)]).exit_code == 0
    assert everything(site) == before


@pytest.mark.parametrize(
    ("zh", "en", "head"),
    [
        ("zh/graph/index.html", "en/graph/index.html", ""),
        ("zh-CN/graph.html", "graph.html", ""),
        ("图.html", "en/graph.html", '<link rel="alternate" hreflang="en" href="/books/x/en/graph">'),
        ("zh/tu/index.html", "graph/index.html", '<link href="../../graph/" hreflang=en-GB rel=alternate>'),
        ("zh/a.html", "en/b.html", '<link rel="alternate" hreflang="en" href="https://example.org/books/en/b.html">'),
    ],
)
def test_pages_in_two_languages_pair_their_titles(tmp_path: Path, zh: str, en: str, head: str) -> None:
    body = "<html lang='{lang}'><head>{head}</head><body><main><h1>{title}</h1><p>{text}</p></main></body></html>"
    for path, lang, title, text in (
        (zh, "zh-CN", "最短路径", "从起点到终点。"),
        (en, "en", "Shortest path", "From start to end."),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        page = body.format(lang=lang, head=head if lang == "zh-CN" else "", title=title, text=text)
        (tmp_path / path).write_text(page, encoding="utf-8")
    assert inject(Injection(tmp_path)).book.pairs == (("最短路径", "shortest path"),)


def test_pages_in_one_language_pair_nothing(site: Path) -> None:
    assert inject(Injection(site)).book.pairs == ()
