/** Where a model may be found: what a reader would otherwise have to look up. Names are those of the core's profiles. */

/**
 * @typedef {object} Preset
 * @property {string} id
 * @property {string} title
 * @property {string} endpoint
 * @property {boolean} key whether a key is needed
 */

/** @type {Preset[]} */
export const PRESETS = [
  { id: "openrouter", title: "OpenRouter", endpoint: "https://openrouter.ai/api/v1", key: true },
  { id: "openai", title: "OpenAI", endpoint: "https://api.openai.com/v1", key: true },
  { id: "anthropic", title: "Anthropic", endpoint: "https://api.anthropic.com/v1", key: true },
  { id: "deepseek", title: "DeepSeek", endpoint: "https://api.deepseek.com", key: true },
  { id: "gemini", title: "Gemini", endpoint: "https://generativelanguage.googleapis.com/v1beta/openai", key: true },
  { id: "qwen", title: "Qwen", endpoint: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", key: true },
  { id: "kimi", title: "Kimi", endpoint: "https://api.moonshot.ai/v1", key: true },
  { id: "glm", title: "GLM", endpoint: "https://api.z.ai/api/paas/v4", key: true },
  { id: "mistral", title: "Mistral", endpoint: "https://api.mistral.ai/v1", key: true },
  { id: "groq", title: "Groq", endpoint: "https://api.groq.com/openai/v1", key: true },
  { id: "xai", title: "xAI", endpoint: "https://api.x.ai/v1", key: true },
  { id: "ollama", title: "Ollama", endpoint: "http://localhost:11434/v1", key: false },
  { id: "lmstudio", title: "LM Studio", endpoint: "http://localhost:1234/v1", key: false },
  { id: "llamacpp", title: "llama.cpp", endpoint: "http://localhost:8080/v1", key: false },
  { id: "vllm", title: "vLLM", endpoint: "http://localhost:8000/v1", key: false },
  { id: "azure", title: "Azure OpenAI", endpoint: "", key: true },
  { id: "generic", title: "OpenAI-compatible", endpoint: "", key: false },
]

/** @param {string} id */
export const preset = (id) => PRESETS.find((known) => known.id === id) ?? PRESETS[PRESETS.length - 1]

/**
 * The origin a key belongs to; empty for what is no address of a server.
 * @param {string} endpoint
 */
export function originOf(endpoint) {
  try {
    const url = new URL(endpoint)
    return url.protocol === "https:" || url.protocol === "http:" ? url.origin : ""
  } catch {
    return ""
  }
}

/** Whether an address is on the reader's own computer. @param {string} endpoint */
export function isLocal(endpoint) {
  const host = originOf(endpoint) && new URL(endpoint).hostname
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)
}

/** The permission to reach the reader's own computer, by its name in today's browsers and in those of the year before. */
const LOOPBACK = ["loopback-network", "local-network-access"]

/** @returns {Promise<"" | "denied" | "insecure">} what keeps this page from a server on the reader's own computer, as far as the browser says */
export async function loopbackBarred() {
  if (!isSecureContext) return "insecure"
  for (const name of LOOPBACK) {
    const found = await navigator.permissions?.query({ name: /** @type {any} */ (name) }).catch(() => null)
    if (found) return found.state === "denied" ? "denied" : ""
  }
  return ""
}

/** @param {import("./choices.js").SavedModel} model how a saved model is called in a list */
export function nameOf(model) {
  const host = originOf(model.endpoint).replace(/^https?:\/\//, "")
  return model.model ? `${model.model} (${preset(model.provider).id === "generic" ? host : preset(model.provider).title})` : host
}
