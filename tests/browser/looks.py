"""axe at the panel, state by state."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from fakes.endpoint import Endpoint, call, fault, text
from panel import PanelPage
from playwright.sync_api import Page

OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


def violations(page: Page) -> set[tuple[str, str]]:
    """Rule and place of everything axe objects to."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return {(rule["id"], str(node["target"])) for rule in found for node in rule["nodes"]}


class Looks:
    """A page that axe looks at state by state; remembers what the panel adds to what the page alone has."""

    def __init__(self, page: Page, site: str, path: str = "") -> None:
        self.panel = PanelPage(page, site)
        page.route("**/assets/askbook/main.js", lambda route: route.abort())
        self.panel.visit(path)
        self._bare = {rule for rule, _ in violations(page)}
        page.unroute("**/assets/askbook/main.js")
        self.panel.visit(path)
        self.found: dict[str, set[tuple[str, str]]] = {}

    def __call__(self, state: str) -> None:
        """Let axe look."""
        new = {(rule, place) for rule, place in violations(self.panel.page) if "ask-book" in place or rule not in self._bare}
        if new:
            self.found[state] = new

    def at_answers(self, question: str, answer: str) -> None:
        """Look at an answer, at one that grows, and at one that failed."""
        panel = self.panel
        grows = text("word " * 1200, delay=0.03)
        with Endpoint([call("book_retrieve", {"question": question}), text(answer), grows, fault(401, "no")]) as endpoint:
            panel.add_model(endpoint.url)
            panel.ask(question)
            panel.wait()
            self("answered")
            panel.ask("And more?")
            panel.wait_growing()
            self("streaming")
            panel.button("Stop").click()
            panel.wait("aborted")
            panel.ask("And then?")
            panel.wait("error")
            self("error")
