# Everything a person does here. A bare machine needs only make and Python 3.11 or newer with its venv module:
# the targets fetch the rest, once, and again when pyproject.toml changes.

PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
INSTALLED := .venv/.installed
DEV := .venv/.dev
APT := $(if $(filter-out 0,$(shell id -u)),sudo )apt-get

.DEFAULT_GOAL := help
.PHONY: help demo test check lint format torture bench clean chromium

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(INSTALLED) ## a table with a simulated reader, on this machine (ARGS='…' goes to the command)
	@$(BIN)/dealer-assist demo $(ARGS)

test: $(DEV) chromium ## every test but the long ones (ARGS='-k …' goes to pytest)
	$(call pytest,not clock,--numprocesses 2 --dist loadfile)
	$(call pytest,clock)

check: lint test ## all that must hold before a commit: lint, then test

lint: $(DEV) ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## format the code and mend what can be mended
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

torture: $(DEV) ## the long searches for a counter-example
	$(BIN)/python -m pytest -m torture --hypothesis-profile torture --timeout 3600 $(ARGS)

bench: $(DEV) chromium ## measure against the targets, and beside the field's other programs
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m tests.bench $(ARGS)

clean: ## remove the environment, caches and built files
	rm -rf .venv .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The tests of a kind, and how they are run; that a choice of ARGS leaves none of a kind (status 5) is no failure.
define pytest
	$(BIN)/python -m pytest -m "$(1) and not torture and not bench" $(2) $(ARGS)$(if $(ARGS), || [ $$? -eq 5 ])
endef

# A check, Debian's packages, and what to do where apt-get can't help. Silent where the check holds.
define need
	@{ $(1); } >/dev/null 2>&1 || { $(APT) update && $(APT) install -y --no-install-recommends $(strip $(2)) && { $(1); } >/dev/null; } \
	|| { echo; echo "$(strip $(3))"; exit 1; } >&2
endef

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	|| { echo "Python 3.11 or newer is needed. Name one: make PYTHON=python3.12 …" >&2; exit 1; }
	$(call need,$(PYTHON) -c 'import ensurepip$(comma) venv',python3-venv,\
	$(PYTHON) lacks its venv module. Install it (Debian: apt-get install python3-venv) and try again.)
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(DEV): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

chromium:
	$(call need,test -x "$$CHROMIUM" || command -v chromium || command -v chromium-browser || command -v google-chrome,\
	chromium,No Chromium was found. Install it (Debian: apt-get install chromium) or name one: CHROMIUM=/path make test)

comma := ,
