"""The payout odds of §12 and §13, as printed for the two versions."""

from pitboss.rules.paytable import Paytable, paytable

INSTANT_CELLS = ("instant-three-card-straight-flush", "instant-three-of-a-kind")
CELLS = (
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    *INSTANT_CELLS,
    "three-of-a-kind",
    "two-pair",
    "pair-of-jacks-or-better",
    "pair-of-tens",
    "pair-of-nines",
    "pair-of-sevens-or-eights",
    "lower-pair",
    "high-card",
)
_PRINTED = {
    "royal-flush": "Royal Flush",
    "straight-flush": "Straight Flush",
    "four-of-a-kind": "Four-of-a-kind",
    "full-house": "Full House",
    "flush": "Flush",
    "straight": "Straight",
    "instant-three-card-straight-flush": "Three-card Straight Flush (Instant Winner)",
    "instant-three-of-a-kind": "Three-of-a-kind (Instant Winner)",
    "three-of-a-kind": "Three-of-a-kind",
    "two-pair": "Two pair",
    "pair-of-tens-or-better": "Pair of Tens, Jacks, Queens, Kings or Aces",
    "pair-of-jacks-or-better": "Pair of Jacks or Better",
}


def _main(cite: str, version: str, four: str, full: str) -> Paytable:
    return paytable(
        None,
        cite,
        {
            "royal-flush": "500 to 1",
            "straight-flush": "100 to 1",
            "four-of-a-kind": four,
            "full-house": full,
            "flush": "8 to 1",
            "straight": "5 to 1",
            "instant-three-card-straight-flush": "5 to 1",
            "instant-three-of-a-kind": "5 to 1",
            "three-of-a-kind": "3 to 1",
            "two-pair": "2 to 1",
            "pair-of-tens-or-better": "1 to 1",
        },
        covers={"pair-of-tens-or-better": ("pair-of-jacks-or-better", "pair-of-tens")},
        printed=_PRINTED,
        when=f"version={version}",
    )


def _bonus(cite: str, version: str) -> Paytable:
    return paytable(
        None,
        cite,
        {
            "royal-flush": "10,000 to 1",
            "straight-flush": "1000 to 1",
            "four-of-a-kind": "100 to 1",
            "full-house": "50 to 1",
            "flush": "25 to 1",
            "straight": "15 to 1",
            "instant-three-card-straight-flush": "5 to 1",
            "instant-three-of-a-kind": "5 to 1",
            "three-of-a-kind": "3 to 1",
            "two-pair": "1 to 1",
            "pair-of-jacks-or-better": "push",
        },
        printed=_PRINTED,
        when=f"version={version}",
    )


MAIN = (
    _main("§12(b)", "required-bet", "40 to 1", "11 to 1"),
    _main("§13(b)", "permissible-bet", "25 to 1", "10 to 1"),
)
BONUS = (_bonus("§12(d)", "required-bet"), _bonus("§13(d)", "permissible-bet"))
