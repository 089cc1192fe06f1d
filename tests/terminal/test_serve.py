"""A built site on loopback: under a sub-path, with right types, never outside its folder."""

from __future__ import annotations

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from askbook.terminal.serve import site_server


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, int]]:
    site = tmp_path / "site"
    (site / "zh").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret")
    for name in ("index.html", "zh/index.html", "404.html", "main.js", "run.mjs", "python.wasm", "index.json", "page.css"):
        (site / name).write_text(name)
    with site_server(site, base="/books/x/") as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield "127.0.0.1", server.server_port
        server.shutdown()


def ask(address: tuple[str, int], path: str, method: str = "GET") -> tuple[int, str, str]:
    connection = HTTPConnection(*address, timeout=5)
    connection.request(method, path)
    answer = connection.getresponse()
    return answer.status, answer.getheader("Content-Type", "") or answer.getheader("Location", ""), answer.read().decode()


@pytest.mark.parametrize(
    ("path", "type_"),
    [
        ("main.js", "text/javascript; charset=utf-8"),
        ("run.mjs", "text/javascript; charset=utf-8"),
        ("python.wasm", "application/wasm"),
        ("index.json", "application/json"),
        ("page.css", "text/css; charset=utf-8"),
        ("zh/index.html", "text/html; charset=utf-8"),
    ],
)
def test_a_file_has_the_type_a_browser_insists_on(address: tuple[str, int], path: str, type_: str) -> None:
    assert ask(address, f"/books/x/{path}") == (200, type_, path)


def test_a_folder_answers_with_its_index(address: tuple[str, int]) -> None:
    assert ask(address, "/books/x/zh/?q=1") == (200, "text/html; charset=utf-8", "zh/index.html")


@pytest.mark.parametrize("path", ["/", "/books/x"])
def test_the_root_leads_to_the_book(address: tuple[str, int], path: str) -> None:
    assert ask(address, path) == (302, "/books/x/", "")


@pytest.mark.parametrize("path", ["/books/x/missing.js", "/index.html", "/books/index.html", "/books/x/missing/"])
def test_what_is_not_there_gets_the_page_of_the_site(address: tuple[str, int], path: str) -> None:
    assert ask(address, path) == (404, "text/html; charset=utf-8", "404.html")


@pytest.mark.parametrize("path", ["../../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt", "/../secret.txt"])
def test_no_path_leaves_the_site(address: tuple[str, int], path: str) -> None:
    status, _, body = ask(address, f"/books/x/{path}")
    assert (status, body) == (404, "404.html")


def test_head_has_no_body(address: tuple[str, int]) -> None:
    assert ask(address, "/books/x/missing", "HEAD") == (404, "text/html; charset=utf-8", "")


@pytest.mark.parametrize(("fault", "said"), [(ConnectionResetError(), ""), (ValueError("a fault of ours"), "a fault of ours")])
def test_a_browser_that_hangs_up_is_not_worth_a_word(
    fault: Exception, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with site_server(tmp_path) as server:
        try:
            raise fault
        except type(fault):
            server.handle_error(None, ("127.0.0.1", 1))  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert said in told
    assert bool(told) == bool(said)
