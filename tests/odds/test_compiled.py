"""A changed table or kernel never gets an old compilation, and old compilations don't pile up."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numba
import pytest

from pitboss.odds import compiled
from pitboss.odds.announcing import told

KERNELS = """
from table import TABLE
from pitboss.odds.compiled import kernel

@kernel
def total():
    found = 0
    for at in range(TABLE.size):
        found += TABLE[at]
    return found

print(total())
"""


def test_the_caches_name_changes_with_what_counts_rest_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odds").mkdir()
    table = tmp_path / "odds" / "evaluator.npz"
    table.write_bytes(b"one")
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path)
    first = compiled.digest.__wrapped__()
    table.write_bytes(b"two")
    assert compiled.digest.__wrapped__() != first


@pytest.mark.slow
def test_a_kernel_is_recompiled_when_a_table_of_another_file_changes(tmp_path: Path) -> None:
    # The kernel's own file stays as it is, so numba by itself would give the old answer.
    package = tmp_path / "made"
    package.mkdir()
    kernels, table = package / "summing.py", package / "table.py"
    package.joinpath("__init__.py").touch()
    kernels.write_text(KERNELS.replace("from table", "from made.table"), "utf-8")
    environment = {**os.environ, "PITBOSS_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}

    def run() -> str:
        asked = [sys.executable, "-c", "import made.summing"]
        return subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout.strip()

    for numbers, answer in (("1, 2, 3", "6"), ("1, 2, 30", "33"), ("1, 2, 30", "33")):
        table.write_text(f"import numpy as np\n\nTABLE = np.array([{numbers}])\n", "utf-8")
        assert run() == answer
    folders = list((tmp_path / "cache").glob("kernels-*"))
    assert len(folders) == 2
    assert all(list(folder.rglob("*.nbi")) for folder in folders)


@pytest.mark.slow
def test_the_same_kernel_in_another_checkout_is_not_compiled_again(tmp_path: Path) -> None:
    heard = []
    for checkout, numbers in (("first", "1, 2, 3"), ("second", "1, 2, 3"), ("third", "1, 2, 4")):
        package = tmp_path / checkout / "made"
        package.mkdir(parents=True)
        package.joinpath("__init__.py").touch()
        package.joinpath("table.py").write_text(f"import numpy as np\n\nTABLE = np.array([{numbers}])\n", "utf-8")
        package.joinpath("summing.py").write_text(KERNELS.replace("from table", "from made.table"), "utf-8")
        environment = {**os.environ, "PITBOSS_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(package.parent)}
        program = "from pitboss.odds.announcing import told\nwith told(print):\n    import made.summing"
        asked = [sys.executable, "-c", program]
        printed = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout
        heard.append(printed.split("\n"))
    assert heard == [["total", "None", "6", ""], ["6", ""], ["total", "None", "7", ""]]


@pytest.mark.slow
def test_where_no_cache_can_be_written_kernels_are_compiled_each_time_and_left_nowhere(tmp_path: Path) -> None:
    package = tmp_path / "made"
    package.mkdir()
    package.joinpath("__init__.py").touch()
    package.joinpath("table.py").write_text("import numpy as np\n\nTABLE = np.array([1, 2])\n", "utf-8")
    package.joinpath("summing.py").write_text(KERNELS.replace("from table", "from made.table"), "utf-8")
    blocked = tmp_path / "file"
    blocked.touch()
    environment = {**os.environ, "PITBOSS_CACHE": str(blocked / "cache"), "PYTHONPATH": str(tmp_path)}
    asked = [sys.executable, "-c", "import made.summing"]
    assert subprocess.run(asked, env=environment, capture_output=True, text=True, check=True).stdout.strip() == "3"
    assert not list(tmp_path.rglob("*.nb?"))


def test_a_kernel_rests_on_what_its_module_imports_and_on_nothing_else() -> None:
    from pitboss.odds import enumerate, evaluator, streams

    named = {
        module.__name__: {path.name for path in compiled._sources(module.__name__)}
        for module in (enumerate, evaluator, streams)
    }
    assert {"enumerate.py", "evaluator.py", "evaluator_tables.py", "poker.py", "symmetry.py"} <= named[
        enumerate.__name__
    ]
    assert {"evaluator.py", "evaluator_tables.py"} <= named[evaluator.__name__]
    assert "enumerate.py" not in named[evaluator.__name__]
    assert "evaluator_tables.py" not in named[streams.__name__]


def test_tables_next_to_a_module_are_part_of_what_it_depends_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source, table = tmp_path / "one.py", tmp_path / "numbers.npz"
    source.write_text("ONE = 1\n", "utf-8")
    monkeypatch.setattr(compiled, "_sources", lambda _: frozenset({source}))
    names = []
    for content in (None, b"one", b"two"):
        if content:
            table.write_bytes(content)
        names.append(compiled.kernels_digest.__wrapped__("one"))
    assert len(set(names)) == 3


def test_old_folders_are_thrown_away_but_for_those_used_last(tmp_path: Path) -> None:
    now = time.time()
    for kind in compiled.KINDS:
        for age in range(compiled.KEPT + 3):
            folder = tmp_path / f"{kind}-{age:02}"
            folder.mkdir()
            (folder / "file").touch()
            os.utime(folder, (now - 86_400 * (age + 1),) * 2)
    (tmp_path / "other").mkdir()
    compiled.prune(tmp_path)
    left = sorted(path.name for path in tmp_path.iterdir())
    expected = [f"{kind}-{age:02}" for kind in compiled.KINDS for age in range(compiled.KEPT)]
    assert left == sorted([*expected, "other"])


def test_a_folder_that_may_be_in_use_stays(tmp_path: Path) -> None:
    for number in range(compiled.KEPT + 5):
        (tmp_path / f"kernels-{number:02}").mkdir()
    compiled.prune(tmp_path)
    assert len(list(tmp_path.iterdir())) == compiled.KEPT + 5
    compiled.prune(tmp_path / "nothing there")


def test_work_is_shared_by_threads_that_know_their_number() -> None:
    found = compiled.on_every_thread(lambda thread, threads: (thread, threads, threading.get_ident()))
    threads = len(found)
    assert [(thread, of) for thread, of, _ in found] == [(number, threads) for number in range(threads)]
    assert threading.get_ident() not in {ident for *_, ident in found}


def test_a_listener_hears_what_is_compiled_and_when_it_is_done() -> None:
    heard: list[str | None] = []

    def _count_nothing() -> int:
        return 0

    with told(heard.append):
        compile_now: Any = numba.njit(_count_nothing)
        compile_now()
        compile_now()
    compile_later: Any = numba.njit(_count_nothing)
    compile_later()
    assert heard == ["count nothing", None]


def test_the_cache_belongs_to_the_user_and_can_be_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", "elsewhere")
    assert compiled.cache_folder() == Path("elsewhere")
    monkeypatch.delenv("PITBOSS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "kept")
    monkeypatch.setattr(sys, "platform", "linux")
    assert compiled.cache_folder() == Path("kept") / "pitboss"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert compiled.cache_folder().name == "pitboss"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "local")
    assert compiled.cache_folder() == Path("local") / "pitboss" / "cache"
