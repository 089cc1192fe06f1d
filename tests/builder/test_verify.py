"""Addresses of cards against a built site."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from askbook.builder.verify import Dead, FolderSite, generator, open_site, page_ids, verify
from askbook.core.errors import ContentError
from askbook.core.schema import Card, Paragraph

PAGE = '<html><body><h1 id="one">One</h1><p id=\'two\'>Some <b>text</b> here</p><a name="old"></a><p id=三>汉</p></body></html>'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/index.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "中 文.html").write_text(PAGE, encoding="utf-8")
    return tmp_path


def card(url: str, *anchors: str) -> Card:
    return Card("c", "section", "T", url, "text", paragraphs=tuple(Paragraph(0, 4, anchor) for anchor in anchors))


@pytest.mark.parametrize(
    "url",
    [
        "a/", "a/#one", "a/#two", "a/#old", "a/#三", "a/#%E4%B8%89", "a/index.html#one", "a#one", "a/#top",
        "%E4%B8%AD%20%E6%96%87.html#one", "中 文#one", "a/#one:~:text=Some%20text", "a/#:~:text=some,here",
    ],
)  # fmt: skip
def test_an_address_that_works_is_not_reported(site: Path, url: str) -> None:
    assert verify([card(url)], FolderSite(site)) == ()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("b/", "no such page"),
        ("../a/", "no such page"),
        ("a/#three", "no such id on the page"),
        ("a/#one:~:text=Other%20words", "the page does not say this"),
    ],
)
def test_a_dead_address_is_reported_with_its_reason(site: Path, url: str, reason: str) -> None:
    assert verify([card(url)], FolderSite(site)) == (Dead("c", url, reason),)


def test_a_sign_less_than_is_no_tag(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text('<p id="a">x < y and "then</p><p>some words</p><p title=">">z</p>', encoding="utf-8")
    assert verify([card("#a:~:text=some%20words")], FolderSite(tmp_path)) == ()


def test_paragraphs_are_followed_too(site: Path) -> None:
    assert verify([card("a/#one", "two", "gone")], FolderSite(site)) == (Dead("c", "a/#gone", "no such id on the page"),)


def test_addresses_may_begin_with_the_site_s_path(site: Path) -> None:
    assert verify([card("books/x/a/#one")], FolderSite(site), base="books/x/") == ()


def test_members_of_an_epub_are_found(tmp_path: Path) -> None:
    file = tmp_path / "b.epub"
    with ZipFile(file, "w") as archive:
        archive.writestr("EPUB/text/ch1.xhtml", PAGE)
    assert verify([card("text/ch1.xhtml#two"), card("EPUB/text/ch1.xhtml#x")], open_site(file)) == (
        Dead("c", "EPUB/text/ch1.xhtml#x", "no such id on the page"),
    )


def test_a_site_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="no built site"):
        open_site(tmp_path / "nowhere")


def test_ids_are_read_from_tags_only() -> None:
    assert page_ids('<p id="a&amp;b">id="c"</p><!-- <p id="d"> --><input name="e">') == {"a&b"}


@pytest.mark.parametrize(
    ("head", "format_"),
    [
        ('<meta name="description" content="Quarto for everyone"><meta name=twitter:title content=VitePress>', ""),
        ('<meta data-rh="true" name="generator" content="Docusaurus v3.9">', "docusaurus"),
        ("<meta content='quarto-1.5' name='generator'>", "quarto"),
        ('<meta name="description" content="Docusaurus, a tour"><meta name=generator content=VitePress>', "vitepress"),
        ("<!-- Book generated using mdBook -->", "mdbook"),
    ],
)
def test_a_site_is_of_the_generator_it_names_as_its_own(head: str, format_: str, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f"<html><head>{head}</head></html>", encoding="utf-8")
    assert generator(FolderSite(tmp_path)) == format_
