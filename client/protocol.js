/**
 * Every message between the page and the worker, both ways. Large or frequent payloads travel as JSON text: the worker has it
 * from Python as text, and text is the cheapest thing to post.
 */

/**
 * @typedef {"offline" | "network" | "stalled" | "no-worker" | "no-wasm" | "wasm-blocked" | "wasm-broken" | "runtime-missing" | "runtime-broken" | "core-broken" | "died"} StartFault
 * @typedef {"missing" | "broken" | "network" | "offline"} BookFault
 * @typedef {"runtime" | "python" | "book" | "ready"} Step
 * @typedef {{step: Step, loaded: number, total: number}} Progress bytes so far and in all; total 0 where unknown
 */

/**
 * A book of the site as `site.js` lists it; `hash` is the one its index of the same build names itself by.
 * @typedef {{col: string, book: string, title: string, lang: string, index: string, hash?: string, folder?: string}} SiteBook `folder` from the site's root, with a slash behind it, where a site has several books
 */

/**
 * What the build tells the page.
 * @typedef {object} Site
 * @property {string} root from this package's folder to the site's root: `../../`
 * @property {SiteBook[]} books
 * @property {Record<string, unknown>} [features]
 * @property {SiteOptions} [options]
 * @property {string} [runtime] folder with `runtime.json`, relative to this package, or an address; empty for none
 * @property {string} [version]
 * @property {string} [first] the largest file of the runtime, relative to its folder; known to a closed page alone
 */

/**
 * What an author may choose.
 * @typedef {object} SiteOptions
 * @property {string} [shortcut] as in `aria-keyshortcuts`; empty switches it off
 * @property {string} [lang] of the panel; absent follows the page
 * @property {string[]} [questions] shown in an empty conversation
 * @property {string} [endpoint] proposed in an empty form
 * @property {string} [model]
 * @property {string} [provider]
 * @property {"auto" | "docked" | "floating"} [place]
 * @property {{enabled?: boolean, packages?: Record<string, string[]>}} [python] whether a model may run Python, and the archives of its packages
 * @property {boolean} [webmcp] whether the tools are offered to the browser's own agent
 */

/**
 * What is asked, with all that the answer depends on.
 * @typedef {object} Question
 * @property {string} question
 * @property {"retrieve" | "discussion"} mode
 * @property {Model | null} model null answers with the book's own sentences
 * @property {string[]} books names `<col>-<book>` to search, in order
 * @property {unknown[]} history messages of the thread so far, as JSON values of the core
 * @property {unknown[]} sources numbered sources of the thread so far, as JSON values of the core
 * @property {PageContext} page what the reader looks at when sending
 * @property {string} lang of the panel
 * @property {number} passages
 * @property {number} contextLimit characters; 0 none
 * @property {number} answerLimit model tokens
 * @property {number} temperature
 * @property {string} [selection] text the question is about
 * @property {string} [chapter] address of the chapter to stay in
 * @property {string} [prefix] of the ids of the answer's source cards
 * @property {string[] | null} [python] packages a program may import; null where none may run
 * @property {"yes" | "no"} [long] what the reader said to the estimate of a long job
 * @property {boolean} [continues] go on with the cut answer that ends `history`
 * @property {string[]} [begun] the texts of that answer; what comes is joined to the last of them
 */

/** How a model is asked: with tools of its own, by the text protocol, or with passages gathered beforehand. @typedef {"native" | "react" | "gather"} Protocol */
/**
 * What the test of a model found.
 * @typedef {object} Finding
 * @property {boolean} ok
 * @property {string} fault of the core; empty where it works
 * @property {string} message the endpoint's own words
 * @property {{streaming: boolean, usage: boolean, reasoning: boolean, tools: boolean, parallel: boolean, protocol: Protocol, models: string[]}} capabilities
 * @property {{name: string, verdict: "ok" | "note" | "wrong", text: string, remedy: string}[]} steps
 */
/**
 * Where a model answers; the key is not part of it, the worker has it by origin.
 * @typedef {{provider: string, endpoint: string, model: string, protocol?: Protocol}} Model
 * @typedef {{url: string, title: string, lang: string}} PageContext
 */

