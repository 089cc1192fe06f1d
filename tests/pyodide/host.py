"""Does for the suite inside Pyodide what the builder does with NumPy: takes calls on standard input, gives what they return.

A frame is four bytes of length and as many of a pickle. A call names a module, a function and its arguments; it is answered by
whether it came to an end, and by what it returned or raised.
"""

from __future__ import annotations

import pickle
import struct
import sys
from importlib import import_module
from pathlib import Path

HEAD = struct.Struct("!I")


def main() -> None:
    """Answer calls until the input ends."""
    sys.path[:0] = [str(Path(__file__).parents[1])]
    incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
    while head := incoming.read(HEAD.size):
        module, name, arguments = pickle.loads(incoming.read(*HEAD.unpack(head)))
        try:
            answer = True, getattr(import_module(module), name)(*arguments)
        except Exception as raised:  # it is the caller's
            answer = False, raised
        content = pickle.dumps(answer)
        outgoing.write(HEAD.pack(len(content)) + content)
        outgoing.flush()


if __name__ == "__main__":
    main()
