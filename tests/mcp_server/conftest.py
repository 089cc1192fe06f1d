"""Two small books on a shelf, written as the builder writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from askbook.builder.index.write import write
from tests.mcp_server.books import analysis, topology


@pytest.fixture(scope="session")
def shelf_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both indexes."""
    folder = tmp_path_factory.mktemp("shelf")
    write([topology(), analysis()], folder)
    return folder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
