"""A model that computes: the reader is asked once, the program runs shut off, figures are shown, the model gets the text."""

from __future__ import annotations

import json

import pytest
from fakes.endpoint import Endpoint, call, text
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CODE = "print(6 * 7)\nplot([0, 1, 2], [0, 1, 4], title='squares')"


def results(endpoint: Endpoint, request: int) -> list[dict[str, object]]:
    """Results of calls in one request of the model."""
    return [json.loads(message["content"]) for message in endpoint.posts[request].body["messages"] if message["role"] == "tool"]


def test_a_program_runs_after_consent_and_its_figure_is_shown(panel: PanelPage) -> None:
    answers = [call("python_exec", {"code": CODE}), call("python_exec", {"code": "1 / 0"}), text("The answer is 42.")]
    with Endpoint(answers) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is six times seven?")
        expect(panel.log.get_by_role("group", name="The model wants to run this program in your browser.")).to_contain_text(
            "plot(", timeout=60_000
        )
        panel.button("Run programs in this thread").click()
        answer = panel.wait(patience=90_000)
        expect(answer.get_by_role("img", name="Figure drawn by the program")).to_be_visible()
        expect(answer.locator("details[data-tool=python_exec]")).to_have_count(2)
        first, second = results(endpoint, 2)
    assert (first["stdout"], first["truncated"], [figure["type"] for figure in first["figures"]]) == (
        "42\n",
        False,
        ["image/svg+xml"],
    )  # type: ignore[attr-defined]
    assert str(second["error"]).endswith("ZeroDivisionError: division by zero")
    assert panel.errors == []


def test_a_reader_who_declines_is_obeyed_and_the_model_told(panel: PanelPage) -> None:
    with Endpoint([call("python_exec", {"code": CODE}), text("I did not compute.")]) as endpoint:
        panel.open()
        panel.add_model(endpoint.url)
        panel.ask("What is six times seven?")
        panel.button("Do not run").click(timeout=60_000)
        panel.wait()
        (told,) = results(endpoint, 1)
    assert told["error"] == "the reader did not allow Python to run; answer without it"
    assert panel.page.query_selector("iframe[title=Python]") is None
