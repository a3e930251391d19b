"""Migrations: how an older database of the record is upgraded to this version."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlalchemy import Connection

# In order; a database with a revision that isn't listed here was written by a newer version.
REVISIONS = ("0001", "0002", "0003", "0004", "0005")
NEWEST = REVISIONS[-1]


def upgrade(connection: "Connection") -> None:
    """Upgrade a database from any revision to the newest, inside the connection's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "pitboss.record:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, NEWEST)
