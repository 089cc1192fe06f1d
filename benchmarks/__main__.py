"""Run the benchmarks, each module in a process of its own, one after the other.

python -m benchmarks            all of them
python -m benchmarks NAME …     those named
python -m benchmarks --write    those of the page on performance, whose sections they become; with names only these sections
python -m benchmarks --list     their names, and what each measures
"""

from __future__ import annotations

import ast
import os
import platform
import re
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs/performance.md"
WRITTEN = {
    "start": "From nothing to the first search",
    "first_answer": "On a slow line",
    "closed_page": "A page with the panel closed",
    "in_browser": "Beside other libraries in the browser",
    "peers": "Search beside other libraries, growth, memory",
    "stream": "Reading a model's stream",
    "render": "Drawing an answer",
}
"""Benchmarks that become sections of the page on performance, with their headings, in order."""
HEAD = """# Performance

Written by `make bench BENCH=--write`, which runs every benchmark named here, one after the other, and puts down what it printed;
nothing on this page is written by hand. Each section says how its figures are got, how long that took, and how busy the machine
was before it began. Machines differ, so that a ratio to something known, measured in the same run and in turns, tells more than a
time, and processor time tells more than wall time. Why things are as they are stands in the records on the
[runtime](decisions/0002-runtime-in-the-wheel.md), its [compilation](decisions/0003-compiled-by-pyodide-itself.md), the
[snapshot](decisions/0010-snapshot-in-the-readers-browser.md) and [slow lines](decisions/0011-python-alone-on-a-slow-line.md).

{machine}

"""


def modules() -> dict[str, str]:
    """Name of each benchmark to the first line of its docstring; a benchmark is a module with a `main`."""
    found = {}
    for path in sorted(HERE.glob("[!_]*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(isinstance(node, ast.FunctionDef) and node.name == "main" for node in tree.body):
            found[path.stem] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def run(name: str) -> bool:
    """Run one benchmark; whether it ended well."""
    print(f"\n== {name}", flush=True)
    started = time.perf_counter()
    code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent, check=False).returncode
    print(f"-- {name}: {time.perf_counter() - started:.1f} s" + (f", exit code {code}" if code else ""), flush=True)
    return code == 0


def section(name: str) -> str | None:
    """A benchmark as a section: how the figures are got, how busy the machine was, the figures; None if it did not end well."""
    before, started = os.getloadavg()[0], time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False
    )
    seconds = time.perf_counter() - started
    print(f"\n== {name}, {seconds:.0f} s\n{done.stdout}", flush=True)
    if done.returncode not in (0, 1) or not done.stdout.strip():
        return None
    about = ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))) or ""
    about = re.sub(r"\n\n {4}(\S.*)", r"\n\n`\1`", about)
    missed = " **A goal is missed.**" if done.returncode else ""
    machine = f"`python -m benchmarks {name}`, {seconds:.0f} s; load before the run {before:.1f}.{missed}"
    return f"## {WRITTEN[name]}\n\n{about}\n\n{machine}\n\n{shown(done.stdout)}\n\n"


def shown(figures: str) -> str:
    """What a benchmark printed, as Markdown: tables and the sentences between them as they are, other output as it stood."""
    blocks = [block.strip("\n") for block in figures.strip().split("\n\n")]
    if any(block.startswith("|") for block in blocks):
        return "\n\n".join(blocks)
    return f"```text\n{figures.strip()}\n```"


def head() -> str:
    """What stands above all sections: how the page came about, and on what."""
    versions = [f"Python {platform.python_version()}"]
    for program in ([os.environ.get("CHROME") or "chromium"], ["node"]):
        with suppress(OSError):
            said = subprocess.run([*program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
            versions.append(said if not said.startswith("v") else f"Node {said[1:]}")
    machine = f"{os.cpu_count()} processors, {platform.machine()}, {platform.system()}; {', '.join(filter(None, versions))}."
    return HEAD.format(machine=machine)


def write(names: list[str]) -> int:
    """Measure, and write the page: all of it, or with names only these sections; 1 if one could not be had."""
    text = PAGE.read_text(encoding="utf-8") if names else head()
    top, *old = re.split(r"(?m)^(?=## )", text)
    sections = {title: part for part in old for title in [part.partition("\n")[0].removeprefix("## ")]}
    complete = True
    for name in names or WRITTEN:
        made = section(name)
        complete &= made is not None
        if made is not None:
            sections[WRITTEN[name]] = made
    ordered = [title for title in WRITTEN.values() if title in sections]
    ordered += [title for title in sections if title not in ordered]
    PAGE.write_text(top + "".join(sections[title].rstrip() + "\n\n" for title in ordered).rstrip() + "\n", encoding="utf-8")
    return 0 if complete else 1


def main(arguments: list[str]) -> int:
    """Run what is asked for; 0 if all of it ended well, 2 for a name that does not exist."""
    known = modules()
    if arguments == ["--list"]:
        for name, about in known.items():
            print(f"{name:<16} {about}")
        return 0
    writes = "--write" in arguments
    arguments = [name for name in arguments if name != "--write"]
    unknown = [name for name in arguments if name not in (WRITTEN if writes else known)]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    if writes:
        return write(arguments)
    ended_well = [run(name) for name in arguments or known]
    return 0 if all(ended_well) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
