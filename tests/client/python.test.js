import assert from "node:assert/strict"
import { test } from "node:test"
import { takeFigures } from "../../client/elements/python.js"
import { imported } from "../../client/elements/sandbox.js"

const KNOWN = ["sympy", "numpy"]

test("a program's imports are seen where they stand on a line of their own", () => {
  const programs = ["import sympy", "from sympy.abc import x", "  import os, sympy as s, numpy", "import sympyx", "x = 'import sympy'", "# import sympy", "import os;sympy"]
  assert.deepEqual(programs.map((code) => imported(code, KNOWN)), [["sympy"], ["sympy"], ["sympy", "numpy"], [], [], [], []])
})

const svg = { type: "image/svg+xml", data: "YWJj" }
const png = { type: "image/png", data: "YWI=" }

test("figures find the result that names them", () => {
  const waiting = [[svg], [png, svg]]
  assert.deepEqual(takeFigures(waiting, [{ type: "image/png", bytes: 2 }, { type: "image/svg+xml", bytes: 3 }]), [png, svg])
  assert.deepEqual(waiting, [])
})

test("figures nobody names wait for their own result", () => {
  const waiting = [[svg]]
  assert.deepEqual(takeFigures(waiting, [{ type: "image/png", bytes: 2 }]), [])
  assert.deepEqual(waiting, [[svg]])
})
