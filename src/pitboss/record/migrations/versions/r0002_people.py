"""Password verifiers and sessions: tables that a database may have from before they had a revision."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Create the tables that are missing."""
    there = sa.inspect(op.get_bind())
    if not there.has_table("credentials"):
        op.create_table(
            "credentials",
            sa.Column("credential", sa.Text(), primary_key=True),
            sa.Column("verifier", sa.Text(), nullable=False),
        )
    if not there.has_table("sessions"):
        op.create_table(
            "sessions",
            sa.Column("digest", sa.Text(), primary_key=True),
            sa.Column("session", sa.Text(), nullable=False, unique=True),
            sa.Column("person", sa.Text(), nullable=False),
            sa.Column("begun", sa.BigInteger(), nullable=False),
            sa.Column("seen", sa.BigInteger(), nullable=False),
        )


def downgrade() -> None:
    """Refuse: a record is never downgraded."""
    raise NotImplementedError("A record can't be downgraded. Restore a backup instead.")
