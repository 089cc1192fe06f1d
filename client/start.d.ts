import type { Site } from "./protocol.js"

/** Written by the build beside `main.js`: what of `site.js` a closed panel has to know. */
export const site: Pick<Site, "options" | "runtime">
