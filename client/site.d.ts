import type { Site } from "./protocol.js"

/** Written by the build beside `main.js`. */
export const site: Site
