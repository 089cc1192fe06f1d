"""Heading ids are those of the generators themselves, which are asked here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown.extensions.toc import slugify, slugify_unicode
from markdown.extensions.toc import unique as their_unique

from askbook.builder.mkdocs_config import dialect_of
from askbook.builder.slugs import Slugger, github_slug, markdown_slug, markdown_slug_unicode, unique, vitepress_slug

titles = st.text(st.sampled_from("aB1 -_.中文é🚀+#(）&<>/\u3000"), max_size=12)


@given(titles)
def test_python_markdown_slugs(title: str) -> None:
    assert markdown_slug(title) == slugify(title, "-")
    assert markdown_slug_unicode(title) == slugify_unicode(title, "-")


@given(st.lists(st.sampled_from(["", "a", "a_1", "a_2", "b"]), max_size=12))
def test_equal_slugs_are_counted_as_python_markdown_counts(slugs: list[str]) -> None:
    ours, theirs = set[str](), set[str]()
    slugger = Slugger(lambda text, _: text)
    expected = [their_unique(slug, theirs) for slug in slugs]
    assert [unique(slug, ours) for slug in slugs] == expected
    assert [slugger(slug) for slug in slugs] == expected


@given(titles)
def test_pymdown_slugs_by_the_name_in_the_configuration(title: str) -> None:
    slugs = pytest.importorskip("pymdownx.slugs")
    named = {"name": "pymdownx.slugs.slugify", "kwds": {"case": "lower"}}
    ours = dialect_of({"markdown_extensions": [{"toc": {"slugify": named}}]}).slugify
    assert ours(title, "-") == slugs.slugify(case="lower")(title, "-")


@pytest.mark.parametrize(("title", "slug"), [("Tips & Tricks", "tips--tricks"), ("中文 标题", "中文-标题"), ("`Vec<T>`", "vect")])
def test_github_slugs(title: str, slug: str) -> None:
    assert github_slug(title) == slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What's a C++ & C# wave?", "what-s-a-c-c-wave"),
        ("波的定义", "波的定义"),
        ('Über façade – "quoted" code() heading', "uber-facade-–-quoted-code-heading"),
        ("Emphasis and 1. number", "emphasis-and-1-number"),
        ("3.2 Numbers first", "_3-2-numbers-first"),
    ],
)
def test_vitepress_names_headings_as_its_sites_show(heading: str, anchor: str) -> None:
    assert vitepress_slug(heading) == anchor
