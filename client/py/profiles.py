"""What is particular about a provider or model family, as data: adapters read it, nobody asks for a vendor's name.

A new OpenAI-compatible vendor is one entry here and one recorded stream in `tests/golden/streams/`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Profile:
    """Facts about one provider."""

    name: str = "openai"
    title: str = "OpenAI"
    wire: Literal["openai", "anthropic"] = "openai"
    base: str = ""
    """Usual base address; empty where every reader has their own."""
    hosts: tuple[str, ...] = ()
    """Host names (or their endings after a dot, or `:port`) by which an address is known to be theirs."""
    needs_key: bool = True
    reasoning_back: Literal["never", "calls", "always"] = "never"
    """Which assistant messages have to carry `reasoning_content` back."""
    reasoning_details_back: bool = False
    """OpenRouter: `reasoning_details` go back unread."""
    extra_content_back: bool = False
    """Gemini: `extra_content` of each call goes back, with a placeholder where it is unknown."""
    limit_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    least_answer_tokens: int = 0
    """Raise a lower answer limit to this: models that think inside it."""
    usage_option: bool = True
    """Whether `stream_options: {"include_usage": true}` is understood."""
    tool_choice: bool = True
    """Whether `tool_choice: "none"` may be sent; "auto" never has to be."""
    tool_stream: bool = False
    """GLM streams arguments only when asked."""
    temperature: bool = True
    stop_limit: int = 4
    cors: Literal["yes", "no", "asks", "unknown"] = "yes"
    """What a browser gets: `asks` means that the server has to be told the site's origin."""
    remedy: str = ""
    """What to do when the browser is refused; `{origin}` is the site."""


OPENAI: Final = Profile(base="https://api.openai.com/v1", hosts=("api.openai.com",), limit_field="max_completion_tokens")
GENERIC: Final = Profile(
    "generic", "OpenAI-compatible", cors="unknown", remedy="Allow the origin {origin} on the server, or put a gateway in front."
)
LOCAL: Final = replace(GENERIC, needs_key=False, cors="asks")

PROFILES: Final[tuple[Profile, ...]] = (
    OPENAI,
    Profile("anthropic", "Anthropic", "anthropic", "https://api.anthropic.com/v1", ("api.anthropic.com",),
            remedy="The organisation may forbid browser access: allow it in the Anthropic console, or use another provider."),
    Profile("deepseek", "DeepSeek", base="https://api.deepseek.com", hosts=("api.deepseek.com",), reasoning_back="calls"),
    Profile("gemini", "Gemini", base="https://generativelanguage.googleapis.com/v1beta/openai",
            hosts=("generativelanguage.googleapis.com",), extra_content_back=True, least_answer_tokens=16_384),
    Profile("qwen", "Qwen", base="https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
            hosts=("dashscope-intl.aliyuncs.com", "dashscope.aliyuncs.com"),
            remedy="Use the international address dashscope-intl.aliyuncs.com, or a gateway."),
    Profile("kimi", "Kimi", base="https://api.moonshot.ai/v1", hosts=("api.moonshot.ai", "api.moonshot.cn"),
            reasoning_back="calls"),
    Profile("glm", "GLM", base="https://api.z.ai/api/paas/v4", hosts=("api.z.ai", "open.bigmodel.cn"), reasoning_back="calls",
            usage_option=False, tool_choice=False, tool_stream=True),
    Profile("mistral", "Mistral", base="https://api.mistral.ai/v1", hosts=("api.mistral.ai",), usage_option=False),
    Profile("groq", "Groq", base="https://api.groq.com/openai/v1", hosts=("api.groq.com",)),
    Profile("openrouter", "OpenRouter", base="https://openrouter.ai/api/v1", hosts=("openrouter.ai",),
            reasoning_details_back=True),
    Profile("azure", "Azure OpenAI", hosts=("openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"),
            limit_field="max_completion_tokens", cors="unknown",
            remedy="Put a gateway that allows {origin} in front of the resource."),
    Profile("xai", "xAI", base="https://api.x.ai/v1", hosts=("api.x.ai",)),
    replace(LOCAL, name="ollama", title="Ollama", base="http://localhost:11434/v1", hosts=(":11434",),
            remedy="Start Ollama with OLLAMA_ORIGINS={origin} in its environment."),
    replace(LOCAL, name="lmstudio", title="LM Studio", base="http://localhost:1234/v1", hosts=(":1234",),
            remedy="Turn on “Enable CORS” in LM Studio's server settings (or start it with: lms server start --cors)."),
    replace(LOCAL, name="llamacpp", title="llama.cpp", base="http://localhost:8080/v1", hosts=(":8080",), cors="yes",
            remedy="llama-server allows every origin by itself; check that it runs and has loaded its model."),
    replace(LOCAL, name="vllm", title="vLLM", base="http://localhost:8000/v1", hosts=(":8000",),
            remedy="Start vLLM with --allowed-origins '[\"{origin}\"]'."),
    GENERIC,
)  # fmt: skip
BY_NAME: Final = {profile.name: profile for profile in PROFILES}


def adapted(profile: Profile, complaint: str) -> Profile | None:
    """Change what an endpoint complains about: a field it does not know; None where nothing can be changed."""
    said = complaint.lower()
    if "max_completion_tokens" in said and profile.limit_field == "max_tokens":
        return replace(profile, limit_field="max_completion_tokens")
    if "max_completion_tokens" in said or ("max_tokens" in said and profile.limit_field == "max_completion_tokens"):
        return replace(profile, limit_field="max_tokens")
    if "temperature" in said and profile.temperature:
        return replace(profile, temperature=False)
    if "stream_options" in said and profile.usage_option:
        return replace(profile, usage_option=False)
    if "tool_stream" in said and profile.tool_stream:
        return replace(profile, tool_stream=False)
    return None


def find_profile(name: str, url: str) -> Profile:
    """Return the profile with this name, else the one the address belongs to, else the generic one."""
    if name:
        return BY_NAME.get(name, GENERIC)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", f":{parts.port}"
    except ValueError:
        return GENERIC
    for profile in PROFILES:
        if any(
            port == known if known.startswith(":") else host == known or host.endswith("." + known) for known in profile.hosts
        ):
            return profile
    return GENERIC
