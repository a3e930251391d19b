"""Tags on rows: what shows that a row was written by a process with the house's keys; older rows have none yet."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

TAGGED = {
    "entries": ("tag",),
    "heads": ("tag",),
    "commands": ("tag",),
    "credentials": ("tag",),
    "sessions": ("tag", "seen_tag"),
}


def upgrade() -> None:
    """Add the columns; the rows are tagged when the floor is first opened with its keys."""
    there = sa.inspect(op.get_bind())
    for table, columns in TAGGED.items():
        known = {column["name"] for column in there.get_columns(table)}
        for column in (name for name in columns if name not in known):
            op.add_column(table, sa.Column(column, sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Refuse: a record is never downgraded."""
    raise NotImplementedError("A record can't be downgraded. Restore a backup instead.")
