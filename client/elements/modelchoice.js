/** Which model answers, chosen where one types: saved models, the book alone, or one more. */
import { h } from "./dom.js"
import { nameOf } from "./presets.js"

/**
 * @param {import("./words.js").Words} words
 * @param {import("./choices.js").ChoiceStore} store
 * @param {() => void} add opens the settings
 */
export function modelChoice(words, store, add) {
  const select = h("select", { class: "model-choice", "aria-label": words.answersFrom })
  const draw = () => {
    const { models, chosen } = store.value
    select.replaceChildren(h("option", { value: "" }, words.noModel), ...models.map((model) => h("option", { value: model.id }, nameOf(model))), h("option", { value: "+" }, words.addModel))
    select.value = chosen
  }
  select.addEventListener("change", () => {
    if (select.value !== "+") return store.set({ chosen: select.value })
    draw()
    add()
  })
  store.listen(draw)
  draw()
  return select
}
