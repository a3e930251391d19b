"""Nobody can tell hidden cards apart: rounds replayed with other cards send the same bytes until the reveal."""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pitboss.games.catalogue import game_names
from pitboss.house.live_table import decide as deciding
from pitboss.house.live_table import sealed_events
from pitboss.house.live_table.deck_order import sealer_of
from pitboss.house.live_table.table_view import public_view
from pitboss.record.keys import MasterKey
from pitboss.record.seal import RoundSeal
from pitboss.rules.refusal import Refusal
from pitboss.server.live import views
from pitboss.server.live.views import table_summary
from secrets_check import worlds
from secrets_check.pairs import Leak, Pairs, compared
from secrets_check.worlds import AUDITOR, LOBBY, SEATED, SPECTATOR, STAFF, TABLE

ROUNDS, ON_REAL_CARDS = 60, 25  # `make secrets` and `make prove` compare thousands


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_other_hidden_cards_send_the_same_bytes_to_everybody_else(name: str) -> None:
    found = asyncio.run(compared(name, ROUNDS, seed=11))
    assert found.rounds == ROUNDS
    assert found.hidden_dealt > 2 * ROUNDS
    assert found.refusals > ROUNDS
    for recipient in (SPECTATOR, AUDITOR, STAFF, LOBBY, *SEATED):
        assert found.viewers[recipient] > ROUNDS // 5, recipient
    assert {"dealing", "asking", "settling", "over"} <= set(found.phases)


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_a_table_with_real_cards_does_not_reveal_what_its_reader_saw(name: str) -> None:
    found = asyncio.run(compared(name, ON_REAL_CARDS, seed=12, real_cards=True))
    assert found.rounds == ON_REAL_CARDS
    assert found.hidden_dealt > ON_REAL_CARDS
    assert found.viewers["dana"] == ON_REAL_CARDS


def leaks(name: str = "top-five-poker") -> str:
    """Return who could tell what, if anyone could."""
    with pytest.raises(Leak) as leak:
        asyncio.run(compared(name, 40, seed=3))
    return str(leak.value)


def hidden_number(live: Any) -> int:
    """Return a number that depends on every dealt card of a round."""
    dealt = sorted(live.positions, key=lambda card: live.positions[card])
    return int(hashlib.sha256("".join(dealt).encode()).hexdigest(), 16) % 10


def test_a_number_derived_from_hidden_cards_is_found_in_a_view(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(live: Any, sealer: Any = None) -> Any:
        seen = public_view(live, sealer)
        return replace(seen, round=seen.round + hidden_number(live))

    monkeypatch.setattr(views, "public_view", leaking)
    assert "can tell what is hidden from" in leaks()


def test_a_refusal_that_hangs_on_hidden_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    carried_out: Callable[..., Refusal | None] = deciding._carried_out

    def leaking(writer: Any, command: Any) -> Refusal | None:
        refusal = carried_out(writer, command)
        if refusal is None or writer.live.play is None:
            return refusal
        return Refusal(f"{refusal.reason} {hidden_number(writer.live)}", refusal.clause, refusal.field)

    monkeypatch.setattr(deciding, "_carried_out", leaking)
    assert "can tell what is hidden from" in leaks()


def test_a_sealed_text_whose_length_reveals_its_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(card: Any, position: int, sealer: Any) -> dict[str, Any]:
        return {"position": position, "sealed": sealer.seal(position, card), "more": "-" * len(card)}

    monkeypatch.setattr(sealed_events, "_sealed_card", leaking)
    # The names of this deck's cards have different lengths.
    assert AUDITOR in leaks("dragon-poker")


def test_a_lobby_that_leaks_a_card_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    summary = table_summary

    def leaking(floor: Any, live: Any) -> Any:
        told = summary(floor, live)
        return told.model_copy(update={"seats": told.seats + hidden_number(live)})

    monkeypatch.setattr(worlds, "table_summary", leaking)
    assert LOBBY in leaks()


def test_the_worlds_differ_where_somebody_may_see_it() -> None:
    async def run() -> None:
        pairs = Pairs("top-five-poker", 5)
        await pairs.open()
        floor = pairs.worlds
        frames = []
        for _ in range(2):
            floor.order, floor.viewers = pairs._laid_out(), (SPECTATOR, "ann")
            floor.begin_again()
            mark = floor.mark()
            floor.chance.seed(1)
            while floor.house.live(TABLE).play is None or 1 not in floor.house.live(TABLE).play.cards:
                await pairs._one()
            frames.append((floor.sent["ann"], floor.sent[SPECTATOR]))
            floor.rewind(mark)
        (own, others), (own_again, others_again) = frames
        assert own != own_again
        assert others == others_again

    asyncio.run(run())


@pytest.mark.parametrize("name", game_names())
def test_a_commitment_is_the_hash_of_a_secret_salt_and_the_card(name: str) -> None:
    async def run() -> None:
        pairs = Pairs(name, 5)
        await pairs.open()
        floor = pairs.worlds
        floor.order = pairs._laid_out()
        while not floor.house.live(TABLE).commitments:
            await pairs._one()
        live = floor.house.live(TABLE)
        own = sealer_of(floor.house.seal, live.round, live.key, live.order)
        salts = [own.salt(place) for place in range(len(floor.order))]
        for place, (salt, card) in enumerate(zip(salts, floor.order, strict=True)):
            assert len(bytes.fromhex(salt)) == 32
            assert live.commitments[place] == hashlib.sha256(bytes.fromhex(salt) + card.encode()).hexdigest()
        # Salts repeat neither within a deck, nor in another round, nor under another key, and no text holds one.
        other = {RoundSeal(MasterKey(bytes(32)), live.round).salt(place) for place in range(len(salts))}
        later = {floor.house.seal("another round", live.key).salt(place) for place in range(len(salts))}
        assert len({*salts, *other, *later}) == 3 * len(salts)
        assert not [text for texts in floor.sent.values() for text in texts for salt in salts if salt in text]

    asyncio.run(run())
