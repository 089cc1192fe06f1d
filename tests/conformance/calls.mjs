/**
 * Lists and calls with an official client, and prints what it got as JSON:
 *
 *     node calls.mjs sdk|client stdio COMMAND ARGUMENT… < calls.json
 *     node calls.mjs sdk|client http ADDRESS < calls.json
 *
 * `sdk` is the client of the handshake protocols, `client` the one that needs no session.
 */
import { readFileSync } from "node:fs"

const [kind, wire, where, ...rest] = process.argv.slice(2)
const calls = JSON.parse(readFileSync(0, "utf8"))
const warnings = []
process.on("warning", (warning) => warnings.push(String(warning)))
for (const name of ["warn", "error"]) console[name] = (...text) => warnings.push(text.join(" "))

/** @returns the client and transport classes of the package asked for */
async function classes() {
  if (kind === "client") {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
    return { Client, StreamableHTTPClientTransport, StdioClientTransport }
  }
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js")
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js")
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js")
  return { Client, StreamableHTTPClientTransport, StdioClientTransport }
}

const { Client, StreamableHTTPClientTransport, StdioClientTransport } = await classes()
const transport =
  wire === "http"
    ? new StreamableHTTPClientTransport(new URL(where))
    : new StdioClientTransport({ command: where, args: rest, env: process.env, stderr: "ignore" })
const client = new Client({ name: "askbook-tests", version: "1" }, { versionNegotiation: { mode: "auto" } })
client.onerror = (error) => warnings.push(String(error))
await client.connect(transport)

const { tools } = await client.listTools()
const results = []
for (const [name, given] of calls) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
  results.push({ text: content[0].text, structured: structuredContent, error: isError ?? false })
}
const { resources } = await client.listResources()
const { contents } = await client.readResource({ uri: resources[0].uri })
const { prompts } = await client.listPrompts()
await client.close()
console.log(
  JSON.stringify({ tools: tools.map(({ name }) => name), results, resources: resources.length, first: contents[0].text, prompts: prompts.length, warnings }),
)
