"""The text protocol for models without tools of their own: steps read from running text, and written back as a scratchpad.

Both languages' labels are accepted wherever they stand at the start of a line, in bold or not, numbered or not. An action and a
final answer in one output count as the action; what a model writes as an observation is never one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from .canonical import dumps
from .parts import Part, PlanPart, ReasoningPart, TextPart, ToolCallPart, ToolResultPart
from .providers.base import ToolSchema
from .tags import Piece, TagScanner
from .textcalls import FENCED, read_json
from .wording import Lang

LABELS: Final[Mapping[Lang, tuple[str, str, str, str, str]]] = {
    "en": ("Thought: ", "Action: ", "Action Input: ", "Observation: ", "Final Answer: "),
    "zh": ("思考：", "行动：", "行动输入：", "观察：", "最终答案："),
}
LABEL: Final = re.compile(
    r"[ \t]*[#>]*[ \t]*(?P<marks>[*_]*)[ \t]*"
    r"(?P<label>thought|思考|action[ \t]*\d*[ \t]*input|action[ \t]*\d*|行动输入|行动|observation|观察|"
    r"final[ \t]*answer|最终答案)"
    r"[ \t]*\d*[ \t]*(?P<closed>[*_]*)[ \t]*[:：]",
    re.IGNORECASE,
)
BOLD_BEHIND: Final = re.compile(r"^[*_]*[ \t]?")
PLAIN_BEHIND: Final = re.compile(r"^[ \t]?")
LABEL_CHARACTERS: Final = 32
"""No label is longer with everything around it."""
Step = Literal["thought", "action", "input", "observation", "answer"]


class ReactScanner:
    """Split an output of the text protocol into thought, call and final answer; think tags are understood as elsewhere."""

    def __init__(self, parameters: Mapping[str, str] | None = None) -> None:
        self._tags = TagScanner()
        self._parameters = parameters or {}
        """Tool name to the parameter that a bare text is meant for."""
        self._line = ""
        self._at_start = True
        self._step: Step = "thought"
        self._action = ""
        self._input = ""
        self._acted = False
        self._behind: re.Pattern[str] | None = None
        """What still belongs to the label that was just read."""
        self.labelled = False
        """Whether any action or final answer was seen."""

    def feed(self, text: str, *, last: bool = False) -> list[Piece]:
        """Take more text; return what is decided."""
        pieces: list[Piece] = []
        for kind, piece in self._tags.feed(text, last=last):
            if kind == "text":
                self._text(piece, pieces)
            elif kind != "retract":
                pieces.append(Piece(kind, piece))
        if last:
            self._part(self._line, pieces)
            self._line = ""
            self._end_action(pieces)
        return pieces

    def _text(self, text: str, pieces: list[Piece]) -> None:
        for piece in re.split(r"(\n)", text):
            if not self._at_start:
                self._part(piece, pieces)
            else:
                self._line += piece
                self._begin_line(pieces)
            if piece == "\n":
                self._part(self._line, pieces)
                self._line, self._at_start = "", True

    def _begin_line(self, pieces: list[Piece]) -> None:
        """Decide whether a line begins with a label, as soon as it can be told."""
        found = LABEL.match(self._line)
        if found is not None:
            rest, self._line, self._at_start = self._line[found.end() :], "", False
            self._turn(found["label"].lower().replace(" ", ""), pieces)
            self._behind = BOLD_BEHIND if found["marks"] and not found["closed"] else PLAIN_BEHIND
            self._part(rest, pieces)
        elif len(self._line) > LABEL_CHARACTERS or ":" in self._line or "：" in self._line:
            line, self._line, self._at_start = self._line, "", False
            self._part(line, pieces)

    def _turn(self, label: str, pieces: list[Piece]) -> None:
        if "input" in label or label == "行动输入":
            self._step = "input"
            return
        self._end_action(pieces)
        if label.startswith("action") or label == "行动":
            self._step, self._action, self._input, self.labelled = "action", "", "", True
        elif label in ("finalanswer", "最终答案"):
            self._step, self.labelled = "answer", True
        else:
            self._step = "observation" if label in ("observation", "观察") else "thought"

    def _part(self, text: str, pieces: list[Piece]) -> None:
        if self._behind is not None and text:
            rest = self._behind.sub("", text, count=1)
            self._behind = None if rest or text[-1] in " \t" else self._behind
            text = rest
        if not text:
            return
        match self._step:
            case "thought":
                pieces.append(Piece("reasoning", text))
            case "action":
                self._action += text
            case "input":
                self._input += text
            case "answer" if not self._acted:
                pieces.append(Piece("text", text))
            case _:
                pass  # observations and answers that a model makes up behind its own action

    def _end_action(self, pieces: list[Piece]) -> None:
        """Make a call of the action that is complete now; only the first of an output is made."""
        name = self._action.strip().strip("`*\"'[]()。.").strip()
        given = self._input.strip()
        if not name or self._acted:
            return
        inline = re.fullmatch(r"(\w+)\s*\((.*)\)", self._action.strip(), re.DOTALL)
        if inline and not given:
            name, given = inline[1], inline[2]
        self._acted = True
        pieces.append(Piece("call", json.dumps({"name": name, "arguments": self._arguments(name, given)}, ensure_ascii=False)))

    def _arguments(self, name: str, given: str) -> object:
        fenced = FENCED.fullmatch(given)
        given = (fenced[1] if fenced else given).strip().strip("`").strip()
        if not given or given.lower() in ("none", "null", "无"):
            return {}
        try:
            value = read_json(given)
        except ValueError:
            value = given
        if isinstance(value, dict) or name not in self._parameters:
            return value
        return {self._parameters[name]: value.strip("\"'“”") if isinstance(value, str) else value}


def bare_parameters(tools: Sequence[ToolSchema]) -> dict[str, str]:
    """For each tool the parameter that a bare text is meant for: its first required one."""
    return {tool.name: tool.parameters["required"][0] for tool in tools if tool.parameters["required"]}


def scratchpad(parts: Sequence[Part], lang: Lang) -> str:
    """Write the steps so far as the template has them; it ends where the model goes on thinking."""
    thought, action, given, observation, answer = LABELS[lang]
    lines: list[str] = []
    for part in parts:
        match part:
            case ReasoningPart(text):
                lines.append(thought + " ".join(text.split()))
            case PlanPart(text) | TextPart(text):
                lines.append(answer + text.strip())
            case ToolCallPart():
                lines += [action + part.name, given + dumps(dict(part.arguments))]
            case ToolResultPart():
                lines.append(observation + dumps(part.content))
            case _:
                pass
    return "\n".join([*lines, thought.rstrip()])
