"""What is read of a page beside its HTML."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import markdown
import pytest
from mkdocs.structure.pages import Page

from askbook.site_plugin.navigation import open_fence

FENCES = (["fenced_code"], ["pymdownx.superfences"])
MORE = ["tables", "toc", "admonition", "def_list", "md_in_html", "attr_list"]


def place(text: str, extensions: list[str]) -> str:
    """Where a fence is said to be open, in a page that these extensions draw."""
    page = cast("Page", SimpleNamespace(file=SimpleNamespace(src_uri="a.md", content_string=text)))
    return open_fence(page, markdown.markdown(text, extensions=[*MORE, *extensions]))


ESCAPED = "\\`\\`\\`\nx\n\n"
"""A paragraph that shows the signs of a fence, and the line below them."""


@pytest.mark.parametrize("extensions", FENCES)
@pytest.mark.parametrize(
    "text",
    [
        "~~~ is also a fence sign.\nSo it is.\n\n```\nx\n```\n",
        "~~~~~~~~~~\n\ntext\n",
        "~~~struck~~ x\ny\n",
        "``` a\nb ``` is code\n\n```\nx\n```\n",
        "````md\n```\nx\n````\n",
        "```\n- ```\nx\n```\n",
        "```\n> ```\nx\n```\n",
        "```\n    ```\nx\n```\n",
        "- a\n\n  ```python\n  x\n\n  y\n  ```\n",
        '``` {.python title="a `b`"}\nx\n```\n',
        "```c `x`\ny\n```\n",
        ESCAPED + "```\nx\n```\n",
        ESCAPED + "```\n- ```\nx\n```\n",
        ESCAPED + "```\n    ```\nx\n```\n",
        ESCAPED + "<pre>\n```\nx\n</pre>\n",
        ESCAPED + "<!--\n```\nx\n-->\n",
        ESCAPED + "    ```\n    x\n",
        ESCAPED + "````md\n```\nx\n````\n",
        "- " + ESCAPED + "<pre>\n```\nx\n</pre>\n",
        "&#96;``\nx\n\n<pre>\n```\nx\n</pre>\n",
        "Term\n:   ```python\n    x\n    ```\n",
    ],
)
def test_a_sound_page_has_no_open_fence(text: str, extensions: list[str]) -> None:
    assert place(text, extensions) == ""


@pytest.mark.parametrize("extensions", FENCES)
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# A\n\n```python\nx = a < b\n\nMore.\n", 3),
        ("~~~\nx\n", 1),
        ('# A\n\n```\nx\n```\n\n```python hl_lines="1"\ny\n\nMore.\n', 7),
        ("---\na: b\n---\n\n``` {.python}\nx *y*\n\n~~~\nz\n~~~\n", 5),
        ("```\nx\n````\n", 1),
        ("> ```\n> x\n\ntext\n", 1),
        ('!!! note\n    ```js\n    "x" & y\n\n    more\n', 2),
    ],
)
def test_a_fence_that_a_page_shows_as_text_is_named_by_its_line(text: str, line: int, extensions: list[str]) -> None:
    assert place(text, extensions) == f"a.md:{line}"
