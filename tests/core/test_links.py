"""The link policy: which addresses become links, and that the result of a result is the same result."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from askbook.core.hosts import authority
from askbook.core.links import Link, read_site, safe_link, safe_source

SITE = "https://example.org/books/"
GOLDEN = Path(__file__).parents[1] / "golden"
CASES = [case for case in json.loads((GOLDEN / "cases/links.json").read_text("utf-8")) if case["kind"] == "href"]
OWN = json.loads((GOLDEN / "links.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES + OWN, ids=lambda case: case["id"])
def test_an_address_is_allowed_in_its_normal_form_or_blocked(case: dict) -> None:
    link = safe_link(case["input"], site=case["site"], page=case.get("page"))
    expected = None if case["href"] is None else Link(case["href"], case["external"])
    assert (link, case["why"]) == (expected, case["why"])


@pytest.mark.parametrize(
    ("known", "href", "expected"),
    [
        ({"python/ch03/"}, "/python/ch03/", True),
        ({"python/ch03/"}, "/books/python/ch03/#for-loops", True),
        ({"python/ch03/"}, "python/ch03", True),
        ({"python/ch03/"}, "/python/ch03/index.html", True),
        ({"/books/python/ch03/"}, "/python/ch03/", True),
        ({"数学/第三章/"}, "/数学/第三章/#定理", True),
        ({"%E6%95%B0/"}, "/数/", True),
        ({"python/ch03/"}, "/python/ch99/", False),
        ({"python/ch03/"}, "https://example.org/books/python/ch99/", False),
        ({"python/ch03/"}, "/", True),
        ({"python/ch03/"}, "https://example.net/anything", True),
        ({"python/ch03/"}, "#here", True),
        (set(), "/python/ch03/", False),
    ],
)
def test_an_address_the_book_does_not_have_is_no_link(known: set[str], href: str, expected: bool) -> None:
    assert (safe_link(href, site=SITE, known=known) is not None) is expected


def test_a_path_may_be_as_long_below_the_site_root_as_it_may_be_written() -> None:
    assert [bool(safe_link("/" + "a" * length, site=SITE)) for length in (2_047, 2_048)] == [True, False]


def test_images_come_from_the_own_site_alone() -> None:
    asked = [
        "/img/a.png",
        "img/a.png",
        "https://example.org/books/a.png",
        "https://example.org/blog/a.png",
        "//evil.example/a.png",
        "mailto:a@b.c",
    ]
    assert [safe_source(src, site=SITE) for src in asked] == [
        "https://example.org/books/img/a.png",
        "https://example.org/books/img/a.png",
        "https://example.org/books/a.png",
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("site", "href"),
    [
        ("https://example.org", "https://example.org/a/"),
        ("https://EXAMPLE.org/Books", "https://example.org/Books/a/"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000/a/"),
        ("http://localhost:80/x/y/", "http://localhost/x/y/a/"),
        ("http://[::1]:8000/", "http://[::1]:8000/a/"),
    ],
)
def test_the_site_may_be_written_in_several_ways(site: str, href: str) -> None:
    link = safe_link("/a/", site=site)
    assert link == Link(href, external=False)
    assert safe_link(href, site=site) == link


def test_a_site_that_is_no_web_address_is_the_authors_error() -> None:
    with pytest.raises(ValueError, match="file:///srv/book"):
        read_site("file:///srv/book")


HOSTILE = st.text(
    st.sampled_from(list("/\\:?#%@.&;=-_ ~'\"<>[]()aAzZ09é漢\u00a0\u200b\u202e\ufeff\uff0f\uff1a\u3002\t\n\x00\ud800"))
    | st.characters(),
    max_size=40,
)
PIECES = st.lists(
    st.sampled_from(
        [
            "http",
            "https",
            "HTTPS",
            "mailto",
            "javascript",
            "data",
            ":",
            "/",
            "//",
            "?",
            "#",
            "..",
            ".",
            "%2e",
            "%2F",
            "%5c",
            "%25",
            "%",
            "%0a",
            "example.org",
            "books",
            "evil.example",
            "xn--fiq228c",
            "127.0.0.1",
            "0x7f",
            ":80",
            ":443",
            ":99999",
            "@",
            "a b",
            "漢字",
            "&colon;",
            "&#58;",
            "&Tab;",
            "subject=",
            "bcc=",
            "&",
            "index.html",
            "\\",
            " ",
            "^",
            "|",
            "`",
            "{",
            "}",
            "'",
            '"',
        ]
    ),
    max_size=12,
).map("".join)
ADDRESSES = HOSTILE | PIECES


@given(href=ADDRESSES)
def test_the_result_of_a_result_is_the_same_result(href: str) -> None:
    link = safe_link(href, site=SITE, page="https://example.org/books/a/")
    if link is not None:
        assert safe_link(link.href, site=SITE) == link
        assert safe_link(link.href, site=SITE, page="https://example.org/books/a/") == link


@given(href=ADDRESSES)
def test_an_internal_link_stays_below_the_site_root_and_only_three_schemes_leave(href: str) -> None:
    link = safe_link(href, site=SITE)
    if link is not None:
        assert link.href.startswith(SITE) if not link.external else link.href.startswith(("http://", "https://", "mailto:"))
        assert link.href.isascii()


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node's URL parser as oracle")
def test_the_result_is_what_a_browser_would_write(many: int, tmp_path: Path) -> None:
    hrefs: list[str] = []

    @settings(max_examples=many, database=None)
    @given(href=ADDRESSES)
    def collect(href: str) -> None:
        link = safe_link(href, site=SITE)
        hrefs.extend([link.href] if link is not None else [])

    collect()
    hrefs += [case["href"] for case in CASES + OWN if case["href"]]
    assert _parsed_by_node(hrefs, tmp_path) == hrefs


def _parsed_by_node(hrefs: list[str], folder: Path) -> list[str]:
    """Let one Node process parse all addresses."""
    given_file = folder / "hrefs.json"
    given_file.write_text(json.dumps(hrefs), "utf-8")
    parse = "h => { try { return new URL(h).href } catch { return 'ERROR ' + h } }"
    script = (
        f"const given = JSON.parse(require('fs').readFileSync(process.argv[1])); console.log(JSON.stringify(given.map({parse})))"
    )
    done = subprocess.run(["node", "-e", script, str(given_file)], check=True, capture_output=True, text=True, timeout=60)
    return list(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("Example.NET", "example.net"),
        ("example.net:443", "example.net"),
        ("example.net:0443", "example.net"),
        ("example.net:80", "example.net:80"),
        ("example.net:", None),
        ("example.net:0", None),
        ("example.net:65536", None),
        ("example..net", None),
        ("example.net.", None),
        ("ex_ample.net", None),
        ("1.2.3.4", "1.2.3.4"),
        ("1.2.3", None),
        ("1.2.3.256", None),
        ("01.2.3.4", None),
        ("a.1", None),
        ("a.0x1f", None),
        ("[::1]", None),
        ("0x7f000001", None),
        ("xn--fiq228c.example", "xn--fiq228c.example"),
        ("xn--a.example", None),
        ("xn--.example", None),
        ("localhost", "localhost"),
    ],
)
def test_a_host_is_one_that_every_browser_reads_alike(host: str, expected: str | None) -> None:
    assert authority(host, "https") == expected
