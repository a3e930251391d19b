"""A player at a table of a running server: sits down, wagers once bets are open, answers and leaves after the round."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection

from pitboss.games.catalogue import game
from pitboss.server.demonstration import document_for
from pitboss.server.table_documents import read_terms
from server.running import Client, frames_until

CHIPS_CENTS = 500_00


def least_stakes(name: str) -> dict[str, int]:
    """Return the required wagers of a game."""
    rules = read_terms(document_for(game(name))).settings.rules
    return {wager.name: 10_00 for wager in rules.game.wagers if wager.required and not wager.by_action}


def sit_down(client: Client, table: str, seat: int) -> None:
    """Take a seat and buy chips."""
    client.must(table, {"kind": "TakeSeat", "seat": seat})
    client.must(table, {"kind": "BuyIn", "cents": CHIPS_CENTS})


def place_wagers(client: Client, socket: ClientConnection, table: str, seat: int) -> list[dict[str, Any]]:
    """Wager once bets are open, and return the frames until the player is asked or the round is decided."""
    frames = frames_until(socket, lambda frame: frame.get("view", {}).get("phase") == "wagering")
    client.must(table, {"kind": "PlaceWagers", "seat": seat, "stakes": least_stakes(table)})
    return frames + frames_until(socket, needs_answer)


def needs_answer(frame: dict[str, Any]) -> bool:
    """Return whether a frame asks its viewer for a decision, or tells how the round ended."""
    view = frame.get("view", {})
    return bool(view.get("actions") or view.get("outcome"))


def play_out(
    client: Client, socket: ClientConnection, table: str, seat: int, view: dict[str, Any]
) -> list[dict[str, Any]]:
    """Answer the last action offered until the round is over, and return all frames until its seats can be left.

    A round that is settled is still open: a seat is left once its cards are picked up and the next round has begun.
    """
    frames: list[dict[str, Any]] = []
    while not view["outcome"]:
        own = next(row for row in view["seats"] if row["seat"] == seat)
        body = {"kind": "Act", "seat": seat, "action": view["actions"][-1]}
        answer = client.command(table, body)
        if answer.status_code == 409 and "discard" in answer.text:
            answer = client.command(table, {**body, "discard": own["cards"][-1]})
        assert answer.status_code in (200, 409), answer.text
        # A frame that was on its way before the answer asks for the same decision again.
        frames += frames_until(
            socket,
            lambda frame, seen=view["sequence"]: needs_answer(frame) and frame["view"]["sequence"] > seen,
        )
        view = frames[-1]["view"]
    number = view["round"]
    return frames + frames_until(socket, lambda frame: frame.get("view", {}).get("round", 0) > number)


def play_round(client: Client, socket: ClientConnection, table: str, seat: int = 1) -> list[dict[str, Any]]:
    """Play a round and return all its frames."""
    frames = place_wagers(client, socket, table, seat)
    return frames + play_out(client, socket, table, seat, frames[-1]["view"])


def play(client: Client, table: str, seat: int) -> str:
    """Sit down, play a round, leave, and return the round's name."""
    sit_down(client, table, seat)
    with client.live(table) as socket:
        frames = play_round(client, socket, table, seat)
    client.must(table, {"kind": "LeaveSeat", "seat": seat})
    return next(frame["view"]["round_id"] for frame in frames if frame.get("view", {}).get("outcome"))


@contextmanager
def asked_to_act(client: Client, table: str, seat: int) -> Iterator[dict[str, Any]]:
    """Sit down and wager until asked for a decision; play on when the block is done, and leave."""
    sit_down(client, table, seat)
    with client.live(table) as socket:
        view = place_wagers(client, socket, table, seat)[-1]["view"]
        while not view["actions"]:
            view = place_wagers(client, socket, table, seat)[-1]["view"]
        yield view
        play_out(client, socket, table, seat, view)
    client.must(table, {"kind": "LeaveSeat", "seat": seat})
