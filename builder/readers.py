"""Versions of the packages that read pages and cut words: what is kept from a build with others of them is made anew."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Final

READERS: Final = ("jieba", "markdown-it-py", "mdit-py-plugins", "pyyaml", "selectolax")
"""Other packages that the build imports find files, or write what was made: they have no say in what is kept."""
_VERSION: Final = re.compile(r"^Version: *(\S+)", re.MULTILINE)


def version_of(package: str) -> str:
    """The version of a package; `0` where it is not installed."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        return "0"
    line = _VERSION.search(found.read_text("METADATA") or "")  # a third of the time that reading all of it takes
    return line[1] if line else found.version


@lru_cache(maxsize=1)
def readers() -> str:
    """Name Python and the packages that read pages, with their versions."""
    python = ".".join(map(str, sys.version_info[:2]))
    return " ".join([f"python {python}", *(f"{package} {version_of(package)}" for package in READERS)])
