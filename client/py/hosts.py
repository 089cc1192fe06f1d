"""Which host names a link may lead to, and how a browser writes them."""

from __future__ import annotations

import re
import unicodedata

_NAME = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_QUAD = re.compile(r"(?:(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])(?:\.(?!$)|$)){4}")
_PORT = re.compile(r"[0-9]{1,10}")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def authority(text: str, scheme: str) -> str | None:
    """Return `host` or `host:port` as a browser writes it, or None where a link must not lead.

    Only ASCII letters, digits, hyphens and dots, other scripts as punycode; no user part; a numeric host only as a plain
    dotted quad; a port from 1 to 65535, left out where it is the scheme's own.
    """
    host, colon, port = text.lower().partition(":")
    if not is_host(host):
        return None
    if not colon:
        return host
    if not _PORT.fullmatch(port) or not 1 <= int(port) <= 65535:
        return None
    return host if int(port) == _DEFAULT_PORTS[scheme] else f"{host}:{int(port)}"


def is_host(host: str) -> bool:
    """Tell whether a lower-case host name is one that every browser reads alike."""
    if not _NAME.fullmatch(host):
        return False
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _QUAD.fullmatch(host) is not None
    return all(_is_punycode(label[4:]) for label in labels if label.startswith("xn--"))


def _is_punycode(encoded: str) -> bool:
    """Tell whether the rest of an `xn--` label stands for a label of another script (UTS 46, on the narrow side)."""
    try:
        label = encoded.encode("ascii").decode("punycode")
        again = label.encode("punycode").decode("ascii")
    except (UnicodeError, ValueError, OverflowError, LookupError):
        return False
    if label.isascii() or again != encoded or unicodedata.category(label[0]).startswith("M"):
        return False
    folded = unicodedata.normalize("NFKC", label.casefold())
    return folded == label and all(map(_is_letter, label)) and _reads_one_way(label)


def _is_letter(char: str) -> bool:
    """Tell whether a character may stand in the name of a host."""
    return char == "-" or unicodedata.category(char) in {"Ll", "Lo", "Lm", "Mn", "Mc", "Nd"}


def _reads_one_way(label: str) -> bool:
    """Refuse a label that mixes letters of both directions."""
    ways = {unicodedata.bidirectional(char) for char in label}
    return not (ways & _RIGHT_TO_LEFT and "L" in ways)
