"""Everything that can go wrong in a round of a game, reported and ruled on as at a table, until the round is over."""

from scenarios.floor import ScenarioTable

REPORT = "ReportIrregularity"
LEFT, VIOLATION, MISMATCH = "player-left", "player-violation", "progressive-mismatch"
EXPOSED, FACE_UP, DRAWN = "dealer-card-exposed", "face-up-card", "card-drawn-in-error"
FORFEITS = (LEFT, VIOLATION)
NOTE = "seen by everyone at the table"


def kinds_of(table: ScenarioTable) -> list[str]:
    """Return what can go wrong at a table; a player who left comes last, because the seat is free then."""
    has_progressive = "progressive" in table.document["table"]["wagers"]
    known = [kind for kind in table.game.irregularities if kind != MISMATCH or has_progressive]
    return sorted(known, key=lambda kind: kind == LEFT)


def gone_wrong(table: ScenarioTable, kind: str) -> bool:
    """Play a round at the minimum in which something goes wrong, and say whether the whole round is void."""
    dealer = table.dealer
    table.begin()
    for player in table.live.seats.values():
        table.wager(player, **table.least(), **({"progressive": 5_00} if kind == MISMATCH else {}))
    has_progressive = "progressive" in table.document["table"]["wagers"]
    table.close_bets(**({"progressive_chips": 0} if has_progressive else {}))
    _happens(table, kind)
    if table.live.in_round and table.phase not in (None, "over") and kind in (DRAWN, MISMATCH):
        # Play would go on and the wagers would be decided: a second mishap gives them back.
        if kind == MISMATCH:
            table.deal_one()
        table.both(dealer, "flo", REPORT, irregularity="wrong-number-of-cards", seat=1)
    while table.live.in_round:
        table.step()
    for device in ("shoe", "shuffler"):
        if getattr(table.live.cards, device) not in ("in-service", "absent"):
            table.must("tec", "ReturnDevice", device=device)
    outcome = table.entries("house.RoundEnded")[-1].body["outcome"]
    assert outcome in ("void", "settled")
    return bool(outcome == "void")


def _happens(table: ScenarioTable, kind: str) -> None:
    dealer, said = table.dealer, {"irregularity": kind}
    if kind == MISMATCH:
        table.must(dealer, REPORT, **said, seat=1)
    elif kind == LEFT:
        table.play_to("asking")
        table.both(dealer, "flo", REPORT, **said, seat=1, ruling="abandoned")
    elif kind == VIOLATION:
        table.play_to("asking")
        table.both(dealer, "flo", REPORT, **said, seat=1, limb="touched", note=NOTE)
    elif kind in (EXPOSED, "community-card-exposed"):
        table.play_to("asking")
        is_ruled = table.game.irregularities[kind][-1].rulings
        table.both("flo", dealer, REPORT, **said, **({"ruling": "void", "note": NOTE} if is_ruled else {}))
    elif kind == "shuffler-jam":
        table.read(table.live.play.due.cards)
        table.both(dealer, "fred", REPORT, **said)
    else:
        table.deal_one()
        _happens_in_the_deal(table, kind)


def _happens_in_the_deal(table: ScenarioTable, kind: str) -> None:
    dealer, said = table.dealer, {"irregularity": kind}
    if kind == FACE_UP:
        while table.live.play.outcome is None:  # where a first card is set aside, a second one ends the round
            table.read()
            table.both(dealer, "flo", REPORT, **said, card=str(table.live.waiting[-1][:2]))
    elif kind == DRAWN:
        table.read()
        table.must(dealer, REPORT, **said)
        table.deal_one()
    elif kind == "wrong-number-of-cards":
        table.both(dealer, "flo", REPORT, **said, seat=1)
    elif kind == "shoe-jam":
        table.both(dealer, "fred", REPORT, **said)
    else:
        table.must(dealer, REPORT, **said)
        table.both("flo", "fred", REPORT, **said, ruling="void", note=NOTE)
