"""Run the benchmarks, each module in a process of its own, one after the other.

python -m benchmarks            all of them
python -m benchmarks NAME …     those named
python -m benchmarks --write    those of the page on performance, whose sections they become; with names only these sections
python -m benchmarks --list     their names, and what each measures
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs/performance.md"
WRITTEN = {
    "start": "From nothing to the first search",
    "first_answer": "On a slow line",
    "closed_page": "A page with the panel closed",
    "peers": "Beside other libraries, growth, memory",
    "stream": "Reading a model's stream",
    "render": "Drawing an answer",
}
"""Benchmarks that become sections of the page on performance, with their headings, in order."""


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
    """A benchmark as a section: how the figures are got, how busy the machine was, the figures; None if it did not run."""
    busy = os.getloadavg()[0]
    done = subprocess.run(
        [sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=False
    )
    if not done.stdout.strip():
        return None
    print(f"\n== {name}\n{done.stdout}", flush=True)
    about = ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))) or ""
    figures = done.stdout.strip()
    shown = figures if figures.startswith("|") else f"```text\n{figures}\n```"
    missed = "" if done.returncode == 0 else " A goal is missed."
    about = re.sub(r"\n\n {4}(\S.*)", r"\n\n`\1`", about)
    machine = f"`python -m benchmarks {name}`, {os.cpu_count()} processors, load before the run {busy:.1f}.{missed}"
    return f"## {WRITTEN[name]}\n\n{about}\n\n{machine}\n\n{shown}\n\n"


def write(names: list[str]) -> int:
    """Measure, and put the sections in place of the old ones; 1 if one could not be had."""
    head, *old = re.split(r"(?m)^(?=## )", PAGE.read_text(encoding="utf-8"))
    sections = {title: text for text in old for title in [text.partition("\n")[0].removeprefix("## ")]}
    complete = True
    for name in names or WRITTEN:
        made = section(name)
        complete &= made is not None
        if made is not None:
            sections[WRITTEN[name]] = made
    ordered = [title for title in WRITTEN.values() if title in sections]
    ordered += [title for title in sections if title not in ordered]
    PAGE.write_text(head + "".join(sections[title] for title in ordered).rstrip() + "\n", encoding="utf-8")
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
