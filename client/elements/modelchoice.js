/** Which model answers, chosen where one types: the book alone, the browser's own, saved ones, or one more. */
import { h } from "./dom.js"
import { nameOf } from "./presets.js"

/**
 * @param {import("./words.js").Words} words
 * @param {import("./choices.js").ChoiceStore} store
 * @param {() => void} add opens the settings
 * @param {import("./ownmodel.js").OwnModel} own
 */
export function modelChoice(words, store, add, own) {
  const select = h("select", { class: "model-choice", "aria-label": words.answersFrom })
  const draw = () => {
    const { models, chosen } = store.value
    select.replaceChildren(h("option", { value: "" }, words.noModel), ...(own.state === "available" ? [h("option", { value: "browser" }, words.browserModel)] : []), ...models.map((model) => h("option", { value: model.id }, nameOf(model))), h("option", { value: "+" }, words.addModel))
    select.value = store.model ? chosen : ""
  }
  select.addEventListener("change", () => {
    if (select.value !== "+") return store.set({ chosen: select.value })
    draw()
    add()
  })
  store.listen(draw)
  draw()
  void own.look().then(draw)
  return select
}
