"""The vulnerability sheet in the packet, where it is asked for."""

from fractions import Fraction

from packet.made import EXAMPLES, packet
from pitboss.packet.contents import packet_of
from pitboss.packet.exposed_cards import spelled
from pitboss.packet.typeset import pdf_of
from pitboss.submission.read import read_submission


def test_the_sheet_is_in_the_packet_only_if_asked_for() -> None:
    assert packet("dragon-poker").parts[0].exposures is None
    whole = packet_of(read_submission(EXAMPLES / "dragon-poker.toml"), with_exposures=True)
    (part,) = whole.parts
    assert part.exposures is not None
    seen = {row[0]: row for row in part.exposures.rows}
    row = seen["one of the dealer's cards"]
    assert row[1] == row[-1]
    exposed, gain = row[1:3]
    assert isinstance(exposed, Fraction)
    assert isinstance(gain, Fraction)
    assert exposed - gain == part.main.ev
    assert part.exposures in tuple(part.tables())
    assert pdf_of(whole).startswith(b"%PDF")


def test_exposures_are_spelled_in_words() -> None:
    assert spelled(("dealer:1", "flop:1")) == "one of the dealer's cards and a card of the flop"
    assert spelled(("neighbours:5",)) == "the cards of 5 neighbors"
