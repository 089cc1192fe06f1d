"""Run the benchmarks, each module in a process of its own, one after the other.

python -m benchmarks            all of them
python -m benchmarks NAME …     those named
python -m benchmarks --write    those of the page on performance, whose figures they become; with names only these
python -m benchmarks --list     their names, and what each measures

On the page every benchmark has a block between two comments, which is written anew as soon as it has ended; what stands
between the blocks is written by hand and stays. One that fails, or takes too long, leaves its block as it was.
"""

from __future__ import annotations

import ast
import os
import platform
import re
import signal
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
    "stopping": "Reading in the browser, and stopping",
    "drawing": "An answer grows on the page",
    "render": "Drawing an answer",
}
"""Benchmarks that fill blocks of the page on performance, with the headings of those that have no block yet."""
MACHINE = "machine"
"""The block that says on what was measured."""
BEGIN, END = "<!-- benchmark: {name} -->", "<!-- end of benchmark -->"
PATIENCE_SECONDS = 1_200
TRACEBACK = "Traceback (most recent call last)"
"""A program that has broken ends with the same code as one that misses a goal."""


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


def figures(name: str) -> str | None:
    """What fills the block of a benchmark: how the figures are got, how busy the machine was, the figures; None if it failed."""
    before, started = os.getloadavg()[0], time.perf_counter()
    code, printed, wrong = ended([sys.executable, "-m", f"benchmarks.{name}"])
    seconds = time.perf_counter() - started
    print(f"\n== {name}, {seconds:.0f} s, exit code {code}\n{printed}", flush=True)
    if code not in (0, 1) or TRACEBACK in wrong or not printed.strip():
        print(wrong[-2_000:], file=sys.stderr, flush=True)
        return None
    about = ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))) or ""
    about = re.sub(r"\n\n {4}(\S.*)", r"\n\n`\1`", about)
    missed = " **A goal is missed.**" if code else ""
    machine = f"`python -m benchmarks {name}`, {seconds:.0f} s; load before the run {before:.1f}.{missed}"
    return f"{about}\n\n{machine}\n\n{shown(printed)}"


def ended(command: list[str]) -> tuple[int, str, str]:
    """Run a program to its end, or for as long as we wait, with all that it starts: exit code, what it printed, what broke."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=HERE.parent, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as process:
        try:
            printed, wrong = process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            return 124, printed, f"no end after {PATIENCE_SECONDS} s"
    return process.returncode, printed, wrong


def shown(printed: str) -> str:
    """What a benchmark printed, as Markdown: tables and the sentences between them as they are, other output as it stood."""
    blocks = [block.strip("\n") for block in printed.strip().split("\n\n")]
    if any(block.startswith("|") for block in blocks):
        return "\n\n".join(blocks)
    return f"```text\n{printed.strip()}\n```"


def machine() -> str:
    """On what is measured."""
    versions = [f"Python {platform.python_version()}"]
    for program in ([os.environ.get("CHROME") or "chromium"], ["node"]):
        with suppress(OSError):
            said = subprocess.run([*program, "--version"], capture_output=True, text=True, check=False).stdout.strip()
            versions.append(said if not said.startswith("v") else f"Node {said[1:]}")
    return f"{os.cpu_count()} processors, {platform.machine()}, {platform.system()}; {', '.join(filter(None, versions))}."


def fill(name: str, content: str) -> None:
    """Write a block of the page anew; one that is not there yet comes last, under its heading."""
    text = PAGE.read_text(encoding="utf-8")
    begin = BEGIN.format(name=name)
    block = f"{begin}\n\n{content.strip()}\n\n{END}"
    if begin in text:
        before, _, rest = text.partition(begin)
        text = before + block + rest.partition(END)[2]
    else:
        text = f"{text.rstrip()}\n\n## {WRITTEN[name]}\n\n{block}\n"
    PAGE.write_text(text, encoding="utf-8")


def write(names: list[str]) -> int:
    """Measure, and write each block as soon as it is there; 1 if one could not be had."""
    failed = []
    if not names:
        fill(MACHINE, machine())
    for name in names or WRITTEN:
        content = figures(name)
        if content is None:
            failed.append(name)
        else:
            fill(name, content)
    if failed:
        print(f"no figures of: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


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
