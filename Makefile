# Every chore by its name; make help lists them, and .ci/run calls the same targets.
#
# The first run makes .venv and installs what it needs. Nothing else has to be set up.

# The first Python that is new enough; `make test PYTHON=/path/to/python3` to choose another.
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& { echo $$name; break; }; done)

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# The protobuf generators are pinned low and want an older protobuf than the program runs with.
PROTO_VENV := build/proto-venv

# Arguments for the program that a target runs: make play ARGS="--bots easy"
ARGS ?=

export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help play test lint format types imports proto proto-check check differential soak fuzz chaos bench wheel clean
.DELETE_ON_ERROR:

# What stands after the two ## of a target is its line here.
help:  ## these lines
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' $(MAKEFILE_LIST) \
	| while IFS='|' read -r chore does; do printf '%-20s%s\n' "$$chore" "$$does"; done

play: $(VENV)/.installed  ## a game of Hearts against three house bots; make play ARGS="--bots easy"
	@$(BIN)/hearts play $(ARGS)

test: $(VENV)/.installed-dev  ## run the tests
	$(BIN)/python -m pytest -n auto $(ARGS)

lint: $(VENV)/.installed-dev  ## check style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.installed-dev  ## put style and format right, as far as a program can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.installed-dev  ## check types, with mypy and pyright
	$(BIN)/mypy
	$(BIN)/pyright

imports: $(VENV)/.installed-dev  ## check which package imports which
	$(BIN)/lint-imports

proto: $(PROTO_VENV)/.installed  ## generate the Python of the messages anew
	$(PROTO_VENV)/bin/python tools/gen_proto.py

proto-check: $(PROTO_VENV)/.installed  ## check that this Python is current
	$(PROTO_VENV)/bin/python tools/gen_proto.py --check

check: test lint types imports proto-check wheel  ## everything that CI checks

# Fresh deals against OpenSpiel's program of the same game, in ten variants; every difference is a
# fault. Then the places of the cards in many fair deals. The tests do less of both.
differential: $(VENV)/.installed-dev  ## hold many deals against other programs, and the shuffle against chance
	$(BIN)/python tools/differential.py --deals 20000 $(ARGS)
	HEARTS_TIMES=10 $(BIN)/pytest -q tests/naive/test_against_engine.py tests/engine/test_perft.py
	$(BIN)/python tools/shuffle_bias.py --deals 200000

# Half an hour or more on two cores; the tests do a few kills.
soak: $(VENV)/.installed-dev  ## kill a server a thousand times under eight tables of bots; nothing may be lost
	$(BIN)/python tools/soak.py --kills 1000 --tables 8 $(ARGS)

# What the tests do for seconds, for many minutes: damaged requests at every method of a running
# server, and clients of all sorts against a model of one. HEARTS_TIMES=1000 is longer.
fuzz: export HEARTS_TIMES ?= 50
fuzz: $(VENV)/.installed-dev  ## attack a running server with damaged requests and callers of all sorts, and clients with lies, for long
	$(BIN)/python -m pytest -q --timeout=0 tests/server/test_fuzz.py tests/server/test_whole_server.py tests/server/test_restless_evenings.py tests/client/test_lying_server.py $(ARGS)

# Some of the connections fall silent for good, which takes 15 seconds to be noticed.
chaos: $(VENV)/.installed-dev  ## play through a network that breaks five hundred times; nothing may be lost
	$(BIN)/python tools/chaos.py --cuts 500 --tables 8 $(ARGS)

bench: $(VENV)/.installed-dev  ## run the benchmarks
	@for script in bench/*.py; do echo; echo "== $$script"; $(BIN)/python $$script || exit 1; done

# The wheel alone, in an empty venv outside this folder, must play and audit a game.
wheel: $(VENV)/.installed-dev  ## build the wheel, and try it in an empty environment
	rm -rf dist
	$(PIP) wheel --no-deps --wheel-dir dist .
	$(BIN)/python tools/try_wheel.py dist/*.whl

clean:  ## remove everything that was made here
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer was found; name one: make PYTHON=..."; exit 1; }
	@echo "setting up $(VENV), which is done once and takes a moment"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/pyvenv.cfg
	@$(PIP) install -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) install -e '.[dev]'
	@touch $(VENV)/.installed $@

$(PROTO_VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(PROTO_VENV)
	$(PROTO_VENV)/bin/python -m pip --quiet --disable-pip-version-check install '.[proto]'
	@touch $@
