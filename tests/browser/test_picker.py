"""After an @ a chapter is picked, by keys or by pointer, and the question is asked in that chapter alone, also the next time."""

from __future__ import annotations

import re

import pytest
from panel import PanelPage
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.browser


def options(panel: PanelPage) -> Locator:
    """The chapters that are offered."""
    return panel.page.get_by_role("listbox", name="Chapters").get_by_role("option")


def sources(panel: PanelPage) -> list[str]:
    """Pages of the sources of the last answer."""
    links = panel.answer.locator(".source a.source-link")
    pages: list[str] = links.evaluate_all("links => links.map(link => new URL(link.href).pathname.split('/').at(-2))")
    return sorted(set(pages))


def test_a_chapter_is_picked_by_keys_and_the_field_names_the_one_that_is_chosen(panel: PanelPage) -> None:
    panel.open()
    panel.field.press_sequentially("@")
    expect(options(panel).first).to_have_attribute("aria-selected", "true", timeout=60_000)
    panel.field.press("ArrowDown")
    chosen = options(panel).nth(1)
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(panel.field).to_have_attribute("aria-activedescendant", str(chosen.get_attribute("id")))
    title = chosen.inner_text()
    panel.field.press("Enter")
    expect(panel.region).to_contain_text(f"In “{title}”")
    expect(options(panel)).to_have_count(0)
    expect(panel.field).to_have_value("")
    expect(panel.field).to_be_focused()
    assert panel.field.get_attribute("aria-activedescendant") is None


def test_the_chapters_go_away_when_the_field_is_left(panel: PanelPage) -> None:
    panel.open()
    panel.field.fill("@")
    expect(panel.page.get_by_role("listbox")).to_be_visible(timeout=60_000)
    panel.page.locator("article p").first.click()
    expect(panel.page.get_by_role("listbox")).to_have_count(0)


def test_what_is_typed_after_the_sign_narrows_the_chapters_and_escape_leaves_it_as_text(panel: PanelPage) -> None:
    panel.open()
    panel.field.press_sequentially("@term")
    expect(options(panel)).to_have_count(1, timeout=60_000)
    panel.field.press("Escape")
    expect(options(panel)).to_have_count(0)
    expect(panel.field).to_have_value("@term")
    expect(panel.region).to_be_visible()


def test_the_answer_comes_from_the_picked_chapter_alone_also_when_asked_again_and_after_a_reload(panel: PanelPage) -> None:
    panel.open()
    panel.ask("postings, idf and PageRank")
    panel.wait()
    assert len(sources(panel)) > 1
    panel.field.press_sequentially("@term")
    options(panel).first.click(timeout=60_000)
    panel.ask("postings, idf and PageRank")
    expect(panel.answers).to_have_count(2)
    panel.wait()
    assert sources(panel) == ["2-term-weights"]
    expect(panel.log).to_contain_text("In “")
    panel.page.reload()
    panel.wait()
    expect(panel.log).to_contain_text("In “", timeout=60_000)
    panel.button("Retry").last.click()
    panel.wait()
    assert sources(panel) == ["2-term-weights"]


def test_a_question_that_is_edited_is_about_its_own_chapter_and_no_other(panel: PanelPage) -> None:
    panel.open()
    panel.ask("postings")
    panel.wait()
    panel.field.press_sequentially("@term")
    options(panel).first.click(timeout=60_000)
    panel.field.press_sequentially("idf")
    panel.field.press("Enter")
    expect(panel.answers).to_have_count(2)
    panel.wait()
    chips = panel.page.locator("ask-book .chip")
    edit = panel.log.get_by_role("button", name="Edit")
    edit.nth(1).click()
    expect(chips).to_have_text(["Edit: idf", re.compile("In “")])
    edit.nth(0).click()
    expect(panel.field).to_have_value("postings")
    expect(chips).to_have_text(["Edit: postings"])
