"""What went wrong at an endpoint, told from status, headers and body; one table of meanings for every provider.

The words stand in `docs/providers.md`. A message shown is the endpoint's own, cut short, with the key taken out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from .errors import Fault
from .nesting import parse
from .parts import ErrorPart

MESSAGE_CHARACTERS: Final = 400
RETRYABLE: Final[frozenset[Fault]] = frozenset(
    {"rate_limit", "timeout", "server", "overloaded", "network", "stall", "cut", "tool_use_failed"}
)
BY_STATUS: Final[Mapping[int, Fault]] = {
    400: "bad_request", 401: "auth", 402: "quota", 403: "forbidden", 404: "not_found", 408: "timeout",
    409: "server", 413: "too_large", 422: "bad_request", 429: "rate_limit", 504: "timeout", 524: "timeout", 529: "overloaded",
}  # fmt: skip
BY_WORD: Final[Mapping[str, Fault]] = {
    "context_length_exceeded": "context_length", "tool_use_failed": "tool_use_failed", "insufficient_quota": "quota",
    "billing_error": "quota", "billing_hard_limit_reached": "quota", "insufficient_balance": "quota",
    "authentication_error": "auth", "invalid_api_key": "auth", "unauthenticated": "auth", "permission_error": "forbidden",
    "permission_denied": "forbidden", "not_found_error": "not_found", "model_not_found": "not_found", "not_found": "not_found",
    "request_too_large": "too_large", "rate_limit_error": "rate_limit", "rate_limit_exceeded": "rate_limit",
    "resource_exhausted": "rate_limit", "timeout_error": "timeout", "timeout": "timeout", "deadline_exceeded": "timeout",
    "api_error": "server", "server_error": "server", "internal_server_error": "server", "internal": "server",
    "overloaded_error": "overloaded", "engine_overloaded_error": "overloaded", "overloaded": "overloaded",
    "invalid_request_error": "bad_request", "invalid_argument": "bad_request", "bad_request": "bad_request",
}  # fmt: skip
"""Types and codes of errors, in lower case; the first table that knows a word wins over the status only where it says more."""
STRONGER: Final[frozenset[Fault]] = frozenset({"context_length", "tool_use_failed", "quota", "overloaded", "too_large"})
"""Faults that a word or the message may make of a status that says less."""
CONTEXT: Final = re.compile(
    r"maximum context|context (?:length|window|size)|too many (?:input )?tokens|prompt is too long|input is too long|"
    r"exceeds? the (?:maximum|limit)[^.]{0,40}tokens|maximum (?:number of )?tokens|reduce the length|"
    r"上下文长度|输入过长|超出.{0,12}长度",
    re.IGNORECASE,
)
KEY: Final = re.compile(r"api[ _]key not valid|(?:invalid|incorrect|wrong) api[ _]key|api_key_invalid", re.IGNORECASE)
QUOTA: Final = re.compile(
    r"insufficient (?:balance|quota|credit)|exceeded your current quota|out of credits|余额不足|欠费", re.IGNORECASE
)
OVERLOADED: Final = re.compile(r"\boverloaded\b", re.IGNORECASE)
HTML_TITLE: Final = re.compile(r"<(title|h1)[^>]*>(.*?)</\1", re.IGNORECASE | re.DOTALL)
HTML_TAG: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<[^>]*>", re.IGNORECASE | re.DOTALL)
WAIT: Final = re.compile(r"try again in (?:(\d+)m)?(\d+(?:\.\d+)?)(ms|s)\b", re.IGNORECASE)
HTTP_DATE: Final = re.compile(r"(\d{1,2})[ -](\w{3})[ -](\d{2,4}) (\d\d):(\d\d):(\d\d)")
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def http_fault(status: int, headers: Mapping[str, str], body: str) -> ErrorPart:
    """Say what an answer with an error status means."""
    error = _find_error(body)
    message, words = _message(error), _words(error)
    if not message:
        message = _visible(body)
    wait = retry_after(headers)
    asked = wait if wait is not None else _wait_in_body(error, message)
    fault = _judge(status, words, message, waits=asked is not None)
    retry = fault in RETRYABLE
    match headers.get("x-should-retry", "").strip().lower():
        case "true":
            retry = True
        case "false":
            retry = False
    return ErrorPart(fault, _cut(message) or f"The endpoint answered with status {status}.", status, retry, asked)


def stream_fault(error: object, *, status: int = 200) -> ErrorPart:
    """Say what an error object inside a response that began well means."""
    value = error if isinstance(error, dict) else {"message": error}
    message, words = _message(value), _words(value)
    code = value.get("code", value.get("status_code"))
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    if isinstance(code, int) and not isinstance(code, bool) and 400 <= code <= 599:
        status = code
    wait = _wait_in_body(value, message)
    fault = _judge(status, words, message, waits=wait is not None)
    return ErrorPart(fault, _cut(message) or "The endpoint reported an error.", status, fault in RETRYABLE, wait)


def _judge(status: int, words: list[str], message: str, *, waits: bool) -> Fault:
    """Weigh status, error words and message against each other."""
    by_word: Fault | None = next((BY_WORD[word] for word in words if BY_WORD.get(word) in STRONGER), None)
    by_word = by_word or next((BY_WORD[word] for word in words if word in BY_WORD), None)
    by_status: Fault | None = BY_STATUS.get(status)
    if by_status is None and 300 <= status < 400:
        by_status = "not_found"  # it moved: a page may not follow with a key
    if by_status is None and status >= 400:
        by_status = "server" if status >= 500 else "bad_request"
    if by_word in STRONGER:
        return by_word
    if by_status in (None, "bad_request") and by_word not in (None, "bad_request"):
        return by_word or "server"
    if by_status in (None, "bad_request", "too_large") and CONTEXT.search(message):
        return "context_length"
    if by_status in (None, "rate_limit", "bad_request", "forbidden") and not waits and QUOTA.search(message):
        return "quota"
    if by_status == "bad_request" and KEY.search(message):
        return "auth"
    if by_status in (None, "server") and OVERLOADED.search(message):
        return "overloaded"
    return by_status or by_word or "server"


def _find_error(body: str) -> Mapping[str, Any]:
    """Take the error object out of a body: plain, in an array (Gemini), or as an event."""
    text = body.strip()
    if text.startswith(("data:", "event:")):
        text = next((line[5:].strip() for line in text.splitlines() if line.startswith("data:")), "")
    try:
        value = parse(text)
    except ValueError:
        return {}
    if isinstance(value, list):
        value = next((entry for entry in value if isinstance(entry, dict)), {})
    if not isinstance(value, dict):
        return {}
    inner = value.get("error", value.get("errors"))
    if isinstance(inner, list):
        inner = next(iter(inner), None)
    if isinstance(inner, dict):
        return inner
    return {**value, "message": inner} if isinstance(inner, str) else value


def _message(error: Mapping[str, Any]) -> str:
    for key in ("message", "msg", "detail", "error_description", "title", "error"):
        match error.get(key):
            case str() as text if text.strip():
                return text
            case [{"msg": str() as text}, *_]:  # FastAPI's validation errors
                return text
            case {"message": str() as text}:
                return text
    return ""


def _words(error: Mapping[str, Any]) -> list[str]:
    """Collect what names the error: code before type before status."""
    return [word.lower() for key in ("code", "type", "status", "error_type") if isinstance(word := error.get(key), str)]


def _visible(body: str) -> str:
    """Return the title of an HTML page, else what can be read of a body."""
    title = HTML_TITLE.search(body)
    text = title[2] if title else body
    return " ".join(HTML_TAG.sub(" ", text).split())


def _cut(message: str) -> str:
    message = " ".join(message.split())
    return message if len(message) <= MESSAGE_CHARACTERS else message[: MESSAGE_CHARACTERS - 1] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long to wait, in seconds: milliseconds, seconds, or a date measured against the answer's own `date`."""
    try:
        milliseconds = float(headers["retry-after-ms"])
    except (KeyError, ValueError):
        milliseconds = -1.0
    if milliseconds >= 0:
        return milliseconds / 1000
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        until, now = _date(value), _date(headers.get("date", ""))
        return max(0.0, until - now) if until is not None and now is not None else None
    return seconds if 0 <= seconds < float("inf") else None


