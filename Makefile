# `make` lists the verbs. Each does its own set-up: Python 3.11 and make are all it needs.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
JOBS ?= 2
DEMO_MINUTES ?= 5
ARGS ?=

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PYTEST := $(BIN)/python -m pytest
SOURCES := front envs agents training benchmarks tests notebooks examples
LIBRARIES := sb3 torchrl tianshou open_spiel rllib

.DEFAULT_GOAL := help
.PHONY: help install demo test test-slow check test-nojit traces notebooks bench integrations all clean

help:  ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(INSTALLED)  ## make the virtual environment .venv (every other verb does it too)

# Torch goes first and alone: what depends on it then keeps the version that is there.
$(INSTALLED): pyproject.toml setup.py constraints.txt
	test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	$(BIN)/python -m pip install -c constraints.txt "$$(grep '^torch==' constraints.txt)"
	$(BIN)/python -m pip install -c constraints.txt -e '.[dev]'
	touch $@

demo: $(INSTALLED)  ## train a bidding agent for DEMO_MINUTES (5), see how well it plays, watch a game
	DEMO_MINUTES=$(DEMO_MINUTES) $(BIN)/dwarrow demo

test: $(INSTALLED)  ## the tests on JOBS (2) processes; ARGS="-k bid" chooses some
	$(PYTEST) -n $(JOBS) --dist loadfile $(ARGS)

test-slow: $(INSTALLED)  ## the tests marked slow
	$(PYTEST) -n $(JOBS) --dist loadfile -m slow $(ARGS)

# Stale files in build/ would end up in the copy, hence the fresh start.
check: $(INSTALLED)  ## lint, format, types on an installed copy, direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	rm -rf build
	$(BIN)/python -m pip install --quiet --no-deps --target build/types .
	MYPYPATH=build/types $(BIN)/mypy --strict -p dwarrow
	PYTHONPATH=build/types $(BIN)/lint-imports

test-nojit: $(INSTALLED)  ## the rule tests as plain Python, without compilation
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) -m "nojit and not slow" $(ARGS)

traces: $(INSTALLED)  ## rewrite the golden playthroughs; review the diff
	$(BIN)/python tests/write_traces.py

notebooks: $(INSTALLED)  ## run the notebooks in full and keep their outputs; ARGS=4 the fourth
	$(BIN)/python tests/write_notebooks.py $(ARGS)

bench: $(INSTALLED)  ## measure the speed of this machine
	$(BIN)/dwarrow bench speed

integrations: $(LIBRARIES:%=try-%)  ## the examples with SB3, TorchRL, Tianshou, OpenSpiel, RLlib; or one: make try-sb3

# A library has an environment of its own: RLlib wants another gymnasium, Tianshou another pandas.
.SECONDARY: $(LIBRARIES:%=.venv-%/.installed)
.venv-%/.installed: pyproject.toml setup.py tests/integrations/%.txt
	test -x $(@D)/bin/python || "$(PYTHON)" -m venv $(@D)
	$(@D)/bin/python -m pip install -c tests/integrations/$*.txt "$$(grep '^torch==' tests/integrations/$*.txt)"
	$(@D)/bin/python -m pip install -c tests/integrations/$*.txt -e '.[$*]' pytest
	touch $@

try-%: .venv-%/.installed
	.venv-$*/bin/python -m pytest -W default tests/integrations/test_$*.py $(ARGS)

all: check test test-nojit  ## check, test and test-nojit

clean:  ## remove build outputs, tool caches and kernels compiled from older sources
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	rm -rf .hypothesis .coverage .coverage.* htmlcov
	find $(wildcard $(SOURCES)) -type d -name __pycache__ -prune -exec rm -rf {} +
	if test -e $(INSTALLED); then $(BIN)/python -c "$$DROP_STALE_KERNELS"; fi

# Only folders named by a hash: DWARROW_CACHE may point at a folder that holds other things.
define DROP_STALE_KERNELS
import re, shutil
from dwarrow.envs.core.kernels import cache_root, current_folders
for folder in cache_root().glob("*"):
    if re.fullmatch("[0-9a-f]{16}", folder.name) and folder not in current_folders():
        shutil.rmtree(folder)
endef
export DROP_STALE_KERNELS
