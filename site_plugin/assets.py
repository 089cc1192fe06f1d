"""What the reader's browser needs, copied into a built site, and what tells it about the site."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from typing import Final

from askbook.builder.features import Tools

from .packages import PackageError, write_packages

FOLDER: Final = "assets/askbook"
"""Where the client lies in a site."""
ENTRY: Final = f"{FOLDER}/main.js"
"""The one script a page loads."""
VENDORED: Final = "vendored"

_LEFT_OUT = frozenset({"py", "pack", "vendor", "node_modules", "__pycache__"})
_KEPT = frozenset({".js", ".css", ".html"})
_TOLD = frozenset({Path("site.js")})
"""What the build writes: all that the panel has to know."""
_IMPORT: Final = 'import { site } from "./start.js"\n'
"""What a closed page needs of it stands in `main.js` itself, in place of this line: a file less to wait for."""
_ROOT: Final = "../../"
_CLOSED = frozenset({"lang", "shortcut", "webmcp"})
_LIBRARIES = ("dompurify", "fzstd", "highlight", "katex")
"""Folders of `vendor/` that the page itself needs, wherever the runtime lies."""


def client_folder() -> Path:
    """The folder of the client package."""
    return Path(str(files("askbook.client")))


def package_version() -> str:
    """The version of this package; `0` where it is not installed."""
    try:
        return version("askbook")
    except PackageNotFoundError:
        return "0"


def client_files(client: Path, *, vendor: bool) -> list[Path]:
    """What has to be copied, relative to the client package, in a fixed order."""
    found = [Path("worker/worker.py")] if (client / "worker/worker.py").is_file() else []
    found += [path for path in _walk(client, client) if path.suffix in _KEPT and path not in _TOLD]
    packed = client / "vendor"
    for folder in [packed] if vendor else [packed / name for name in _LIBRARIES]:
        found += list(_walk(folder, client)) if folder.is_dir() else []
    return sorted(found)


def _walk(folder: Path, root: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            if path.name not in _LEFT_OUT:
                yield from _walk(path, root)
        elif not path.name.startswith("."):
            yield path.relative_to(root)


def has_runtime(client: Path) -> bool:
    """Whether the Python runtime has been packed into the client."""
    return (client / "vendor/runtime.json").is_file()


def write_assets(site: Path, *, settings: Mapping[str, object], runtime: str = VENDORED, tools: Tools | None = None) -> list[str]:
    """Copy the client into `SITE/assets/askbook/` and write `site.js` there; return warnings.

    `settings` are the members of `site.js` but for `root`, `runtime` and `version`: books, options.
    `runtime` is `vendored`, or the address of a folder with `runtime.json` that the author serves. `tools` are the switches of
    that name.
    """
    client, target = client_folder(), site / FOLDER
    warnings = []
    vendored = runtime == VENDORED
    if vendored and not has_runtime(client):
        warnings.append(
            "the Python runtime is not packed into this installation of askbook, so the panel can only say so; "
            "install askbook from its wheel, or run 'npm ci' and 'node client/pack/pack.mjs' in a source checkout"
        )
    wanted = client_files(client, vendor=vendored and has_runtime(client))
    for path in wanted:
        if path.name != "main.js":
            _copy(client / path, target / path)
    options, archives, unpacked = _tools(target, tools or Tools())
    warnings += unpacked
    settings = {**settings, "options": {**_options(settings), **options}}
    _remove_others(target, {target / path for path in (*wanted, *map(Path, archives), *_TOLD)})
    address = ("vendor/" if has_runtime(client) else "") if vendored else runtime
    told = {"root": _ROOT, **settings, "runtime": address, "version": package_version()}
    _write(target / "site.js", site_script(told))
    first = _largest(client) if vendored and address else ""
    _write(target / "main.js", main_script((client / "main.js").read_text(encoding="utf-8"), needed_closed(told, first)))
    return warnings


def _largest(client: Path) -> str:
    """Address of the runtime's largest file in its folder, which the page asks for as soon as the reader means to ask."""
    found = json.loads((client / "vendor/runtime.json").read_text(encoding="utf-8"))
    return str(found["pyodide"]["wasm"]["path"]) if found else ""


def needed_closed(settings: Mapping[str, object], first: str = "") -> dict[str, object]:
    """What a closed panel has to know of the settings: how its button reads and opens, and what to fetch first."""
    options = {name: value for name, value in _options(settings).items() if name in _CLOSED}
    more = {"first": first} if first else {}
    more |= {"root": str(settings["root"])} if settings["root"] != _ROOT else {}
    return {"options": options, "runtime": settings["runtime"], **more}


def main_script(script: str, told: Mapping[str, object]) -> str:
    """The text of `main.js` in a site: the script, and what it has to know."""
    value = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return without_comments(script.replace(_IMPORT, f"const site = {value}\n"))


def _options(settings: Mapping[str, object]) -> Mapping[str, object]:
    options = settings.get("options", {})
    return options if isinstance(options, Mapping) else {}


def _tools(target: Path, tools: Tools) -> tuple[dict[str, object], list[str], list[str]]:
    """What `site.js` says of the tools, the archives of packages, and warnings."""
    packages: dict[str, list[str]] = {}
    warnings = []
    for name in tools.packages if tools.python else ():
        try:
            packages |= write_packages(target, [name])
        except (PackageError, OSError) as wrong:
            warnings.append(f"programs in the page cannot import {name!r}: {wrong}")
    python = {"enabled": tools.python, "packages": packages}
    return {"python": python, "webmcp": tools.webmcp}, [path for paths in packages.values() for path in paths], warnings


_COMMENT: Final = re.compile(
    r"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*\n|/\*\* @(?:[^*]|\*(?!/))*\*/ ?|(?:^[ \t]*|[ \t]+)// .*$|^[ \t]+", re.M
)


def without_comments(script: str) -> str:
    """A script of ours without indentation, and without what is said in it of types and reasons: every page loads this one."""
    return _COMMENT.sub("", script)


def site_script(settings: Mapping[str, object]) -> str:
    """The text of `site.js`."""
    return f"export const site = {json.dumps(settings, ensure_ascii=False)}\n"


def _copy(source: Path, target: Path) -> None:
    if (
        target.is_file()
        and (there := target.stat()).st_size == (here := source.stat()).st_size
        and there.st_mtime_ns == here.st_mtime_ns
    ):
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _write(path: Path, text: str) -> None:
    if path.is_file() and path.read_bytes() == text.encode():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _remove_others(folder: Path, wanted: set[Path]) -> None:
    """Take away what an earlier version left."""
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()
