PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test check lint format agree simulate kills bench clean

run: $(READY)
	$(BIN)/pitboss play

test: $(READY) lint
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report=term:skip-covered
	$(BIN)/python tests/coverage_floor.py

check: $(READY) lint
	$(BIN)/python -m pytest -n auto -q -m "not slow" tests/architecture tests/cards tests/rules tests/round tests/cli/test_commands.py

lint: $(READY)
	$(BIN)/ruff format --check src tests bench
	$(BIN)/ruff check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff format src tests bench
	$(BIN)/ruff check --fix src tests bench

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

# The exact worth and the simulation of every paytable and every pair of options, over twenty times the rounds.
agree: $(READY)
	PITBOSS_AGREE=1 $(BIN)/python -m pytest -q tests/lab/test_two_methods.py

# A floor under faults, thousands of seeds; and real processes killed a thousand times.
simulate: $(READY)
	cd tests && ../$(BIN)/python -m simulation seeds --seeds 2000 --workers 2

kills: $(READY)
	cd tests && ../$(BIN)/python -m simulation kills --count 1000

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/settle.py
	$(BIN)/python bench/rounds.py
	$(BIN)/python bench/exact.py
	$(BIN)/python bench/simulate.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* .import_linter_cache
