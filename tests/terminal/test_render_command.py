"""`askbook render` draws a file or standard input."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from askbook.terminal.render import command


def test_a_file_is_drawn_with_its_marks(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("See [x](/a/) [1], not [y](javascript:z).", encoding="utf-8")
    done = CliRunner().invoke(command, ["--site", "https://example.org/books/", "--sources", "1", str(tmp_path / "answer.md")])
    assert (done.exit_code, done.output) == (
        0,
        '<p>See <a href="https://example.org/books/a/">x</a> '
        '<a class="cite-ref" href="#askbook-source-1" data-n="1" data-support="unchecked">[1]</a>, not y.</p>\n',
    )


def test_standard_input_is_drawn_and_anchors_belong_to_the_page() -> None:
    done = CliRunner().invoke(command, ["--site", "https://a.b/", "--page", "https://a.b/c/"], input="[x](#y)")
    assert done.output == '<p><a href="https://a.b/c/#y">x</a></p>\n'


def test_a_site_that_is_no_web_address_is_a_usage_error() -> None:
    done = CliRunner().invoke(command, ["--site", "file:///srv/book"], input="x")
    assert (done.exit_code, "file:///srv/book" in done.output) == (2, True)
