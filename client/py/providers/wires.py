"""Which provider module speaks an endpoint's wire format."""

from __future__ import annotations

from askbook.core.profiles import Profile
from askbook.core.providers import anthropic, openai
from askbook.core.providers.base import Wire


def wire_of(profile: Profile) -> Wire:
    """Return the module that writes requests to this endpoint and reads its answers."""
    return anthropic if profile.wire == "anthropic" else openai
