"""How long the property tests of the core look: `ASKBOOK_FUZZ=100000 pytest tests/core` is the long run."""

from __future__ import annotations

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

MANY = int(os.environ.get("ASKBOOK_FUZZ", "0"))

settings.register_profile("short", max_examples=200, deadline=None)
settings.register_profile("browser", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "long",
    max_examples=max(MANY, 1),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("browser" if sys.platform == "emscripten" else "long" if MANY else "short")


@pytest.fixture
def many() -> int:
    """Examples for a test that hands all of them to another program at once."""
    return MANY or 2_000
