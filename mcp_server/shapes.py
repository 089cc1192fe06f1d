"""JSON Schema of what the tools return: the fields that stay; more may be added, so nothing is closed."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]

_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_FLAG: Final[Schema] = {"type": "boolean"}


def _object(*optional: str, **fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": [name for name in fields if name not in optional]}


def _found(**fields: Schema) -> Schema:
    """What is only there when `found` is true."""
    return _object(*fields, found=_FLAG, **fields)


def _list(of: Schema) -> Schema:
    return {"type": "array", "items": of}


_CARD: Final = {"id": _TEXT, "type": _TEXT, "title": _TEXT, "url": _TEXT}
_BOOK: Final = _object(col=_TEXT, book=_TEXT, title=_TEXT)

SHAPES: Final[dict[str, Schema]] = {
    "list_books": _object(books=_list(_BOOK)),
    "book_toc": _object(title=_TEXT, toc=_list(_object(title=_TEXT, url=_TEXT)), total=_COUNT, truncated=_FLAG),
    "book_retrieve": _object(
        results=_list(
            _object(**_CARD, score={"type": "number"}, matched=_list(_TEXT), text=_TEXT, truncated=_FLAG)
        ),
        status={"type": "object"},
    ),
    "book_chunk": _found(**_CARD, text=_TEXT, truncated=_FLAG),
    "book_slice_search": _object(hits=_list(_object(**_CARD, text=_TEXT, context=_TEXT)), count=_COUNT),
    "book_chapter_outline": _found(
        chapter=_object(
            number=_TEXT,
            title=_TEXT,
            sections=_list(_object(cards=_list(_object(number=_TEXT, title=_TEXT, url=_TEXT)))),
        ),
    ),
    "book_read_section": _found(items=_list(_object(**_CARD, kind=_TEXT, text=_TEXT, truncated=_FLAG))),
    "book_ref": _found(label=_TEXT),
    "add_citation": _found(**_CARD, quote=_TEXT),
    "python_exec": _object(
        "error",
        stdout=_TEXT,
        truncated=_FLAG,
        figures=_list(_object(type={"enum": ["image/svg+xml", "image/png"]}, bytes=_COUNT)),
        error=_TEXT,
    ),
}  # fmt: skip
"""By tool; a tool that is not here promises an object and no more."""


_ERROR: Final = _object(error=_TEXT)


def shape(name: str) -> Schema:
    """What a tool returns: its fields, or what went wrong; clients check failed calls against it too."""
    return {"type": "object", "anyOf": [SHAPES.get(name, {}), _ERROR]}
