"""Python packages for the sandbox of the page."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from askbook.builder.features import Tools
from askbook.site_plugin.assets import write_assets
from askbook.site_plugin.packages import PackageError, archive, closure, write_packages


def test_a_pure_package_travels_with_what_it_needs(tmp_path: Path) -> None:
    pytest.importorskip("sympy")
    found = write_packages(tmp_path, ["sympy"])
    assert [path.rpartition("-")[0] for path in found["sympy"]] == ["packages/sympy", "packages/mpmath"]
    names = zipfile.ZipFile(tmp_path / found["sympy"][0]).namelist()
    assert "sympy/__init__.py" in names
    assert [name for name in names if name.endswith(".pyc") or "/tests/" in name or name.startswith(("..", "/"))] == []


def test_the_same_package_gives_the_same_bytes() -> None:
    assert archive(closure("markdown_it")[0]) == archive(closure("markdown_it")[0])


def test_a_distribution_is_found_by_the_name_it_is_imported_by() -> None:
    assert [one.name for one in closure("markdown_it")] == ["markdown-it-py", "mdurl"]


def test_a_compiled_package_is_refused_with_what_would_do(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="give the path of a wheel built for Pyodide instead"):
        write_packages(tmp_path, ["orjson"])


def test_a_package_that_is_not_installed_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="pip install no-such-package"):
        write_packages(tmp_path, ["no-such-package"])


def test_a_wheel_the_author_brings_is_taken_as_it_is(tmp_path: Path) -> None:
    wheel = tmp_path / "Fast-1.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        packed.writestr("fast/__init__.py", "")
    wheel.write_bytes(content.getvalue())
    found = write_packages(tmp_path, [str(wheel)])
    assert (tmp_path / found["fast"][0]).read_bytes() == content.getvalue()


def test_the_site_says_what_programs_may_import_and_keeps_the_archives(tmp_path: Path) -> None:
    for _ in range(2):
        warnings = write_assets(tmp_path, settings={"options": {"lang": "en"}}, tools=Tools(packages=("markdown_it", "orjson")))
    script = (tmp_path / "assets/askbook/site.js").read_text(encoding="utf-8")
    assert '"markdown_it": [' in script
    assert '"lang": "en"' in script
    assert [path.name.partition("-")[0] for path in sorted((tmp_path / "assets/askbook/packages").iterdir())] == [
        "markdown",
        "mdurl",
    ]
    assert any("cannot import 'orjson'" in warning for warning in warnings)


def test_switched_off_nothing_is_written(tmp_path: Path) -> None:
    write_assets(tmp_path, settings={}, tools=Tools(python=False, packages=("markdown_it",)))
    assert not (tmp_path / "assets/askbook/packages").exists()
    assert '"enabled": false' in (tmp_path / "assets/askbook/site.js").read_text(encoding="utf-8")
