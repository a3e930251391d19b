"""`pitboss people`: manage accounts on the machine that holds the floor's keys, even while the floor is open."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.cli.output import Failure, show_json

if TYPE_CHECKING:
    from pitboss.house.people.people_office import Office


def unlock_command(name: str, data: Path | None, keys: Path | None, database: str | None, *, as_json: bool) -> None:
    """Unlock an account, however it was locked."""
    from pitboss.house.people.commands import KEY_HOLDER, UnlockPerson

    async def unlock(office: "Office") -> Any:
        return await office.put(UnlockPerson(by=KEY_HOLDER, at=0, person=name))

    _done(unlock, data, keys, database)
    if as_json:
        show_json({"person": name, "unlocked": True})
        return
    print(f"{name} can sign in again.")


def reset_command(
    name: str, data: Path | None, keys: Path | None, database: str | None, address: str, *, as_json: bool
) -> None:
    """Remove an account's password, locks and second factors, and print a one-time link to start again."""
    from pitboss.house.people.commands import KEY_HOLDER, ResetFactors, ResetPerson
    from pitboss.rules.refusal import Refusal

    async def reset(office: "Office") -> Any:
        done = await office.put(ResetPerson(by=KEY_HOLDER, at=0, person=name))
        account = office.people.accounts.get(name)
        if not isinstance(done, Refusal) and account is not None and account.factors:
            done = await office.put(ResetFactors(by=KEY_HOLDER, at=0, person=name))
        return done if isinstance(done, Refusal) else await office.issue_link(KEY_HOLDER, name)

    _show_link(name, _done(reset, data, keys, database), address, as_json=as_json)


def link_command(
    name: str, data: Path | None, keys: Path | None, database: str | None, address: str, *, as_json: bool
) -> None:
    """Print a one-time sign-in link for a person."""
    from pitboss.house.people.commands import KEY_HOLDER

    async def issue(office: "Office") -> Any:
        return await office.issue_link(KEY_HOLDER, name)

    _show_link(name, _done(issue, data, keys, database), address, as_json=as_json)


def _show_link(name: str, link: Any, address: str, *, as_json: bool) -> None:
    address = f"{address.rstrip('/')}/links/{link.token}"
    if as_json:
        show_json({"person": name, "link": address, "until": link.command.until})
        return
    print(f"One-time sign-in link for {name}, valid for one hour: {address}")


def _done(
    work: Callable[["Office"], Awaitable[Any]], data: Path | None, keys: Path | None, database: str | None
) -> Any:
    from pitboss.cli.serve import data_folder
    from pitboss.record.keys import KeysUnusable, read_keys
    from pitboss.record.store import StoreFault
    from pitboss.rules.refusal import Refusal
    from pitboss.server.data_folder import key_file

    folder = data or data_folder("floor")
    record, path = folder / "record.db", keys or key_file(folder)
    if database is None and not record.is_file():
        raise Failure(
            f"There is no floor in {folder}. Give its data folder with --data, or its database URL with --database."
        )
    try:
        answer = asyncio.run(_with_office(work, database or f"sqlite:///{record}", read_keys(path), folder))
    except (KeysUnusable, StoreFault) as fault:
        raise Failure(str(fault)) from None
    if isinstance(answer, Refusal):
        raise Failure(f"{answer}.")
    return answer


async def _with_office(work: Callable[["Office"], Awaitable[Any]], url: str, keyring: Any, folder: Path) -> Any:
    from pitboss.house.people.decide import SignInRules
    from pitboss.record.group_commit import GroupCommit
    from pitboss.record.row_tags import RowTags
    from pitboss.record.snapshots import Snapshots
    from pitboss.record.sql_engine import make_engine
    from pitboss.record.sql_store import SqlStore
    from pitboss.record.system import DiskSpace, SystemClock, SystemRandomness, ThreadRunner
    from pitboss.server.open_floor import RESERVE_BYTES
    from pitboss.server.record_office import make_office

    tags = RowTags(keyring, SystemRandomness())
    store, engine, runner = SqlStore(url, tags), make_engine(url), ThreadRunner("people")
    writer = GroupCommit(store, runner, space=DiskSpace(folder), reserve_bytes=RESERVE_BYTES)
    try:
        snapshots = Snapshots(store, keyring.current.snapshot_key(), alterations=store.alterations)
        world = (SystemClock(), SystemRandomness(), runner)
        office = make_office(engine, store, writer, snapshots, world, SignInRules(), tags, lambda: keyring)
        return await work(office)
    finally:
        await writer.close()
        store.close()
        engine.dispose()
        runner.close()
