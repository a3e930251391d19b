"""The first schema of the record: entries, heads, accepted commands, snapshots and leases."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# SQLite numbers rows only in a plain integer key.
_POSITION = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "entries",
        sa.Column("position", _POSITION, primary_key=True, autoincrement=True),
        sa.Column("stream", sa.Text(collation=_exact()), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.UniqueConstraint("stream", "sequence", name="entries_one_chain"),
    )
    op.create_table(
        "heads",
        sa.Column("stream", sa.Text(collation=_exact()), primary_key=True),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
    )
    op.create_table(
        "commands",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("places", sa.Text(), nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.Text(), primary_key=True),
        sa.Column("sequence", sa.BigInteger(), primary_key=True),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("fold", sa.Text(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.Column("until_ms", sa.BigInteger(), nullable=False),
    )


def downgrade() -> None:
    """Refuse: a record is never downgraded."""
    raise NotImplementedError("A record can't be downgraded. Restore a backup instead.")


def _exact() -> str | None:
    # PostgreSQL would sort names by a locale's collation; SQLite compares bytes by default.
    return "C" if op.get_bind().dialect.name == "postgresql" else None
