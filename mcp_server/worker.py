"""A search process: takes the shelf and then calls on standard input, gives results on standard output, ends with its input.

Started by `workers.py` as `python -P -m askbook.mcp_server.worker`. A frame is four bytes of length and what they announce; the
first one holds the books, each other one a call as JSON. It is answered by a frame with the result, the books by an empty one.
"""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import struct
import sys
from typing import BinaryIO, Final

from askbook.core.toolbox import Shelf

from .results import made

HEAD: Final = struct.Struct("!I")


def frame(content: bytes) -> bytes:
    """Bytes with their length before them."""
    return HEAD.pack(len(content)) + content


def read_frame(file: BinaryIO) -> bytes | None:
    """The next frame; None at the end, also where it comes in the middle of one."""
    head = file.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    content = file.read(size)
    return content if len(content) == size else None


def answer(incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer calls until there are no more."""
    books = read_frame(incoming)
    if books is None:
        return
    shelf = Shelf(pickle.loads(books))
    del books
    gc.freeze()  # the books stay, so nothing need look through them for what could be let go of
    reply = b""
    while True:
        outgoing.write(frame(reply))
        outgoing.flush()
        call = read_frame(incoming)
        if call is None:
            return
        name, arguments = json.loads(call)
        reply = made(name, arguments, shelf)


def main() -> None:
    """Serve the process that started this one; what else is printed goes to standard error."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt at the terminal is the server's to heed
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        answer(sys.stdin.buffer, outgoing)
        outgoing.close()
    except BrokenPipeError:
        os._exit(0)  # the server has gone


if __name__ == "__main__":
    main()
