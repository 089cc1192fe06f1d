"""How long the two commands take from a fresh clone with empty package caches: `make demo` (goal 5 minutes), `make test` (15).

python -m benchmarks.fresh_clone         make demo, twice: the second run does only what has changed
python -m benchmarks.fresh_clone --test  and make test
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
GOALS = {"demo": 300.0, "demo again": 60.0, "test": 900.0}


def seconds(clone: Path, caches: Path, *command: str) -> float:
    """Run make in the clone with caches of its own; how long it took."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV", "MAKE"))}
    environment |= {"PIP_CACHE_DIR": str(caches / "pip"), "npm_config_cache": str(caches / "npm")}
    started = time.perf_counter()
    done = subprocess.run(["make", *command], cwd=clone, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}", file=sys.stderr)
        raise SystemExit(f"make {' '.join(command)} failed with exit code {done.returncode}")
    return time.perf_counter() - started


def main() -> int:
    """Print the table; 1 where a goal is missed."""
    demo = ("demo", "ASK=What does Theorem 2.2 say?")
    runs = {"demo": demo, "demo again": demo} | ({"test": ("test",)} if "--test" in sys.argv[1:] else {})
    missed = False
    with TemporaryDirectory() as folder:
        clone, caches = Path(folder, "clone"), Path(folder, "caches")
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        print("| command | seconds | goal |\n|---|---:|---:|")
        for name, command in runs.items():
            taken = seconds(clone, caches, *command)
            print(f"| make {name} | {taken:.0f} | {GOALS[name]:.0f} |", flush=True)
            missed |= taken > GOALS[name]
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