def _date(text: str) -> float | None:
    """Read an HTTP date as seconds from a fixed day; None when it is none."""
    found = HTTP_DATE.search(text)
    if found is None or found[2].lower() not in MONTHS:
        return None
    day, year, month = int(found[1]), int(found[3]), MONTHS.index(found[2].lower()) + 1
    year += 2000 if year < 70 else 1900 if year < 100 else 0
    # Days since 1 March of year 0 (proleptic Gregorian): March-based years put the leap day last.
    year, month = (year - 1, month + 9) if month < 3 else (year, month - 3)
    days = year * 365 + year // 4 - year // 100 + year // 400 + (month * 153 + 2) // 5 + day
    return float(((days * 24 + int(found[4])) * 60 + int(found[5])) * 60 + int(found[6]))


def _wait_in_body(error: Mapping[str, Any], message: str) -> float | None:
    """Find a waiting time in the error itself: Gemini's `retryDelay`, “try again in 7.6s”."""
    for detail in error.get("details") or ():
        delay = detail.get("retryDelay") if isinstance(detail, dict) else None
        if isinstance(delay, str) and re.fullmatch(r"\d+(?:\.\d+)?s", delay):
            return float(delay[:-1])
    found = WAIT.search(message)
    if found is None:
        return None
    return int(found[1] or 0) * 60 + float(found[2]) / (1000 if found[3].lower() == "ms" else 1)
