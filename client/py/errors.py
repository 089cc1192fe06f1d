"""Errors a caller may catch.

BookError
├── IndexFormatError    the index file is damaged, of another format, or newer than this program
├── ContentError        something in a book's source is wrong; names file and line
├── ToolError           a book tool was asked for something it cannot do; becomes a result for the model
│   └── NotFoundError   what it was asked for is not there, or not the only one of that name
└── ProviderError       the endpoint refused, broke off or sent what nobody can read
"""

from __future__ import annotations

from typing import Literal

Fault = Literal[
    "auth", "forbidden", "not_found", "rate_limit", "quota", "bad_request", "context_length", "too_large", "timeout",
    "server", "overloaded", "network", "stall", "cut", "bad_response", "tool_use_failed", "aborted",
]  # fmt: skip
"""What can go wrong between us and an endpoint; the meanings stand in `docs/providers.md`."""


class BookError(Exception):
    """Anything this package raises on purpose; the message says what is wrong, where, and what to do."""


class IndexFormatError(BookError):
    """The index file is damaged, of another format, or newer than this program."""


class ContentError(BookError):
    """A source file cannot be read as what it claims to be."""

    def __init__(self, message: str, *, file: str, line: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.line = line
        """1-based; 0 where the whole file is meant."""


class ToolError(BookError):
    """A tool was asked for something it cannot do; the message is written for the model."""

    def __init__(self, message: str, **would_be_right: object) -> None:
        super().__init__(message)
        self.would_be_right = would_be_right
        """What the model may use instead, as JSON values: names available, a schema, matches."""


class NotFoundError(ToolError):
    """What a tool was asked for is not there, or is not the only one of that name; an answer, not a failure."""


class ProviderError(BookError):
    """The endpoint refused, broke off or sent what nobody can read; what arrived before stays valid."""

    def __init__(
        self, message: str, *, fault: Fault, status: int | None = None, retry: bool = False, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.fault: Fault = fault
        self.status = status
        self.retry = retry
        """Whether the same request may be tried again."""
        self.retry_after = retry_after
        """Seconds, when the endpoint said so."""
