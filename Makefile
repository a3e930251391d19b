PYTHON ?= python3
VENV := .venv
# More than the cores of a small machine: browsers and other processes leave much of the time to wait.
WORKERS ?= 4
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUNS := $(VENV)/.runs
PYTHON_FILES := src tests bench docs_site hatch_build.py pin_hashes.py web/wire.py
PAGE := src/pitboss/server/page/index.html
WEB := $(shell find web -path web/node_modules -prune -o -type f -print)

# Without compiled files every process of the tests would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check lint types page-check docs page wheel notebook wire pins audit format agree split simulate kills secrets requests leaks prove proof pictures bench clean

run: $(RUNS)
	$(BIN)/pitboss demo

test: $(READY) $(PAGE) lint
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup --no-loadscope-reorder --cov --cov-report= --durations=20
	$(BIN)/python tests/coverage_floor.py

check: $(READY) lint
	$(BIN)/python -m pytest -n auto -q -m "not slow" tests/architecture tests/cards tests/rules tests/round tests/cli/test_commands.py

lint: $(READY) $(PAGE)
	$(BIN)/ruff format --check $(PYTHON_FILES)
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/lint-imports
	$(MAKE) --no-print-directory -j 2 types page-check

types: $(READY)
	$(BIN)/mypy

page-check: $(READY) $(PAGE)
	$(BIN)/python hatch_build.py check

# Build the documentation site into build/docs; a broken link fails the build.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The documentation is in build/docs; open build/docs/index.html."

format: $(READY)
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/ruff check --fix $(PYTHON_FILES)

# Install only what running needs. Installing builds the page; it is rebuilt when its sources change.
# Packages are installed only if their files have the pinned hashes; the project itself comes from this folder. The
# pins name every package that is needed, so pip looks for no others: for extras it would take a newer version.
PIP := $(BIN)/python -m pip install --disable-pip-version-check
PROJECT := $(PIP) --quiet --no-deps --no-build-isolation -e .

$(RUNS): pyproject.toml pins-run.txt $(WEB)
	@echo "First run: installing the packages and building the page takes about a minute."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --no-deps -r pins-run.txt
	$(PROJECT)
	touch $@

$(READY): pyproject.toml pins.txt
	@echo "First run: installing the test packages and building the page takes a few minutes."
	$(PYTHON) -m venv $(VENV)
	$(PIP) --quiet --require-hashes --no-deps -r pins.txt
	$(PROJECT)
	touch $@ $(RUNS)

# Pin the newest versions that pyproject.toml allows, with the hashes of all their files.
pins: $(READY)
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager -e '.[dev]'
	$(BIN)/python pin_hashes.py

# Check the pinned packages for known vulnerabilities; fails if the registry publishes no advisories.
audit: $(READY)
	$(PYTHON) -m venv .audit && .audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	.audit/bin/pip-audit --strict --no-deps --disable-pip -r pins.txt

# Build the page, if its sources have changed.
page: $(PAGE)

# Build a wheel of the program with its page into dist/; it runs without a checkout.
wheel: $(READY)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps -w dist .

# Run the notebook in examples/ and store its output.
notebook: $(READY)
	$(BIN)/python docs_site/notebook.py

$(PAGE): $(WEB) | $(READY)
	$(BIN)/python hatch_build.py build
	touch $@

# Regenerate the page's types from the server's OpenAPI schema.
wire: $(READY)
	$(BIN)/python web/wire.py

# Compare exact values with simulations for every paytable and every pair of options, over twenty times the rounds.
agree: $(READY)
	PITBOSS_AGREE=1 $(BIN)/python -m pytest -q tests/lab/test_two_methods.py tests/games/test_whole_tables.py tests/odds/test_general.py tests/games/test_exposed.py tests/games/test_exposed_ultimate_texas_holdem.py tests/games/test_neighbors.py

# Split a million simulated rounds of every game into edge, decisions and luck.
split: $(READY)
	PITBOSS_SPLIT_ROUNDS=1000000 $(BIN)/python -m pytest -q tests/lab/test_split.py

# Simulate a floor with faults over thousands of seeds; kill real processes on both databases.
simulate: $(READY)
	cd tests && ../$(BIN)/python -m simulation seeds --seeds 2000 --workers 2

kills: $(READY)
	cd tests && ../$(BIN)/python -m simulation kills --count 1000
	cd tests && ../$(BIN)/python -m simulation kills --count 500 --postgresql

# Check over thousands of paired rounds that frames, answers and refusals reveal nothing about hidden cards.
secrets: $(READY)
	cd tests && ../$(BIN)/python -m secrets_check --rounds 5000 --workers 2

# Send every route a hundred requests that its description allows or forbids; none may be a fault.
requests: $(READY)
	PITBOSS_REQUESTS=100 $(BIN)/python -m pytest -q tests/server/test_schema.py

# Repeat what the tests claim many more times; it goes on where the committed chunks end. MINUTES limits a run.
prove: $(READY)
	cd tests && ../$(BIN)/python -m proof run $(SUITES) $(if $(MINUTES),--minutes $(MINUTES)) --workers 2

# Write docs/proof.md from the chunks in tests/proof/finished.
proof: $(READY)
	cd tests && ../$(BIN)/python -m proof write

# The leak test: ten million decisions of honest players of mixed skill, and the power curves in the docs.
leaks: $(READY)
	$(BIN)/python bench/leaks.py honest
	$(BIN)/python bench/leaks.py power

# Take the pictures in docs/pictures from a real server in a real browser; SCENES selects some of them.
pictures: $(READY) $(PAGE)
	cd tests && ../$(BIN)/python -m browser.pictures $(SCENES)

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/settle.py
	$(BIN)/python bench/rounds.py
	$(BIN)/python bench/exact.py
	$(BIN)/python bench/simulate.py
	$(BIN)/python bench/split.py

clean:
	rm -rf $(VENV) .audit .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* .import_linter_cache
