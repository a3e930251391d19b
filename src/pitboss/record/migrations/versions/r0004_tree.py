"""The tree of all entries: in which order they are its leaves, the roots of its complete blocks, the checkpoints."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "tree_ranges",
        sa.Column("first", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("stream", sa.Text(), nullable=False),
        sa.Column("sequence", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("stream", "sequence", name="tree_ranges_once"),
    )
    op.create_table(
        "tree_blocks",
        sa.Column("number", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("hash", sa.Text(), nullable=False),
    )
    op.create_table(
        "checkpoints",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Refuse: a record is never downgraded."""
    raise NotImplementedError("A record can't be downgraded. Restore a backup instead.")
