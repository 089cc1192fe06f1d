"""What we say of providers is what the profiles say, and each is known by its address."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from askbook.core.errors import Fault
from askbook.core.profiles import PROFILES, Profile, adapted, find_profile

ROOT = Path(__file__).parents[2]
DOCS = (ROOT / "docs" / "providers.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("profile", PROFILES, ids=lambda profile: profile.name)
def test_the_table_has_every_provider_with_its_address(profile: Profile) -> None:
    row = next(line for line in DOCS.splitlines() if line.startswith(f"| `{profile.name}` |"))
    assert profile.base in row
    assert {"yes": "| yes", "asks": "| asks |", "unknown": "| unknown |", "no": "| no |"}[profile.cors] in row
    assert ("reasoning_content" in row) == (profile.reasoning_back != "never")


def test_every_fault_is_explained() -> None:
    assert [fault for fault in get_args(Fault) if f"| `{fault}` |" not in DOCS] == []


@pytest.mark.parametrize("profile", [profile for profile in PROFILES if profile.base], ids=lambda profile: profile.name)
def test_a_provider_is_known_by_its_address(profile: Profile) -> None:
    assert find_profile("", profile.base) == profile
    assert find_profile(profile.name, "https://gateway.example/v1") == profile


@pytest.mark.parametrize(
    "url",
    [
        "https://gateway.example/v1",
        "https://notapi.openai.com.evil.example/",
        "nonsense",
        "http://[::1",
        "http://localhost:99999/",
    ],
)
def test_any_other_address_is_generic(url: str) -> None:
    assert find_profile("", url).name == "generic"


def test_a_resource_of_azure_is_known_by_its_ending() -> None:
    assert find_profile("", "https://mine.openai.azure.com/openai/v1").name == "azure"


def test_what_is_complained_about_twice_is_not_changed_for_ever() -> None:
    profile, changes = find_profile("openai", ""), 0
    while (changed := adapted(profile, "temperature and stream_options")) is not None:
        profile, changes = changed, changes + 1
    assert changes == 2
