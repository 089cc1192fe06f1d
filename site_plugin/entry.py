"""The one script element of a page that has the assistant."""

from __future__ import annotations

import re

from .assets import ENTRY

_OLD = re.compile(rf'<script type="module" src="[^"]*{re.escape(ENTRY)}"></script>\n?')
_END = re.compile(r"</body\s*>", re.I)


def relative_root(url: str) -> str:
    """The way from a page to the root of its site: `../` as often as the page is deep."""
    return "../" * url.count("/")


def add_entry(page: str, root: str) -> str:
    """Put the script at the end of a page's body, in place of an earlier one."""
    page = remove_entry(page)
    script = f'<script type="module" src="{root}{ENTRY}"></script>'
    place = page.rfind("</body>")
    if place < 0:
        ends = list(_END.finditer(page))
        place = ends[-1].start() if ends else len(page)
    return f"{page[:place]}{script}\n{page[place:]}"


def remove_entry(page: str) -> str:
    """Take the script out again."""
    return _OLD.sub("", page) if ENTRY in page else page
