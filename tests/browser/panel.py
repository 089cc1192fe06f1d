"""The panel by roles and names, as a reader or a screen reader finds it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

PATIENCE = 60_000
"""Milliseconds for Python to start on a busy machine."""


AT_REST = """element => new Promise(resolve => {
  let still = 0, top = NaN, since = 0
  const look = now => {
    still = element.scrollTop === top ? still + 1 : 0
    if (still === 0) since = now
    top = element.scrollTop
    if (still > 20 && now - since > 400) resolve(top)
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})"""


def until(page: Page, holds: Callable[[], bool]) -> None:
    """Wait until something holds on this side, while the page goes on."""
    for _ in range(PATIENCE // 50):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("what was waited for never held")


def at_rest(scrolled: Locator) -> float:
    """Wait until nothing scrolls any more, however long the machine takes for it; return where it stands."""
    return float(scrolled.evaluate(AT_REST))


class PanelPage:
    """A page of the site with the panel on it; remembers requests and errors."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def visit(self, path: str = "") -> None:
        """Open a page of the site."""
        self.page.goto(self.site + path)

    def button(self, name: str) -> Locator:
        """A button of the panel."""
        return self.page.locator("ask-book").get_by_role("button", name=name, exact=True)

    @property
    def opener(self) -> Locator:
        """The button that opens the panel."""
        return self.page.get_by_role("button", name="Ask this book")

    @property
    def region(self) -> Locator:
        """The open panel."""
        return self.page.get_by_role("complementary", name="Ask this book").or_(
            self.page.get_by_role("dialog", name="Ask this book")
        )

    @property
    def field(self) -> Locator:
        """Where a question is written."""
        return self.page.get_by_role("textbox", name="Your question")

    @property
    def log(self) -> Locator:
        """The conversation."""
        return self.page.get_by_role("log", name="Conversation")

    @property
    def status(self) -> Locator:
        """The status line."""
        return self.page.locator("ask-book").get_by_role("status")

    @property
    def answers(self) -> Locator:
        """Every answer."""
        return self.log.get_by_role("article")

    @property
    def answer(self) -> Locator:
        """The last answer."""
        return self.answers.last

    def open(self) -> None:
        """Press the button, and wait until all of the panel is there."""
        self.opener.click()
        expect(self.button("Settings")).to_be_visible(timeout=30_000)
        expect(self.field).to_be_focused()

    def ask(self, question: str) -> None:
        """Type a question and press Enter."""
        self.field.fill(question)
        self.field.press("Enter")

    def wait_growing(self) -> None:
        """Wait until the last answer shows its growing end."""
        last = "document.querySelector('ask-book').shadowRoot.querySelector('.turn:last-child .open-end')"
        self.page.wait_for_function(last, timeout=60_000)

    def wait(self, state: str = "completed", *, patience: int = PATIENCE) -> Locator:
        """Wait until the last answer is in a state; return it."""
        expect(self.answer).to_have_attribute("data-state", state, timeout=patience)
        return self.answer

    def add_model(self, endpoint: str, *, key: str = "sk-test-1234", model: str = "scripted") -> None:
        """Save a model under Settings and go back to the conversation."""
        self.button("Settings").click()
        self.page.get_by_label("Provider", exact=True).select_option("generic")
        self.page.get_by_label("Endpoint", exact=True).fill(endpoint)
        if key:
            self.page.get_by_label("API key", exact=True).fill(key)
        self.page.get_by_label("Model", exact=True).fill(model)
        self.button("Save").click()
        expect(self.status).to_have_text("Saved.")
        self.button("Back").click()