/**
 * @typedef {{kind: "start", runtime: string, site: string, books: {name: string, url: string}[], snapshot: boolean}} Start
 * @typedef {{kind: "prepare", runtime: string, manifest?: import("./worker/boot.js").Manifest, first?: import("./worker/boot.js").First}}
 *   Prepare comes before `start`: only fetch
 * @typedef {{kind: "ask", id: string, question: Question}} Ask
 * @typedef {{kind: "stop", id: string}} Stop
 * @typedef {{kind: "key", origin: string, key: string}} Key an empty key forgets
 * @typedef {{kind: "call", id: string, name: CallName, argument: string}} Call argument is JSON
 * @typedef {"models" | "test" | "draw" | "outline" | "search" | "tool" | "recording"} CallName
 * @typedef {{kind: "ran", id: string, json: string}} Ran how a program ended, JSON of `Run`
 * @typedef {{kind: "prompted", id: string, status?: number, text?: string, done?: boolean, finish?: string}} Prompted what the browser's
 *   own model says; a status other than 200 refuses
 * @typedef {Start | Prepare | Ask | Stop | Key | Call | Ran | Prompted} ToWorker
 */

/**
 * @typedef {{kind: "progress"} & Progress} ProgressNews
 * @typedef {{kind: "book", name: string, info: string, fault: BookFault | "", detail: string}} BookNews info is JSON of `BookInfo`
 * @typedef {{name: string, col: string, book: string, title: string, lang: string, hash: string, cards: number}} BookInfo
 * @typedef {{kind: "ready", milliseconds: number, tier: Tier}} Ready
 * @typedef {"compiled" | "snapshot" | "keywords"} Tier how Python was started, or what stands in for it
 * @typedef {{kind: "limited", fault: StartFault, detail: string}} Limited Python cannot run here: keywords are searched without it
 * @typedef {{kind: "failed", fault: StartFault, detail: string}} Failed
 * @typedef {{kind: "frame", id: string, json: string}} Frame JSON of `FrameContent`
 * @typedef {{events: any[], patches: Patch[]}} FrameContent
 * @typedef {{part: number, block: number, html?: string, at?: number[], text?: string}} Patch `html` is what the block holds from now on, or from
 *   the place `at` on (see `graft`); `text` goes on at its end
 * @typedef {{kind: "reply", id: string, json: string, error: string}} Reply
 * @typedef {{kind: "python", id: string, code: string, input: string}} PythonNews a program to run, with JSON as its input
 * @typedef {{kind: "prompt", id: string, body: string}} Prompt a request to the browser's own model, in the form of OpenAI
 * @typedef {{kind: "unprompt", id: string}} Unprompt nobody waits for the answer any more
 * @typedef {ProgressNews | BookNews | Ready | Failed | Limited | Frame | Reply | PythonNews | Prompt | Unprompt} FromWorker
 */

/**
 * What the page hands into the sandbox of Python, and what it hears from it.
 * @typedef {object} Program
 * @property {MessagePort} port where news go
 * @property {{loader: ArrayBuffer, module: ArrayBuffer, wasm: ArrayBuffer, stdlib: ArrayBuffer, app: ArrayBuffer}} files
 * @property {Record<string, unknown>} info of the lock file
 * @property {ArrayBuffer[]} packages archives of Python packages, and of bytecode an earlier run made of them
 * @property {string[]} names of the packages the program imports
 * @property {string} code
 * @property {string} input JSON
 * @property {{memory: number, file: number, characters: number}} limits
 *
 * @typedef {{kind: "compiled", bytes: Uint8Array}} Compiled bytecode of the packages, made before the program was seen
 * @typedef {{kind: "started"}} Started
 * @typedef {{kind: "out", text: string}} Out
 * @typedef {{kind: "ended", json: string}} Ended JSON of what `execute` returns
 * @typedef {{kind: "broke", detail: string}} Broke Python did not start or did not survive
 * @typedef {Compiled | Started | Out | Ended | Broke} News
 */

/** Address that stands for the browser's own model; a reserved name, so that no request to it can ever leave. */
export const OWN_MODEL = "https://browser-model.invalid"

/**
 * The name a book's index file has.
 * @param {{col: string, book: string}} book
 */
export const bookName = ({ col, book }) => `${col}-${book}`
