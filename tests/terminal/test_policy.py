"""What the assistant lacks under a Content-Security-Policy, judged as a browser would."""

from __future__ import annotations

import pytest

from askbook.terminal.policy import lacks, parse, policies

SITE = "https://books.example.org/x/"
ENOUGH = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' https://api.example.com"


def missing(policy: str, endpoint: str = "") -> list[str]:
    """The directives complained about, in order."""
    return [sentence.partition(" ")[0] for sentence in lacks(parse(policy), site=SITE, endpoint=endpoint)]


def test_a_policy_made_for_the_assistant_lacks_nothing() -> None:
    assert missing(ENOUGH, "https://api.example.com/v1") == []


@pytest.mark.parametrize(
    ("policy", "directives"),
    [
        ("default-src 'none'", ["script-src", "script-src", "worker-src", "connect-src"]),
        ("default-src 'self'", ["script-src"]),
        ("script-src 'self' 'unsafe-eval'", []),
        ("script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'", ["worker-src"]),
        ("child-src 'none'; script-src https: 'wasm-unsafe-eval'", ["worker-src"]),
        ("connect-src https://books.example.org", []),
        ("connect-src https://*.example.org", []),
        ("connect-src https://*.books.example.org", ["connect-src"]),
        ("connect-src http://books.example.org", []),
        ("connect-src https://books.example.org:8443", ["connect-src"]),
        ("connect-src https://books.example.org:*", []),
        ("connect-src *", []),
        ("connect-src 'self'; connect-src 'none'", []),
        ("img-src 'none'; upgrade-insecure-requests", []),
    ],
)
def test_each_lack_is_named_by_its_directive(policy: str, directives: list[str]) -> None:
    assert missing(policy) == directives


@pytest.mark.parametrize(
    ("sources", "endpoint", "allowed"),
    [
        ("'self' https:", "https://api.example.com/v1", True),
        ("'self' https:", "http://127.0.0.1:11434/v1", False),
        ("'self' http://127.0.0.1:*", "http://127.0.0.1:11434/v1", True),
        ("'self' http://localhost:1234", "http://localhost:1234/v1", True),
        ("'self' http://localhost", "http://localhost:1234/v1", False),
        ("'self' http://[::1]:*", "http://[::1]:8080/v1", True),
        ("'self' api.example.com", "https://api.example.com/v1", True),
    ],
)
def test_an_endpoint_is_allowed_by_scheme_host_and_port(sources: str, endpoint: str, allowed: bool) -> None:
    assert (missing(f"connect-src {sources}", endpoint) == []) is allowed


def test_header_and_page_are_both_in_force() -> None:
    page = """<head><meta http-equiv="Content-Security-Policy" content="connect-src &#39;self&#39;"><meta name="x" content="y">"""
    assert policies("script-src 'self', img-src *", page) == [
        {"script-src": ("'self'",)},
        {"img-src": ("*",)},
        {"connect-src": ("'self'",)},
    ]
