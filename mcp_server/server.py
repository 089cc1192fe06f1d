"""The book tools over MCP: tools, resources and prompts as the official SDK serves them, answers as the core gives them."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourcesListChanged
from mcp.shared.exceptions import MCPError

from askbook.core import limits, pytool
from askbook.core.agentprompts import agent_instructions
from askbook.core.errors import ToolError
from askbook.core.parts import ToolResultPart
from askbook.core.providers.base import ToolSchema
from askbook.core.pytool import Outcome
from askbook.core.tools import available, schemas

from . import asking, resources
from .answers import Answers, as_result
from .live import LiveShelf
from .sandbox import Sandbox, SandboxError
from .shapes import shape
from .workers import Pool

Context = ServerRequestContext[Any, Any]

NAME: Final = "askbook"
TOOLS_PAGE: Final = 50
WATCH_SECONDS: Final = 2.0
TICK_SECONDS: Final = 1.0
READ_ONLY: Final = types.ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


@dataclass(frozen=True, slots=True)
class Python:
    """What runs python_exec, or why nothing does."""

    sandbox: Sandbox | None = None
    reason: str = ""
    packages: Sequence[str] = ()


def package_version() -> str:
    """The version of this package; `0` where it is not installed."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return "0"


class BookServer:
    """Answers the requests of MCP from a shelf."""

    def __init__(self, live: LiveShelf, python: Python | None = None, *, workers: int = 0) -> None:
        self.live = live
        self.python = python or Python()
        self.pool = Pool(workers)
        self._turnstile = anyio.CapacityLimiter(limits.PYTHON_AT_ONCE)
        self._bus = InMemorySubscriptionBus()
        self._answers = Answers(self.pool)

    def server(self) -> Server[Any]:
        """The server of the SDK, ready for any transport."""
        return Server(
            NAME,
            version=package_version(),
            title="askbook",
            instructions=self.instructions(),
            lifespan=self._lifespan,
            get_tool_input_schema=no_headers,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_subscriptions_listen=ListenHandler(self._bus),
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_completion=self.complete,
        )

    def instructions(self) -> str:
        """What a model should know before the first call."""
        books = "; ".join(f"{index.title} ({index.col}/{index.book})" for index in self.live.shelf.indexes)
        missing = f" python_exec is not offered: {self.python.reason}." if self.python.reason else ""
        return agent_instructions(books) + missing

    @asynccontextmanager
    async def _lifespan(self, _: Server[Any]) -> AsyncIterator[None]:
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch)
            group.start_soon(self.pool.run, lambda: self.live.shelf)
            yield
            group.cancel_scope.cancel()

    async def _watch(self) -> None:
        """Follow the source of the shelf and tell who listens."""
        while True:
            await anyio.sleep(WATCH_SECONDS)
            if await anyio.to_thread.run_sync(self.live.refresh):
                self.pool.renew()
                await self._bus.publish(ResourcesListChanged())

    # Tools

    def tools(self) -> list[types.Tool]:
        """Every tool there is now."""
        found = [*schemas(self.live.shelf), *([pytool.schema(self.python.packages)] if self.python.sandbox else [])]
        return [as_tool(tool) for tool in found]

    async def list_tools(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """A page of the tools."""
        tools = self.tools()
        start = offset(params, len(tools))
        return types.ListToolsResult(
            tools=tools[start : start + TOOLS_PAGE], next_cursor=following(start + TOOLS_PAGE, len(tools))
        )

    async def call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Run a tool; a name that no tool has is an error of the protocol, all else is a result the model can read."""
        arguments = params.arguments or {}
        if params.name == pytool.NAME and self.python.sandbox:
            return await self._call_python(ctx, self.python.sandbox, arguments)
        if params.name not in available(self.live.shelf):
            names = [tool.name for tool in self.tools()]
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}", {"tools": names, **self._why(params.name)})
        await ctx.session.report_progress(0, 1)
        found = await self._answers.wire(params.name, arguments, self.live.shelf)
        await ctx.session.report_progress(1, 1)
        return as_result(found)

    async def call_book_tool(self, name: str, arguments: Mapping[str, Any]) -> bytes | None:
        """Run a book tool; its result as it stands on the wire, None where there is no such tool."""
        if name not in available(self.live.shelf):
            return None
        return await self._answers.wire(name, arguments, self.live.shelf)

    def _why(self, name: str) -> dict[str, str]:
        """Why python_exec is not there, when it was asked for."""
        if name != pytool.NAME:
            return {}
        return {"reason": self.python.reason or "start the server with --python"}

    async def _call_python(self, ctx: Context, sandbox: Sandbox, given: Mapping[str, Any]) -> types.CallToolResult:
        try:
            code, value = pytool.arguments(given)
        except ToolError as wrong:
            return as_result(ToolResultPart("", pytool.NAME, {"error": str(wrong), **wrong.would_be_right}, error=True))
        try:
            outcome = await self._run_python(ctx, sandbox, code, value)
        except SandboxError as wrong:
            return as_result(ToolResultPart("", pytool.NAME, {"error": f"Python cannot run here: {wrong}"}, error=True))
        result = as_result(ToolResultPart("", pytool.NAME, outcome.to_json(), error=bool(outcome.error)))
        figures = [types.ImageContent(data=figure["data"], mime_type=figure["type"]) for figure in outcome.figures]
        return result.model_copy(update={"content": [*result.content, *figures]})

    async def _run_python(self, ctx: Context, sandbox: Sandbox, code: str, value: object) -> Outcome:
        """Run in a thread, a few at a time, telling how long it takes; end it when the caller goes away."""
        stop = threading.Event()

        async def tick() -> None:
            seconds = 0.0
            while True:
                await ctx.session.report_progress(seconds, limits.PYTHON_SECONDS, "Python is running")
                await anyio.sleep(TICK_SECONDS)
                seconds += TICK_SECONDS

        async with self._turnstile, anyio.create_task_group() as group:
            group.start_soon(tick)
            try:
                outcome = await anyio.to_thread.run_sync(
                    lambda: sandbox.run(code, value, stop=stop), abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
                )
            finally:
                stop.set()
            group.cancel_scope.cancel()
        return outcome

    # Resources

    async def list_resources(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """A page of the books and cards."""
        shelf = self.live.shelf
        total = resources.count(shelf)
        start = offset(params, total)
        stop = start + resources.page_size(shelf)
        entries = [
            types.Resource(uri=entry.uri, name=entry.name, title=entry.title, mime_type=entry.type)
            for entry in resources.listed(shelf, start, stop)
        ]
        return types.ListResourcesResult(resources=entries, next_cursor=following(stop, total))

    async def list_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """The forms of address."""
        offset(params, 1)
        templates = [
            types.ResourceTemplate(name=name, uri_template=template, description=text, mime_type=kind)
            for name, template, text, kind in resources.TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The resource at an address."""
        try:
            found = resources.read(self.live.shelf, str(params.uri))
        except ToolError as wrong:
            raise MCPError(
                types.INVALID_PARAMS, f"Resource not found: {wrong}", {"uri": str(params.uri), **wrong.would_be_right}
            ) from None
        content = types.TextResourceContents(uri=found.uri, mime_type=found.type, text=found.text)
        return types.ReadResourceResult(contents=[content])

    # Prompts

    async def list_prompts(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """What a person may start with."""
        offset(params, 1)
        return types.ListPromptsResult(prompts=[asking.listed(prompt) for prompt in asking.PROMPTS.values()])

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One of them, filled in."""
        try:
            return asking.filled(params.name, params.arguments or {}, self.live.shelf)
        except ToolError as wrong:
            raise MCPError(types.INVALID_PARAMS, str(wrong), dict(wrong.would_be_right)) from None

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        """Collections, books and chapters that begin with what was typed."""
        values = asking.completions(params.argument.name, params.argument.value, self.live.shelf)
        shown = values[: asking.COMPLETIONS]
        return types.CompleteResult(
            completion=types.Completion(values=shown, total=len(values), has_more=len(values) > len(shown))
        )


def no_headers(name: str) -> None:
    """Which HTTP headers repeat an argument of a tool: none does, so none need be compared at every call."""
    return


def as_tool(tool: ToolSchema) -> types.Tool:
    """A tool of the core as it is listed."""
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.parameters),
        output_schema=shape(tool.name),
        annotations=READ_ONLY,
    )


def offset(params: types.PaginatedRequestParams | None, total: int) -> int:
    """Where a page begins; a cursor we did not give is an error of the protocol."""
    cursor = params.cursor if params else None
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 10 and 0 < int(cursor) < max(total, 1)):
        raise MCPError(types.INVALID_PARAMS, f"Invalid cursor: {cursor!r:.40}")
    return int(cursor)


def following(stop: int, total: int) -> str | None:
    """The cursor of the next page; None at the end."""
    return str(stop) if stop < total else None
