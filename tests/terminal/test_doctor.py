"""`askbook doctor` names what is wrong, and what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from askbook.terminal.cli import main
from askbook.terminal.findings import Finding, lines
from askbook.terminal.serve import site_server
from askbook.terminal.sitecheck import kept
from tests.fakes.endpoint import Endpoint, fault, text


def doctor(*arguments: str, code: int) -> dict[str, tuple[str, str]]:
    """Run the command; the verdict and text of each subject, the last one of equal subjects."""
    result = CliRunner().invoke(main, ["doctor", "--json", *arguments])
    assert result.exit_code == code, result.output
    return {finding["subject"]: (finding["verdict"], finding["text"]) for finding in json.loads(result.stdout)}


def test_it_tells_the_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctor(code=0)
    assert {"askbook", "Python", "mkdocs", "runtime"} <= set(found)
    assert found["project"] == ("note", "no mkdocs.yml in this folder")


@pytest.mark.parametrize(
    ("config", "subject", "expected", "code"),
    [
        ("plugins: [askbook]\nsite_url: https://a.org/books/x/\n", "base address", ("ok", "/books/x/"), 0),
        ("plugins: [askbook]\n", "base address", ("note", "unknown: site_url is not set"), 0),
        ("plugins: [search]\n", "plugin", ("wrong", "askbook is not among the plugins"), 1),
        ("plugins: [askbook]\ntheme: readthedocs\n", "theme", ("ok", "readthedocs"), 0),
    ],
)
def test_it_reads_the_project_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str, subject: str, expected: tuple[str, str], code: int
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "mkdocs.yml").write_text(f"site_name: X\n{config}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert doctor(code=code)[subject] == expected


def test_a_broken_configuration_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: X\ndocs_dir: gone\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    verdict, text = doctor(code=1)["project"]
    assert verdict == "wrong"
    assert "docs_dir" in text


@pytest.fixture
def published(example_site: Path) -> Iterator[str]:
    """The example book on loopback, under a sub-path."""
    with site_server(example_site, base="/books/ranking/") as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/books/ranking/"
        server.shutdown()


def test_a_published_site_is_read_as_a_browser_would(published: str) -> None:
    found = doctor(f"{published}en/", code=0)
    assert found["base address"] == ("ok", "/books/ranking/")
    assert found["file"][0] == "ok"
    assert found["policy"] == ("note", "no Content-Security-Policy: nothing is restricted")


@pytest.mark.parametrize(
    ("root", "told"),
    [
        ("http://books.example.org/x/", 1),
        ("https://books.example.org/x/", 0),
        ("http://127.0.0.1:8000/", 0),
        ("http://a.localhost/", 0),
    ],
)
def test_where_browsers_keep_nothing_the_start_is_as_slow_each_time(root: str, told: int) -> None:
    found = list(kept(root))
    assert [finding.verdict for finding in found] == ["note"] * told
    assert all("snapshot" in finding.text for finding in found)


def test_a_site_without_the_assistant_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<html></html>", encoding="utf-8")
    assert doctor(str(tmp_path), code=1)["file"] == ("wrong", "ai-index/books.json is missing")


def test_a_built_site_with_a_narrow_policy_is_told_what_to_add(tmp_path: Path) -> None:
    policy = """<meta http-equiv="Content-Security-Policy" content="script-src 'self'">"""
    (tmp_path / "index.html").write_text(f"<html><head>{policy}</head></html>", encoding="utf-8")
    expected = "script-src does not allow WebAssembly, so Python cannot start: add 'wasm-unsafe-eval'"
    assert doctor(str(tmp_path), code=1)["policy"] == ("wrong", expected)


def test_nobody_at_the_address(tmp_path: Path) -> None:
    with site_server(tmp_path) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
    verdict, text = doctor(address, code=1)["site"]
    assert verdict == "wrong"
    assert address in text


def test_an_endpoint_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Endpoint([text("OK")]) as server:
        found = doctor("--endpoint", server.url, "--model", "scripted", code=0)
        assert [entry.body["model"] for entry in server.posts] == ["scripted"] * len(server.posts)
    assert found["streaming"][0] == "ok"
    assert found["tools"][0] == "note"


def test_a_refused_key_is_wrong_and_has_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASKBOOK_API_KEY", "not-a-key")
    with Endpoint([fault(401, "Incorrect API key provided: not-a-key")]) as server:
        result = CliRunner().invoke(main, ["doctor", "--endpoint", server.url, "--model", "scripted"])
    assert result.exit_code == 1
    assert "Copy the key again" in result.stdout
    assert "not-a-key" not in result.output


def test_the_report_is_a_line_a_finding_with_the_remedy_below() -> None:
    assert list(lines([Finding("theme", "material"), Finding("plugin", "missing", "wrong", "add it")])) == [
        "✓ theme        material",
        "✗ plugin       missing",
        "               → add it",
    ]
