"""The people office of a record, made from its parts; the server and the command line open the same one."""

from collections.abc import Callable

from sqlalchemy import Engine

from pitboss.house.people.credential_store import CredentialsInSql, SessionsInSql
from pitboss.house.people.decide import SignInRules
from pitboss.house.people.password_hash import ArgonHasher
from pitboss.house.people.people_office import Office, PeopleStream
from pitboss.house.people.second_factors import SecondFactors
from pitboss.house.people.sessions import Sessions
from pitboss.house.people.sign_in import FrontDoor
from pitboss.record.group_commit import GroupCommit
from pitboss.record.keys import Keyring
from pitboss.record.row_tags import RowTags
from pitboss.record.snapshots import Snapshots
from pitboss.record.sql_store import SqlStore
from pitboss.record.system_interface import Clock, Randomness, Runner
from pitboss.server.cluster.following import FreshOffice


def make_office(
    engine: Engine,
    store: SqlStore,
    writer: GroupCommit,
    snapshots: Snapshots,
    world: tuple[Clock, Randomness, Runner],
    rules: SignInRules,
    tags: RowTags,
    keys: Callable[[], Keyring],
    hashing: Runner | None = None,
) -> Office:
    """Return the people office of a record, with all recorded events applied."""
    clock, randomness, runner = world
    sessions, stream = SessionsInSql(engine, tags, store.alterations), PeopleStream()
    stream.restore(snapshots)
    credentials = CredentialsInSql(engine, tags, store.alterations)
    door = FrontDoor(
        hasher=ArgonHasher(randomness),
        credentials=credentials,
        sessions=sessions,
        clock=clock,
        randomness=randomness,
        rules=rules,
        factors=SecondFactors(keys=keys, credentials=credentials, clock=clock, randomness=randomness),
    )
    return (FreshOffice if store.is_shared else Office)(
        store=store,
        writer=writer,
        stream=stream,
        door=door,
        sessions=Sessions(sessions, clock, rules),
        clock=clock,
        randomness=randomness,
        runner=runner,
        rules=rules,
        snapshots=snapshots,
        hashing=hashing,
    )
