import { arrive, jump } from "/client/elements/jump.js"

/** What is set off on the page. */
const setOff = () => [...(CSS.highlights.get("askbook-sentence") ?? [])].map((range) => String(range))
Object.assign(window, { jump, arrived: arrive(), setOff })
