import type { Site } from "./protocol.js"

/** Written by the build into `main.js`: what of `site.js` a closed panel has to know. */
export const site: Pick<Site, "options" | "runtime" | "first"> & { root?: string }
