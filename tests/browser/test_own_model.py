"""The browser's own model: found, downloaded only when the reader says so, and answering like any other."""

from __future__ import annotations

import pytest
from panel import PanelPage
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FAKE = """
  const real = globalThis.LanguageModel
  const refuse = (name, why) => { throw new DOMException(why, name) }
  const isText = ({ role, content }) => ["system", "user", "assistant"].includes(role) && typeof content === "string"
  const asked = (globalThis.asked = { created: 0, prompts: [], aborted: 0 })
  globalThis.LanguageModel = {
    availability: async options => {
      asked.availability = options
      await real?.availability(options) // which takes nothing but what it knows
      return globalThis.state ?? "STATE"
    },
    create: async ({ initialPrompts = [], monitor, signal, ...options } = {}) => {
      asked.options = options
      asked.created += 1
      await real?.availability(options)
      const state = globalThis.state ?? "STATE"
      if (state === "unavailable") refuse("NotSupportedError", "no model")
      if (state !== "available" && !navigator.userActivation.isActive) refuse("NotAllowedError", "nobody has pressed anything")
      if (!initialPrompts.every(isText)) throw new TypeError("no prompts")
      if (initialPrompts.slice(1).some(({ role }) => role === "system")) throw new TypeError("the system comes first")
      if (monitor) {
        const target = new EventTarget()
        monitor(target)
        for (const loaded of [0.25, 1]) {
          target.dispatchEvent(new ProgressEvent("downloadprogress", { loaded, total: 1, lengthComputable: true }))
          await new Promise(resolve => setTimeout(resolve, 300))
        }
        globalThis.state = "available"
      }
      return {
        destroy() {},
        promptStreaming: (prompts, { signal }) => new ReadableStream({
          async start(out) {
            if (prompts.some(({ role }) => role === "system")) return out.error(new DOMException("system", "NotSupportedError"))
            if (!prompts.every(isText) || prompts.at(-1)?.role !== "user") return out.error(new TypeError("no prompt"))
            asked.prompts.push([...initialPrompts, ...prompts])
            const words = WORDS
            signal.addEventListener("abort", () => { asked.aborted += 1; out.error(signal.reason) })
            for (const word of words) {
              if (signal.aborted) return
              if (word instanceof Error) return out.error(word)
              out.enqueue(word)
              await new Promise(resolve => setTimeout(resolve, 20))
            }
            out.close()
          },
        }),
      }
    },
  }
"""
ANSWER = '["An inverted index ", "maps every term ", "to its postings list [1]."]'
LONG = "Array.from({ length: 500 }, (_, n) => `word${n} `)"


REAL = """async ([lang, book]) => {
  const { OwnModel } = await import(`${book}assets/askbook/elements/ownmodel.js`)
  const own = new OwnModel(lang, () => {})
  const found = { state: await own.look() }
  for (const part of ["promptStreaming", "destroy"]) found[part] = part in LanguageModel.prototype
  return { ...found, refused: await own.download(() => {}).then(() => "", ({ name }) => name) }
}"""


def with_model(panel: PanelPage, state: str, words: str = ANSWER) -> None:
    """Open the panel in a browser that has a model of its own."""
    panel.page.add_init_script(FAKE.replace("STATE", state).replace("WORDS", words))
    panel.page.reload()
    panel.open()


def choose(panel: PanelPage) -> None:
    """Let the browser's model answer."""
    panel.page.get_by_label("Answers from", exact=True).select_option("The browser's own model")


def test_it_answers_from_the_book_without_a_key_and_nothing_leaves(panel: PanelPage) -> None:
    with_model(panel, "available")
    choose(panel)
    panel.ask("What is an inverted index?")
    answer = panel.wait()
    expect(answer).to_contain_text("An inverted index maps every term to its postings list")
    assert answer.locator("a.cite-ref").get_attribute("data-n") == "1"
    expect(answer.get_by_role("list", name="Sources").get_by_role("link")).not_to_have_count(0)
    prompts = panel.page.evaluate("asked.prompts")
    assert [prompt["role"] for prompt in prompts[0]] == ["system", "user"]
    assert "is a map from every term" in str(prompts)
    own = panel.site.split("/books/")[0]
    assert [url for url in panel.requests if not url.startswith((own, "blob:", "data:"))] == []


def test_the_choice_of_it_stays_and_without_it_the_book_answers_alone(panel: PanelPage) -> None:
    with_model(panel, "available")
    choose(panel)
    panel.page.reload()
    expect(panel.page.get_by_label("Answers from", exact=True)).to_have_value("browser")
    panel.page.evaluate("globalThis.state = 'unavailable'")
    panel.button("Settings").click()
    expect(panel.page.get_by_role("button", name="The browser's own model")).to_be_disabled()
    panel.button("Back").click()
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("These are the book's own sentences")


def test_a_model_is_downloaded_only_when_the_reader_presses_it(panel: PanelPage) -> None:
    with_model(panel, "downloadable")
    expect(panel.page.get_by_label("Answers from", exact=True)).not_to_contain_text("own model")
    panel.ask("What is an inverted index?")
    expect(panel.wait()).to_contain_text("These are the book's own sentences")
    assert panel.page.evaluate("asked.created") == 0
    panel.button("Settings").click()
    rung = panel.page.get_by_role("list", name="Ways to an answer").get_by_role("button", name="The browser's own model")
    expect(rung).to_contain_text("Press to let the browser download it first")
    rung.click()
    expect(rung).to_contain_text("Downloading: 25 %")
    expect(rung).to_contain_text("the browser is setting it up")
    expect(rung).to_contain_text("Ready")
    expect(rung).to_have_attribute("aria-pressed", "true")
    panel.button("Back").click()
    panel.ask("And a postings list?")
    expect(panel.wait()).to_contain_text("An inverted index maps every term")


