"""What every surface is asked: each tool, plain, at its limits, and wrong."""

from __future__ import annotations

from typing import Any, Final

Call = tuple[str, dict[str, Any]]

CALLS: Final[list[Call]] = [
    ("list_books", {}),
    ("book_toc", {"book": "topology"}),
    ("book_toc", {"book": "topology", "start": 2}),
    ("book_toc", {}),
    ("book_toc", {"book": "algebra"}),
    ("book_retrieve", {"question": "When is a space compact?"}),
    ("book_retrieve", {"question": "定理 1.1", "topK": 1}),
    ("book_retrieve", {"question": "一致收敛", "book": "analysis", "topK": 99}),
    ("book_retrieve", {"question": "zxqv"}),
    ("book_retrieve", {}),
    ("book_retrieve", {"question": "x", "k": 3}),
    ("book_chunk", {"id": "2/filters"}),
    ("book_chunk", {"id": "2/filters", "start": 800}),
    ("book_chunk", {"id": "../../etc/passwd"}),
    ("book_chunk", {"id": "1/一致收敛", "book": "analysis"}),
    ("book_chunk", {"id": 5}),
    ("book_slice_search", {"pattern": "neighbourhood"}),
    ("book_slice_search", {"pattern": "open (set|cover)", "mode": "regex", "limit": 1}),
    ("book_slice_search", {"pattern": "(", "mode": "regex"}),
    ("book_slice_search", {"pattern": "(a+)+$", "mode": "regex"}),
    ("book_slice_search", {"pattern": " "}),
    ("book_slice_search", {"pattern": "f_n", "mode": "glob"}),
    ("book_chapter_outline", {"chapter": "2", "book": "topology"}),
    ("book_chapter_outline", {"chapter": "Filters", "book": "topology"}),
    ("book_chapter_outline", {"chapter": "9", "book": "topology"}),
    ("book_read_section", {"start": "1/open-sets"}),
    ("book_read_section", {"start": "2/compact", "count": 1}),
    ("book_read_section", {"start": "2/filters", "skip": 100}),
    ("book_read_section", {"start": "2/filters", "end": "1/open-sets"}),
    ("book_read_section", {"start": "nowhere"}),
    ("book_ref", {"name": "Theorem 2.1"}),
    ("book_ref", {"name": "定理 1.1", "book": "analysis"}),
    ("book_ref", {"name": "Theorem 2.11"}),
    ("book_ref", {"name": "compactness"}),
    ("add_citation", {"card": "1/theorem-1-1", "book": "topology", "quote": "Any union of open sets is open."}),
    ("add_citation", {"card": "1/open-sets", "quote": "Every set is open."}),
    ("calculate", {"expression": "2**10 + 1/3"}),
    ("calculate", {"expression": "9**9**9**9"}),
    ("calculate", {"expression": "__import__('os')"}),
]

PROGRAMS: Final[list[dict[str, Any]]] = [
    {"code": "print(6 * 7)\ninput", "input": "漢"},
    {"code": "plot([0, 1, 2], [0, 1, 4], title='squares')"},
    {"code": "def f(x):\n    return 1 / x\nf(0)"},
    {"code": "open('/etc/passwd')\n"},
    {"code": "while True: print('x' * 100)"},
    {"code": "print('x' * 7_999)"},
    {"code": "import os\nprint('a')\nos.write(1, b'b\\xe6')\nos.write(1, b'\\xbc\\xa2\\xff|')\nprint('\\ud800', '\\0')"},
    {"code": "import os\nwhile True: os.write(2, b'\\xff' * 100)"},
    {"code": "x = ["},
    {"code": ""},
    {"code": "1", "language": "python"},
]
"""What python_exec is given on every surface."""
