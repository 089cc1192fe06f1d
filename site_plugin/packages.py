"""Python packages for the sandbox of the page: pure ones from the environment that builds the site, as one archive each."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.metadata import Distribution, PackageNotFoundError, distribution, packages_distributions
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Final

FOLDER: Final = "packages"
"""Below the folder of the client."""
STAMP: Final = (2020, 1, 1, 0, 0, 0)
LEFT_OUT: Final = frozenset({"tests", "testing", "benchmarks", "__pycache__", "conftest.py"})
COMPILED: Final = (".so", ".pyd", ".dylib", ".dll")


class PackageError(Exception):
    """A package cannot travel; says why and what would do."""


def write_packages(client: Path, names: Sequence[str]) -> dict[str, list[str]]:
    """Write an archive for each package and what it needs; return import name to archives, relative to `client`.

    A name that ends in `.whl` is a wheel the author built for Pyodide, and is taken as it is.
    """
    found: dict[str, list[str]] = {}
    for name in names:
        if name.endswith(".whl"):
            wheel = Path(name)
            found[wheel.name.partition("-")[0].lower()] = [_place(client, wheel.name.partition("-")[0], wheel.read_bytes())]
        else:
            found[name] = [_place(client, one.name, archive(one)) for one in closure(name)]
    return found


def closure(name: str) -> list[Distribution]:
    """The distribution that has a package, and all it cannot do without."""
    from packaging.requirements import Requirement  # few sites have packages

    owner = packages_distributions().get(name, [name])[0]
    found: dict[str, Distribution] = {}
    waiting = [owner]
    while waiting:
        wanted = waiting.pop(0)
        if wanted.lower() in found:
            continue
        try:
            one = found[wanted.lower()] = distribution(wanted)
        except PackageNotFoundError:
            raise PackageError(f"{wanted!r} is not installed where the site is built: pip install {wanted}") from None
        needs = map(Requirement, one.requires or [])
        waiting += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return list(found.values())


def archive(one: Distribution) -> bytes:
    """A distribution's modules and data as a zip that is equal for equal input."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for path, source in sorted(_files(one)):
            if path.suffix in COMPILED:
                raise PackageError(f"{one.name} is compiled ({path.name}): give the path of a wheel built for Pyodide instead")
            info = zipfile.ZipInfo(path.as_posix(), STAMP)
            info.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(info, source.read_bytes(), compresslevel=9)
    return out.getvalue()


def _files(one: Distribution) -> Iterator[tuple[PurePosixPath, Path]]:
    for file in one.files or []:
        path = PurePosixPath(file)
        inside = (".." not in path.parts and len(path.parts) > 1) or path.suffix == ".py"
        if inside and not LEFT_OUT & set(path.parts) and path.suffix not in (".pyc", ".pth"):
            yield path, Path(str(one.locate_file(file)))


def _place(client: Path, name: str, content: bytes) -> str:
    """Write an archive under a name that carries its hash."""
    path = f"{FOLDER}/{name}-{sha256(content).hexdigest()[:12]}.zip"
    target = client / path
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return path
