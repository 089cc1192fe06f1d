/**
 * The book tools for the browser's own agent, where it has one (`document.modelContext`, a draft): what they take comes from the
 * same code as everywhere, what they do is done in the worker, which starts at the first call.
 */

/**
 * @typedef {{name: string, description: string, parameters: object}} ToolSchema
 * @typedef {{registerTool(tool: object): unknown}} ModelContext
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
 * Registers every tool.
 * @param {ModelContext} context
 * @param {string} runtime address of the folder with `tools.json`
 * @param {(name: string, given: object) => Promise<any>} call
 */
export async function offerTools(context, runtime, call) {
  const response = await fetch(new URL("tools.json", runtime))
  if (!response.ok) return
  for (const schema of await response.json()) context.registerTool(toolOf(schema, call))
}

/** Offers what a page's panel can do. @param {ModelContext} context @param {import("../main.js").AskBook} host */
export async function offerPanel(context, host) {
  const { site } = await import("../site.js")
  await offerTools(context, new URL(site.runtime ?? "", new URL("../", import.meta.url)).href, async (name, given) => (await host.panel()).connection.call("tool", { name, arguments: given }))
}
