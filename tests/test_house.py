"""The house keeps its own rules: layout, arrows between packages, sizes, documents, notices."""

from __future__ import annotations

import ast
import graphlib
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
FOLDERS: dict[str, str] = SETUPTOOLS["package-dir"]

MAY_IMPORT = {
    "core": set(),
    "builder": {"core"},
    "site_plugin": {"core", "builder"},
    "mcp_server": {"core"},
    "terminal": {"core", "builder", "site_plugin", "mcp_server"},
    "client": {"core"},
    "examples": set(),
}
"""Who may import whom; `client` is the worker's Python."""

ONLY_IN = {
    "js": ("client/worker/",),
    "pyodide": ("client/worker/",),
    "click": ("builder/cli.py", "terminal/"),
    "mkdocs": ("site_plugin/",),
    "httpx": ("terminal/",),
    "mcp": ("mcp_server/", "terminal/mcp.py"),
}
"""Third-party module to the places that may know it."""

NAMES = {"markdown_it": "markdown-it-py"}
"""Import name to distribution, where they differ by more than a dash."""

OUTSIDE = re.compile(r"(^|/)(node_modules|vendor|build|__pycache__)/")


def tracked(*patterns: str) -> list[str]:
    """Files of the project, as git knows them, new ones included."""
    listed = subprocess.run(
        ["git", "-c", "core.quotePath=false", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return sorted(path for path in set(listed.stdout.splitlines()) if (ROOT / path).is_file())


def package_of(path: str) -> tuple[str, str] | None:
    """The mapped package a Python file belongs to, and its own dotted name."""
    found = [(len(folder), package, folder) for package, folder in FOLDERS.items() if path.startswith(folder + "/")]
    if not found or path.startswith(("client/pack/", "examples/book/")):
        return None
    _, package, folder = max(found)
    return package, ".".join([package, *Path(path).relative_to(folder).with_suffix("").parts])


def sources() -> Iterator[tuple[str, str, str, ast.Module]]:
    """Every Python file that is shipped: path, package, dotted name, tree."""
    for path in tracked("*.py"):
        home = package_of(path)
        if home is not None:
            yield path, *home, ast.parse((ROOT / path).read_text(encoding="utf-8"))


def imports(tree: ast.Module, name: str, path: str) -> Iterator[str]:
    """Every module a file names in an import, made absolute."""
    package = name.removesuffix(".__init__") if path.endswith("__init__.py") else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def test_every_folder_with_an_init_is_a_package_of_the_list() -> None:
    here = {str(Path(path).parent) for path in tracked("*__init__.py") if not path.startswith(("tests/", "benchmarks/"))}
    mapped = {folder: package for package, folder in FOLDERS.items()}
    named = set()
    for folder in here:
        top = max((known for known in mapped if folder == known or folder.startswith(known + "/")), key=len, default="")
        named.add(".".join([mapped.get(top, "?"), *Path(folder).relative_to(top or ".").parts]))
    assert named == set(SETUPTOOLS["packages"])


def test_arrows_between_packages_point_one_way() -> None:
    wrong = []
    for path, package, name, tree in sources():
        own = package.removeprefix("askbook.")
        allowed = MAY_IMPORT[own] | {own}
        for module in imports(tree, name, path):
            parts = module.split(".")
            if parts[0] == "askbook" and len(parts) > 1 and parts[1] not in allowed:
                wrong.append(f"{path} imports {module}")
    assert wrong == []


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_a_library_is_known_only_where_it_belongs(library: str) -> None:
    found = [
        path
        for path, _, name, tree in sources()
        if any(module.split(".")[0] == library for module in imports(tree, name, path)) and not path.startswith(ONLY_IN[library])
    ]
    assert found == []


def test_the_core_is_pure() -> None:
    allowed = {"askbook", "markdown_it", "mdit_py_plugins", "__future__"}
    forbidden = {
        "os",
        "pathlib",
        "socket",
        "subprocess",
        "threading",
        "time",
        "random",
        "tempfile",
        "shutil",
        "logging",
        "urllib.request",
    }
    wrong = [
        f"{path} imports {module}"
        for path, package, name, tree in sources()
        if package == "askbook.core"
        for module in imports(tree, name, path)
        if module.split(".")[0] in forbidden or (module.split(".")[0] not in allowed | sys.stdlib_module_names)
    ]
    assert wrong == []


def test_arrows_inside_the_core_point_downwards() -> None:
    below = {
        name: set(imports(tree, name, path)) - {name} for path, package, name, tree in sources() if package == "askbook.core"
    }
    arrows = {name: found & below.keys() for name, found in below.items()}
    assert set(graphlib.TopologicalSorter(arrows).static_order()) == set(arrows)  # a circle raises CycleError
    assert {
        f"askbook.core.{name}" for name in ("errors", "schema", "limits", "ports", "wording") if arrows[f"askbook.core.{name}"]
    } == set()


def functions(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """Name, line and length of every function."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node.lineno, (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_and_functions_are_small() -> None:
    large = [
        f"{path}: {lines} lines" for path in code() if (lines := (ROOT / path).read_text(encoding="utf-8").count("\n")) > 400
    ]
    for path, _, _, tree in sources():
        large += [f"{path}:{line} {name}: {length} lines" for name, line, length in functions(tree) if length > 50]
    assert large == []


def code() -> list[str]:
    """Our own code, tests left out."""
    found = tracked("*.py", "*.js", "*.mjs")
    return [path for path in found if not path.startswith("tests/") and not OUTSIDE.search(path)]


def test_no_prompt_is_written_outside_of_the_wording() -> None:
    told = re.compile(
        r"\byou are (an?|the) |你是|Final Answer:\s*\S|\bnever (answer|invent)\b|请用.{0,6}回答|绝不编造|用提问的语言|"
        r"\banswer (in the language|the question|this question|now)\b",
        re.IGNORECASE,
    )
    found = []
    for path, _, _, tree in sources():
        if path == "client/py/wording.py":
            continue
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in documented
                and told.search(node.value)
            ):
                found.append(f"{path}:{node.lineno} {node.value[:60]!r}")
    assert found == []


def test_no_tracked_file_names_a_registry_or_a_place_of_one_machine() -> None:
    hosts = [
        "registry." + "npmjs",
        "files." + "pythonhosted",
        "pypi" + ".org/",
        "deb." + "debian.org",
        "/work/" + "main",
        "/tmp/" + "bash_jobs",
    ]
    told = re.compile("|".join(map(re.escape, hosts)))
    texts = {path: (ROOT / path).read_bytes().decode("utf-8", "replace") for path in tracked() if not OUTSIDE.search(path)}
    assert sorted(path for path, text in texts.items() if told.search(text)) == []


def test_the_lock_file_names_no_address() -> None:
    assert '"resolved": "http' not in (ROOT / "package-lock.json").read_text(encoding="utf-8")


def test_nothing_is_put_off() -> None:
    put_off = re.compile(r"(#|//|\*|<!--) *(TODO|FIXME|XXX)\b|raise NotImplementedError|pytest\.mark\.xfail")
    found = [
        path for path in tracked("*.py", "*.js", "*.mjs", "*.md") if not OUTSIDE.search(path) and path != "tests/test_house.py"
    ]
    assert [path for path in found if put_off.search((ROOT / path).read_text(encoding="utf-8"))] == []


def script(name: str) -> ModuleType:
    """A script of the docs folder, which is no package."""
    spec = spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_what_the_code_says(update_golden: bool) -> None:
    page = ROOT / "docs/reference.md"
    written = script("generate_reference").reference()
    if update_golden:
        page.write_text(written, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == written


def names_of_the_surface() -> Iterator[str]:
    """Everything a user can name: options, switches, tools."""
    page = (ROOT / "docs/reference.md").read_text(encoding="utf-8")
    yield from re.findall(r"^\| `([\w.-]+)`", page, re.MULTILINE)
    yield from re.findall(r"^### (?:\[)?([\w -]+)", page, re.MULTILINE)


def test_the_reference_names_what_the_surfaces_promise() -> None:
    commands = {"ask", "demo", "doctor", "eval", "inject", "mcp", "render", "replay", "search", "tool"}
    tools = {
        "list_books",
        "book_toc",
        "book_retrieve",
        "book_chunk",
        "book_slice_search",
        "book_chapter_outline",
        "book_read_section",
    }
    promised = (
        {"build-ai-index", "--out", "--verify", "--golden", "runtime", "enabled"}
        | tools
        | {f"askbook {name}" for name in commands}
    )
    assert promised - set(names_of_the_surface()) == set()


def test_every_link_between_documents_leads_to_a_file() -> None:
    link = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)")
    fences = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
    dead = []
    for path in ["README.md", *tracked("docs/*.md", "examples/book/*.md")]:
        text = fences.sub("", (ROOT / path).read_text(encoding="utf-8"))
        dead += [f"{path}: {target}" for target in link.findall(text) if not (ROOT / path).parent.joinpath(target).exists()]
    assert dead == []


def test_the_documentation_is_published_with_its_own_assistant(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "assets/askbook/main.js" in (tmp_path / "architecture/index.html").read_text(encoding="utf-8")
    assert (tmp_path / "ai-index/books-askbook.json").is_file()


def test_every_page_of_the_documentation_is_in_its_navigation() -> None:
    listed = set(re.findall(r"- ([\w/.-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    assert listed == {path.removeprefix("docs/") for path in tracked("docs/*.md")}


def test_every_decision_is_in_the_list() -> None:
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (ROOT / "docs/decisions/index.md").read_text(encoding="utf-8"))
    assert listed == sorted(Path(path).name for path in tracked("docs/decisions/[0-9]*.md"))


def test_the_notice_names_everything_that_travels() -> None:
    notice = script("generate_notice")
    libraries = (ROOT / "client/pack/libraries.mjs").read_text(encoding="utf-8")
    python = (ROOT / "client/pack/python.mjs").read_text(encoding="utf-8")
    packed = {
        "pyodide",
        *(re.sub(r"^highlight$", "highlight.js", name) for name in listed(libraries, r"for \(const name of \[(.*?)\]")),
    }
    compiled = {NAMES.get(name, name.replace("_", "-")) for name in listed(python, r"THIRD_PARTY = \[(.*?)\]")}
    assert (packed, compiled) == (set(notice.NPM), set(notice.PYTHON))


def listed(text: str, pattern: str) -> list[str]:
    """The strings of an array in a script."""
    found = re.search(pattern, text, re.DOTALL)
    assert found is not None
    return re.findall(r'"([^"]+)"', found[1])


def test_the_notice_is_what_the_packages_say(update_golden: bool) -> None:
    if not (ROOT / "node_modules/pyodide").is_dir():
        pytest.fail("node_modules is missing: run 'npm ci'")
    written = script("generate_notice").notice()
    if update_golden:
        (ROOT / "NOTICE").write_text(written, encoding="utf-8")
    assert (ROOT / "NOTICE").read_text(encoding="utf-8") == written
