"""Run the benchmarks, each module in a process of its own, one after the other.

python -m benchmarks            all of them
python -m benchmarks NAME …     those named
python -m benchmarks --list     their names, and what each measures
"""

from __future__ import annotations

import ast
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


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


def main(arguments: list[str]) -> int:
    """Run what is asked for; 0 if all of it ended well, 2 for a name that does not exist."""
    known = modules()
    if arguments == ["--list"]:
        for name, about in known.items():
            print(f"{name:<16} {about}")
        return 0
    unknown = [name for name in arguments if name not in known]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    ended_well = [run(name) for name in arguments or known]
    return 0 if all(ended_well) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
