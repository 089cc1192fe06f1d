"""What PyMdown's keys are called on the page: `++ctrl+alt+del++` shows Ctrl, Alt and Del."""

from __future__ import annotations

from typing import Final

_SIGNS: Final = {
    "backslash": "\\", "bar": "|", "pipe": "|", "brace-left": "{", "open-brace": "{", "brace-right": "}", "close-brace": "}",
    "bracket-left": "[", "open-bracket": "[", "bracket-right": "]", "close-bracket": "]", "colon": ":", "comma": ",",
    "double-quote": '"', "dblquote": '"', "equal": "=", "exclam": "!", "exclamation": "!", "grave": "`", "grave-accent": "`",
    "greater": ">", "greater-than": ">", "gt": ">", "less": "<", "less-than": "<", "lt": "<", "minus": "-", "hyphen": "-",
    "period": ".", "plus": "+", "question": "?", "question-mark": "?", "semicolon": ";", "single-quote": "'", "slash": "/",
    "tilde": "~", "underscore": "_", "num-asterisk": "Num *", "multiply": "Num *", "num-equal": "Num =", "num-minus": "Num -",
    "subtract": "Num -", "num-plus": "Num +", "add": "Num +", "num-separator": "Num .", "separator": "Num .",
    "decimal": "Num .", "num-slash": "Num /", "divide": "Num /",
    "num-delete": "Num Del",
}  # fmt: skip
_SHORT: Final = {
    "arrow-up": "Up", "arrow-down": "Down", "arrow-left": "Left", "arrow-right": "Right", "delete": "Del", "insert": "Ins",
    "escape": "Esc", "alt-graph": "AltGr", "altgr": "AltGr", "command": "Cmd", "control": "Ctrl", "function": "Fn",
    "windows": "Win", "return": "Enter", "back": "Backspace", "bksp": "Backspace", "backtab": "Back Tab", "bktab": "Back Tab",
    "cancel": "Break", "capital": "Caps Lock", "cplk": "Caps Lock", "clr": "Clear", "numlk": "Num Lock",
    "scroll": "Scroll Lock", "prior": "Page Up", "next": "Page Down", "pg-up": "Page Up", "pg-dn": "Page Down",
    "page-dn": "Page Down", "prtsc": "Print Screen", "spc": "Space", "tabulator": "Tab", "opt": "Option",
    "context-menu": "Menu", "apps": "Menu", "lbutton": "Left Button", "mbutton": "Middle Button", "rbutton": "Right Button",
    "xbutton1": "X Button 1", "xbutton2": "X Button 2", "x-button1": "X Button 1", "x-button2": "X Button 2",
    "mute": "Mute", "volume-mute": "Mute", "vol-mute": "Mute", "vol-up": "Volume Up", "vol-down": "Volume Down",
    "media-next-track": "Next Track", "media-pause": "Pause", "media-play": "Play", "media-play-pause": "Play/Pause",
    "play-pause": "Play/Pause", "media-prev-track": "Previous Track", "prev-track": "Previous Track", "media-stop": "Stop",
    "favorites": "Browser Favorites", "forward": "Browser Forward", "refresh": "Browser Refresh", "search": "Browser Search",
    "launch-mail": "Mail", "launch-media": "Media",
}  # fmt: skip
_SAME: Final = (
    "alt", "shift", "enter", "tab", "space", "backspace", "home", "end", "clear", "pause", "help", "menu", "fn", "esc", "del",
    "ins", "ctrl", "cmd", "win", "up", "down", "left", "right", "meta", "super", "hyper", "option", "break", "select",
    "execute", "print", "power", "sleep", "zoom", "play", "stop", "mail", "media", "globe", "caps-lock", "num-lock",
    "scroll-lock", "page-up", "page-down", "print-screen", "left-button", "middle-button", "right-button", "volume-up",
    "volume-down", "next-track", "eject", "browser-back", "browser-favorites", "browser-forward", "browser-home",
    "browser-refresh", "browser-search", "browser-stop", "launch-app1", "launch-app2", "copy", "cursor-select", "erase-eof",
    "exsel", "left-meta", "num-enter", "num-del", "num-clear", "reset", "fingerprint",
)  # fmt: skip
"""Keys whose name is what the page shows, with capitals."""
_SIDES: Final = {"left-": "Left ", "right-": "Right ", "l": "Left ", "r": "Right "}
_SIDED: Final = ("alt", "cmd", "command", "control", "ctrl", "meta", "opt", "option", "shift", "super", "win", "windows")
_FIGURED: Final = {"f": "F", "num": "Num "}


def key_name(key: str) -> str | None:
    """What the page shows of a key; None for a key nobody knows."""
    if (len(key) == 1 and key.isalnum()) or key in _SAME:
        return " ".join(word.capitalize() for word in key.split("-"))
    if shown := _SIGNS.get(key) or _SHORT.get(key):
        return shown
    for sign, before in _SIDES.items():
        if key.startswith(sign) and (rest := key.removeprefix(sign)) in _SIDED:
            return before + ("Command" if rest in ("cmd", "command") else _SHORT.get(rest) or rest.capitalize())
    for sign, before in _FIGURED.items():
        if key.startswith(sign) and (rest := key.removeprefix(sign)).isdecimal() and len(rest) < 3:
            return before + rest
    return None
