PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
RUNS := $(VENV)/.runs
PYTHON_FILES := src tests bench docs_site hatch_build.py web/wire.py
PAGE := src/pitboss/server/page/index.html
WEB := $(shell find web -path web/node_modules -prune -o -type f -print)

# Without compiled files every process of the tests would compile the program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test check lint docs page wheel notebook wire pins audit format agree simulate kills secrets pictures bench clean

run: $(RUNS)
	$(BIN)/pitboss demo

test: $(READY) $(PAGE) lint
	$(BIN)/python tests/browser/chromium.py
	$(BIN)/python -m pytest -n auto --dist loadgroup --cov --cov-report= --durations=20
	$(BIN)/python tests/coverage_floor.py

check: $(READY) lint
	$(BIN)/python -m pytest -n auto -q -m "not slow" tests/architecture tests/cards tests/rules tests/round tests/cli/test_commands.py

lint: $(READY) $(PAGE)
	$(BIN)/ruff format --check $(PYTHON_FILES)
	$(BIN)/ruff check $(PYTHON_FILES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py check

# The documentation as a site in build/docs; a link that leads nowhere fails it.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The documentation is in build/docs; open build/docs/index.html."

format: $(READY)
	$(BIN)/ruff format $(PYTHON_FILES)
	$(BIN)/ruff check --fix $(PYTHON_FILES)

# What running needs and nothing else. Installing builds the page, and a change of its sources builds it again.
$(RUNS): pyproject.toml pins.txt $(WEB)
	@echo "Once: installing the packages and building the page takes about a minute."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check -c pins.txt -e .
	touch $@

$(READY): pyproject.toml pins.txt
	@echo "Once: installing the packages of the tests and building the page takes a few minutes."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c pins.txt -e '.[dev]'
	touch $@ $(RUNS)

# The newest versions that pyproject.toml allows, in place of those that are pinned.
pins: $(READY)
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager -e '.[dev]'
	{ head -1 pins.txt; $(BIN)/python -m pip freeze --exclude-editable; } > pins.new && mv pins.new pins.txt

# Known faults of the pinned packages; fails where the registry publishes no advisories.
audit: $(READY)
	$(PYTHON) -m venv .audit && .audit/bin/pip install --quiet --disable-pip-version-check pip-audit
	.audit/bin/pip-audit --strict --no-deps --disable-pip -r pins.txt

# Installing builds the page; a change of its sources builds it again.
page: $(PAGE)

# What runs anywhere without a checkout: the program with its page, in dist/.
wheel: $(READY)
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-build-isolation --no-deps -w dist .

# The notebook in examples/, run again and stored with what its cells show.
notebook: $(READY)
	$(BIN)/python docs_site/notebook.py

$(PAGE): $(WEB) | $(READY)
	$(BIN)/python hatch_build.py build
	touch $@

# What the server says of itself, as types of the page.
wire: $(READY)
	$(BIN)/python web/wire.py

# The exact worth and the simulation of every paytable and every pair of options, over twenty times the rounds.
agree: $(READY)
	PITBOSS_AGREE=1 $(BIN)/python -m pytest -q tests/lab/test_two_methods.py

# A floor under faults, thousands of seeds; and real processes killed a thousand times, on both databases.
simulate: $(READY)
	cd tests && ../$(BIN)/python -m simulation seeds --seeds 2000 --workers 2

kills: $(READY)
	cd tests && ../$(BIN)/python -m simulation kills --count 1000
	cd tests && ../$(BIN)/python -m simulation kills --count 500 --postgresql

# What a reader of frames, answers and refusals could learn of hidden cards: nothing, over thousands of paired rounds.
secrets: $(READY)
	cd tests && ../$(BIN)/python -m secrets_check --rounds 5000 --workers 2

# The pictures of every page in docs/pictures, from a real server in a real browser; SCENES names some of them.
pictures: $(READY) $(PAGE)
	cd tests && ../$(BIN)/python -m browser.pictures $(SCENES)

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python bench/startup.py
	$(BIN)/python bench/settle.py
	$(BIN)/python bench/rounds.py
	$(BIN)/python bench/exact.py
	$(BIN)/python bench/simulate.py

clean:
	rm -rf $(VENV) .audit .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage* .import_linter_cache
