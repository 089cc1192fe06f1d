/**
 * The book tools for the browser's own agent, where it has one (`document.modelContext`, a draft): what they take comes from the
 * same code as everywhere, what they do is done in the worker, which starts at the first call.
 */

/**
 * @typedef {{name: string, description: string, parameters: object}} ToolSchema
 * @typedef {{registerTool(tool: object, options: {signal: AbortSignal}): unknown, unregisterTool?: (name: string) => void}} ModelContext
 */

/**
 * A tool as `registerTool` takes it.
 * @param {ToolSchema} schema
 * @param {(name: string, given: object) => Promise<any>} call
 */
export function toolOf({ name, description, parameters }, call) {
  return {
    name,
    description,
    inputSchema: parameters,
    annotations: { readOnlyHint: true, untrustedContentHint: true },
    /** @param {object} given */
    execute: async (given) => ({ content: [{ type: "text", text: JSON.stringify(await call(name, given ?? {})) }] }),
  }
}

/**
 * Registers every tool, for as long as the assistant is on the page.
 * @param {ModelContext} context
 * @param {string} runtime address of the folder with `tools.json`
 * @param {(name: string, given: object) => Promise<any>} call
 * @param {AbortSignal} gone ends it; drafts of before had another word for that
 */
export async function offerTools(context, runtime, call, gone) {
  const response = await fetch(new URL("tools.json", runtime))
  if (!response.ok) return
  /** @type {ToolSchema[]} */
  const schemas = await response.json()
  if (gone.aborted) return
  for (const schema of schemas) context.registerTool(toolOf(schema, call), { signal: gone })
  if (context.unregisterTool) gone.addEventListener("abort", () => schemas.forEach(({ name }) => context.unregisterTool?.(name)))
}

/** Offers what a page's panel can do. @param {ModelContext} context @param {import("../main.js").AskBook} host @param {AbortSignal} gone */
export async function offerPanel(context, host, gone) {
  const { site } = await import("../site.js")
  await offerTools(context, new URL(site.runtime ?? "", new URL("../", import.meta.url)).href, async (name, given) => (await host.panel()).connection.call("tool", { name, arguments: given }), gone)
}
