"""Look at drawn HTML as a browser would, and say what must not be there."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

from askbook.core.links import safe_link

SITE = "https://example.org/books/"
ELEMENTS = frozenset(
    [
        "p",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ul",
        "ol",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "blockquote",
        "pre",
        "code",
        "em",
        "strong",
        "s",
        "a",
        "img",
        "hr",
        "br",
        "span",
        "div",
        "mark",
    ]
)
ATTRIBUTES = frozenset(["alt", "class", "data-n", "data-support", "href", "loading", "rel", "src", "start", "target", "title"])


@dataclass(slots=True)
class Drawn:
    """The elements and the text of a piece of HTML."""

    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    text: str = ""
    odd: list[str] = field(default_factory=list)
    """Comments, declarations and the like."""

    @property
    def hrefs(self) -> list[str]:
        return [attrs["href"] for tag, attrs in self.tags if tag == "a" and attrs.get("class") != "cite-ref"]

    @property
    def srcs(self) -> list[str]:
        return [attrs["src"] for _, attrs in self.tags if "src" in attrs]

    @property
    def cites(self) -> list[int]:
        return [int(attrs["data-n"]) for _, attrs in self.tags if attrs.get("class") == "cite-ref"]

    @property
    def visible(self) -> str:
        """Text and alternative texts, runs of white space as one space."""
        return " ".join([*self.text.split(), *(attrs["alt"] for _, attrs in self.tags if "alt" in attrs)])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.drawn = Drawn()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.drawn.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.drawn.text += data

    def handle_comment(self, data: str) -> None:
        self.drawn.odd.append(f"comment {data}")

    def handle_decl(self, decl: str) -> None:
        self.drawn.odd.append(f"declaration {decl}")

    def handle_pi(self, data: str) -> None:
        self.drawn.odd.append(f"instruction {data}")

    def unknown_decl(self, data: str) -> None:
        self.drawn.odd.append(f"section {data}")


def look(html: str) -> Drawn:
    """Read a piece of HTML."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.drawn


def faults(html: str, site: str = SITE) -> list[str]:
    """Return what an answer must never become."""
    drawn = look(html)
    found = list(drawn.odd)
    for tag, attrs in drawn.tags:
        found += [f"<{tag}>"] * (tag not in ELEMENTS)
        found += [f"{tag} {name}" for name in attrs if name not in ATTRIBUTES]
        if "href" in attrs and attrs.get("class") != "cite-ref":
            link = safe_link(attrs["href"], site=site)
            if link is None or link.href != attrs["href"]:
                found.append(f"href {attrs['href']}")
            elif link.external != (attrs.get("rel") == "noopener noreferrer"):
                found.append(f"rel of {attrs['href']}")
        if "src" in attrs:
            link = safe_link(attrs["src"], site=site)
            if link is None or link.external or link.href != attrs["src"]:
                found.append(f"src {attrs['src']}")
    return found
