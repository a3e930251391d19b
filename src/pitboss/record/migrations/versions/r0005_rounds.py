"""An index of rounds by time, table and player, and how far into each stream it reaches; built from the entries."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the tables; a process that opens the record fills them."""
    exact = "C" if op.get_bind().dialect.name == "postgresql" else None
    op.create_table(
        "rounds",
        sa.Column("stream", sa.Text(collation=exact), primary_key=True),
        sa.Column("sequence", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("player", sa.Text(collation=exact), primary_key=True),
        sa.Column("round", sa.Text(collation=exact), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
    )
    op.create_index("rounds_by_time", "rounds", ["player", sa.text("at DESC"), "round"])
    op.create_index("rounds_by_table", "rounds", ["stream", "player", sa.text("at DESC"), "round"])
    op.create_table(
        "rounds_read",
        sa.Column("stream", sa.Text(collation=exact), primary_key=True),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Refuse: a record is never downgraded."""
    raise NotImplementedError("A record can't be downgraded. Restore a backup instead.")
