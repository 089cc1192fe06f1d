"""`askbook doctor`: what is installed, what a project or a published site lacks, and what an endpoint can do."""

from __future__ import annotations

import asyncio
import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

import click

from askbook.core.errors import BookError
from askbook.core.probe import Probe, cost
from askbook.core.profiles import BY_NAME, find_profile
from askbook.core.providers.base import Endpoint

from .ask import KEY
from .findings import Finding, lines
from .http import HttpTransport, SystemClock
from .policy import origin
from .sitecheck import published


@click.command("doctor")
@click.argument("site", required=False)
@click.option("--endpoint", metavar="URL", help="Also try this endpoint, with the key from ASKBOOK_API_KEY.")
@click.option("--model", metavar="M", default="", help="Model to try there.")
@click.option("--provider", metavar="P", type=click.Choice(sorted(BY_NAME)), help="Provider, where the address does not tell.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array of findings.")
def command(site: str | None, *, endpoint: str | None, model: str, provider: str | None, as_json: bool) -> None:
    """Look for what could keep the assistant from working.

    SITE is the address of a published site or the folder of a built one; without it, the MkDocs project in this folder is
    looked at. Exit code 1 if something is wrong.
    """
    findings = [*installation(), *(published(site, endpoint or "") if site else project(Path()))]
    if endpoint:
        click.echo(f"Trying {endpoint}: {cost()}", err=True)
        findings += endpoint_findings(_endpoint(endpoint, model, provider or ""), origin=_origin_of(site))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for line in lines(findings):
            click.echo(line)
    if any(finding.verdict == "wrong" for finding in findings):
        raise SystemExit(1)


def installation() -> Iterator[Finding]:
    """What is installed here."""
    yield Finding("askbook", _version("askbook"))
    yield Finding("Python", platform.python_version())
    for name in ("mkdocs", "properdocs", "mkdocs-material", "pymdown-extensions", "mcp"):
        if found := _version(name):
            yield Finding(name, found)
    manifest = Path(str(files("askbook.client"))) / "vendor/runtime.json"
    if manifest.is_file():
        runtime = json.loads(manifest.read_text(encoding="utf-8"))["pyodide"]["version"]
        yield Finding("runtime", f"Pyodide {runtime}, part of this installation")
    else:
        remedy = "install askbook from its wheel, or run 'npm ci' and 'node client/pack/pack.mjs' in the checkout"
        yield Finding("runtime", "not part of this installation: sites have no Python in the browser", "wrong", remedy)


def project(folder: Path) -> Iterator[Finding]:
    """What the MkDocs project in a folder says."""
    from askbook.site_plugin.project import CONFIG_NAMES, project_facts

    file = next((folder / name for name in CONFIG_NAMES if (folder / name).is_file()), None)
    if file is None:
        yield Finding("project", "no mkdocs.yml in this folder", "note")
        return
    try:
        facts = project_facts(file)
    except BookError as wrong:
        yield Finding("project", str(wrong), "wrong", "mend mkdocs.yml; 'mkdocs build' says the same")
        return
    yield Finding("project", f"{facts.name} ({file})")
    yield Finding("theme", facts.theme)
    if facts.assistant:
        yield Finding("plugin", "askbook is among the plugins")
    else:
        yield Finding("plugin", "askbook is not among the plugins", "wrong", "add '- askbook' under 'plugins:' in mkdocs.yml")
    if facts.address:
        yield Finding("base address", urlsplit(facts.address).path or "/")
    else:
        yield Finding(
            "base address",
            "unknown: site_url is not set",
            "note",
            "set site_url, so that pages for wrong addresses find the assistant",
        )


def endpoint_findings(endpoint: Endpoint, *, origin: str) -> list[Finding]:
    """What an endpoint can do, found with a few tiny requests; `origin` is the site that wants to ask it from a browser."""
    return asyncio.run(_probe(endpoint, origin))


async def _probe(endpoint: Endpoint, origin: str) -> list[Finding]:
    transport = HttpTransport()
    probe = Probe(endpoint, transport=transport, clock=SystemClock(), origin=origin)
    try:
        found = [Finding(step.name, step.text, step.verdict, step.remedy) async for step in probe.run()]
    finally:
        await transport.close()
    return found


def _endpoint(url: str, model: str, provider: str) -> Endpoint:
    return Endpoint(url, model, os.environ.get(KEY, "").strip(), find_profile(provider, url))


def _origin_of(site: str | None) -> str:
    """Scheme, host and port of a published site; empty for a folder."""
    return origin(site) if site and site.startswith(("http://", "https://")) else ""


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
