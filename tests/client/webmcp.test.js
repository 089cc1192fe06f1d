import assert from "node:assert/strict"
import { test } from "node:test"
import { offerTools, toolOf } from "../../client/elements/webmcp.js"

test("a tool is read-only, its content untrusted, its result the JSON of the call", async () => {
  const asked = []
  const tool = toolOf({ name: "book_ref", description: "Resolve", parameters: { type: "object" } }, async (name, given) => {
    asked.push([name, given])
    return { found: false, label: "定理 1" }
  })
  const { execute, ...told } = tool
  assert.deepEqual(told, {
    name: "book_ref",
    description: "Resolve",
    inputSchema: { type: "object" },
    annotations: { readOnlyHint: true, untrustedContentHint: true },
  })
  assert.deepEqual(await execute({ name: "x" }), { content: [{ type: "text", text: '{"found":false,"label":"定理 1"}' }] })
  assert.deepEqual(asked, [["book_ref", { name: "x" }]])
})

test("tools are taken back where the assistant goes, also by browsers with a word for it, and not offered once it is gone", async () => {
  const schemas = ["book_ref", "book_toc"].map((name) => ({ name, description: "", parameters: {} }))
  globalThis.fetch = async () => Response.json(schemas)
  const tools = new Set()
  const context = { registerTool: ({ name }) => tools.add(name), unregisterTool: (name) => void tools.delete(name) }
  const here = new AbortController()
  await offerTools(context, "https://example.org/", async () => null, here.signal)
  assert.deepEqual([...tools], ["book_ref", "book_toc"])
  here.abort()
  await offerTools(context, "https://example.org/", async () => null, here.signal)
  assert.deepEqual([...tools], [])
})
