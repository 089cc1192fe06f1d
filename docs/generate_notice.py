"""Write `NOTICE`: what travels in the wheel and in every site, by whom, under which terms.

    python docs/generate_notice.py

Reads the licenses from `node_modules` and from the installed Python packages, so run it after `npm ci` and the install.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = ROOT / "node_modules"


@dataclass(frozen=True, slots=True)
class Component:
    """Something made by others that we pass on."""

    name: str
    license: str
    source: str
    what: str
    text: str


NPM = {
    "pyodide": ("MPL-2.0", "the Python runtime of the browser, unchanged but for file names and packing"),
    "katex": ("MIT", "formulas, with their fonts"),
    "dompurify": ("Apache-2.0", "the last gate for HTML made of answers; of its two licenses we take this one"),
    "fzstd": ("MIT", "unpacks the runtime in the reader's browser"),
    "highlight.js": ("BSD-3-Clause", "colors of code in answers"),
}
PYTHON = {
    "markdown-it-py": ("MIT", "Markdown, compiled into the client"),
    "mdit-py-plugins": ("MIT", "Markdown extensions, compiled into the client"),
    "mdurl": ("MIT", "addresses in Markdown, compiled into the client"),
}
FOLLOWED = {
    "snowballstemmer": ("BSD-3-Clause", "not passed on itself: client/py/stemming.py follows its English algorithm"),
}
"""What our own code is made after; the package is there for tests."""
UNICODE_TEXT = """UNICODE LICENSE V3. COPYRIGHT AND PERMISSION NOTICE. Copyright (c) 1991-2026 Unicode, Inc.

Permission is hereby granted, free of charge, to any person obtaining a copy of data files and any associated documentation (the
"Data Files") or software and any associated documentation (the "Software") to deal in the Data Files or Software without
restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, and/or sell copies of the
Data Files or Software, and to permit persons to whom the Data Files or Software are furnished to do so, provided that either (a)
this copyright and permission notice appear with all copies of the Data Files or Software, or (b) this copyright and permission
notice appear in associated Documentation.

THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS.

IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR
CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.

Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to promote the
sale, use or other dealings in these Data Files or Software without prior written authorization of the copyright holder."""
WITHOUT_PACKAGE = (
    Component(
        "Unicode CLDR",
        "Unicode-3.0",
        "https://github.com/unicode-org/cldr",
        "pairs of traditional and simplified characters, in client/py/variants.py",
        UNICODE_TEXT,
    ),
    Component(
        "CPython standard library",
        "PSF-2.0",
        "https://github.com/python/cpython",
        "compiled modules, as found in Pyodide",
        "Copyright (c) 2001 Python Software Foundation; All Rights Reserved. PSF License Agreement, version 2:\n"
        "https://docs.python.org/3/license.html",
    ),
    Component(
        "Emscripten",
        "MIT",
        "https://github.com/emscripten-core/emscripten",
        "glue between WebAssembly and browser, within Pyodide",
        "Copyright (c) 2010-2014 Emscripten authors. License: https://github.com/emscripten-core/emscripten/blob/main/LICENSE",
    ),
)
PYODIDE_TEXT = (
    "This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0.\n"
    "If a copy of the MPL was not distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.\n"
    "The files are unmodified; their source is at https://github.com/pyodide/pyodide."
)


def components() -> list[Component]:
    """Everything that `client/vendor/` holds, in order of name."""
    found = [_npm(name, *facts) for name, facts in NPM.items()] + [
        _python(name, *facts) for name, facts in (PYTHON | FOLLOWED).items()
    ]
    return sorted([*found, *WITHOUT_PACKAGE], key=lambda component: component.name.lower())


def _npm(name: str, license_: str, what: str) -> Component:
    folder = MODULES / name
    facts = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    if license_ not in str(facts["license"]):
        raise SystemExit(f"{name} is now under {facts['license']!r}, not {license_!r}: read its license before you go on")
    text = PYODIDE_TEXT if name == "pyodide" else (folder / "LICENSE").read_text(encoding="utf-8").strip()
    repository = facts.get("repository", {})
    address = repository["url"] if isinstance(repository, dict) else repository
    return Component(name, license_, _address(address), what, text)


def _python(name: str, license_: str, what: str) -> Component:
    package = distribution(name)
    named = [str(path) for path in package.files or () if re.search(r"(?i)licen[sc]e|copying", str(path))]
    texts = sorted({Path(str(package.locate_file(path))).read_text(encoding="utf-8").strip() for path in named})
    home = package.metadata.get("Home-page") or next(
        (line.partition(", ")[2] for line in package.metadata.get_all("Project-URL") or () if "github.com" in line), ""
    )
    return Component(name, license_, _address(home), what, "\n\n".join(texts))


def _address(url: str) -> str:
    found = re.search(r"github\.com[/:]([\w.-]+/[\w.-]+?)(?:\.git)?(?:[/#].*)?$", url)
    return f"https://github.com/{found[1]}" if found else url


def notice() -> str:
    """The whole file."""
    parts = [
        "askbook passes on software made by others. What follows names it, its license, and where its source is.\n"
        "Made by docs/generate_notice.py; a test compares it with what the client packs.\n"
    ]
    for one in components():
        parts.append(f"{'=' * 80}\n{one.name} ({one.license})\n{one.what}\n{one.source}\n{'-' * 80}\n{one.text}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    (ROOT / "NOTICE").write_text(notice(), encoding="utf-8")
