"""The examples that ship with the project are lawful, commented and complete."""

from pathlib import Path

import pytest

from pitboss.games.catalogue import game_names
from pitboss.submission.check import check, notes
from pitboss.submission.explain import explain
from pitboss.submission.printed import printed
from pitboss.submission.read import read_submission
from pitboss.submission.table_choices import choices_for, settings_for
from pitboss.table.settings import settings_faults

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_lawful_in_every_respect(path: Path) -> None:
    submission = read_submission(path)
    assert check(submission) == ()
    assert notes(submission) == ()
    for table in submission.tables:
        assert settings_faults(settings_for(table)) == ()
        assert choices_for(table).offered
        assert printed(submission, table).odds
    assert len(explain(submission)) > 15


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_commented(path: Path) -> None:
    written = path.read_text(encoding="utf-8")
    assert written.startswith("# ")
    assert written.count("#") >= 8


def test_every_game_has_an_example() -> None:
    shown = {table.game for path in EXAMPLES for table in read_submission(path).tables}
    assert shown == set(game_names())