def test_stopping_it_stops_the_model(panel: PanelPage) -> None:
    with_model(panel, "available", LONG)
    choose(panel)
    panel.ask("What is an inverted index?")
    expect(panel.answer).to_contain_text("word5", timeout=60_000)
    panel.button("Stop").click()
    panel.wait("aborted")
    panel.page.wait_for_function("asked.aborted === 1")


def test_it_goes_on_with_an_answer_that_was_stopped(panel: PanelPage) -> None:
    with_model(panel, "available", LONG)
    choose(panel)
    panel.ask("What is an inverted index?")
    expect(panel.answer).to_contain_text("word5", timeout=60_000)
    panel.button("Stop").click()
    panel.wait("aborted")
    panel.button("Continue").click()
    panel.page.wait_for_function("asked.prompts.length === 2")
    panel.wait()
    assert [prompt["role"] for prompt in panel.page.evaluate("asked.prompts[1]")][-1] == "user"


def test_a_fault_of_it_keeps_what_had_come(panel: PanelPage) -> None:
    with_model(panel, "available", '["An inverted ", "index ", new Error("the model crashed")]')
    choose(panel)
    panel.ask("What is an inverted index?")
    answer = panel.wait("error")
    expect(answer).to_contain_text("An inverted index")
    expect(answer.get_by_role("button", name="Retry")).to_be_visible()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("NotAllowedError", "The endpoint does not allow this request."),
        ("NotSupportedError", "The endpoint did not understand the request."),
        ("QuotaExceededError", "The conversation is too long for this model."),
        ("UnknownError", "The endpoint has a fault of its own."),
    ],
)
def test_a_refusal_of_the_browser_is_one_clear_sentence(panel: PanelPage, name: str, sentence: str) -> None:
    with_model(panel, "available", f'[new DOMException("no", "{name}")]')
    choose(panel)
    panel.ask("What is an inverted index?")
    expect(panel.wait("error")).to_contain_text(sentence)


def test_an_answer_the_browser_withholds_is_said_to_be_incomplete(panel: PanelPage) -> None:
    with_model(panel, "available", '["An inverted ", "index ", new DOMException("filtered", "NotReadableError")]')
    choose(panel)
    panel.ask("What is an inverted index?")
    answer = panel.wait()
    expect(answer).to_contain_text("An inverted index")
    expect(answer).to_contain_text("The provider withheld a part of the answer.")


def test_a_download_that_fails_is_said_and_can_be_tried_again(panel: PanelPage) -> None:
    with_model(panel, "downloadable")
    panel.page.evaluate(
        """() => {
          const { create } = LanguageModel
          LanguageModel.create = async () => {
            LanguageModel.create = create
            throw new DOMException("no network", "NetworkError")
          }
        }"""
    )
    panel.button("Settings").click()
    rung = panel.page.get_by_role("list", name="Ways to an answer").get_by_role("button", name="The browser's own model")
    rung.click()
    expect(rung).to_contain_text("The browser could not download it. Press to try again.")
    rung.click()
    expect(rung).to_contain_text("Ready")


def test_the_model_is_asked_for_in_the_language_of_the_book_and_english(panel: PanelPage) -> None:
    with_model(panel, "available")
    text = {"type": "text", "languages": ["en"]}
    wanted = {"expectedInputs": [text], "expectedOutputs": [text]}
    choose(panel)
    panel.ask("What is an inverted index?")
    panel.wait()
    assert panel.page.evaluate("[asked.availability, asked.options]") == [wanted, wanted]
    panel.visit("zh/1-inverted-index/")
    panel.button("设置").click()
    panel.page.wait_for_function("asked.availability.expectedInputs[0].languages.join() === 'zh,en'")


@pytest.mark.parametrize("lang", ["en", "zh-Hans"])
def test_the_browsers_own_interface_takes_what_it_is_asked(panel: PanelPage, lang: str) -> None:
    if not panel.page.evaluate("'LanguageModel' in globalThis"):
        pytest.skip("this browser has no Prompt API")
    found = panel.page.evaluate(REAL, [lang, panel.site])
    assert found.pop("state") in ("unavailable", "downloadable", "downloading", "available")
    assert found.pop("refused") in ("", "NotSupportedError", "NotAllowedError")  # and never what is said to a wrong argument
    assert found == {"promptStreaming": True, "destroy": True}


def test_the_ways_to_an_answer_stand_in_their_order_and_lead_to_their_forms(panel: PanelPage) -> None:
    panel.open()
    panel.button("Settings").click()
    rungs = panel.page.get_by_role("list", name="Ways to an answer").get_by_role("button")
    expect(rungs).to_have_count(4)
    titles = [rungs.nth(at).locator(".rung-title").inner_text() for at in range(4)]
    assert titles == ["The book alone", "The browser's own model", "A server on your computer", "A provider"]
    expect(rungs.nth(0)).to_have_attribute("aria-pressed", "true")
    rungs.nth(2).click()
    expect(panel.page.get_by_label("Endpoint", exact=True)).to_have_value("http://localhost:11434/v1")
    rungs.nth(3).click()
    expect(panel.page.get_by_label("Endpoint", exact=True)).to_have_value("https://openrouter.ai/api/v1")
