"""The risk figures that `pitboss edge --par` adds to a wager's exact value."""

from typing import TYPE_CHECKING, Any

from pitboss.cli.output import show_table
from pitboss.games import game

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.lab.worth import Worth


def par_data(row: "Worth") -> dict[str, Any]:
    """Return a wager's risk figures, and what its game's jurisdiction requires of it."""
    from pitboss.lab.gates import checked
    from pitboss.lab.risk import risk_of

    gates = [check.as_dict() for check in checked(row, game(row.game).rulebook.jurisdiction)]
    return {**risk_of(row), "gates": gates}


def show_par(title: str, row: "Worth", out: "Console") -> None:
    """Print a wager's risk figures."""
    found = par_data(row)
    volatility = ", ".join(f"{units:.4f} at {share}" for share, units in found["volatility_index"].items())
    n0 = found["n0"]
    out.print(f"\n{title}: risk figures, in units", markup=False)
    pairs = [
        ("volatility index", volatility),
        ("skewness", f"{found['skewness']:.4f}"),
        ("excess kurtosis", f"{_value(found['excess_kurtosis']):,.4f}"),
        ("N0", "" if n0 is None else f"{_value(n0):,.0f} rounds"),
    ]
    for risk, units in found["bankroll"].items():
        pairs.append((f"bankroll for ruin {risk}", "no house edge" if units is None else f"{units:,.1f}"))
    for check in found["gates"]:
        needs, has = _value(check["least"]), _value(check["found"])
        shown = f"{has:.4%} of {needs:.0%}" if check["demands"] == "minimum return" else f"1 in {1 / has:,.0f}"
        pairs.append((check["demands"], f"{shown}: {check['result']} ({check['source']})"))
    show_table("", ("figure", "value"), pairs, out)
    shares = [*next(iter(found["percentiles"].values()))]
    rows = [
        (f"{int(rounds):,}", *(f"{at:+,.6g}" for at in ends.values())) for rounds, ends in found["percentiles"].items()
    ]
    out.print("The player's result of a session, by percentile", markup=False)
    show_table("", ("rounds", *shares), rows, out)
    within = [*found["hits"][0]["within"]]
    waits = [
        (hit["hand"], f"{_value(hit['mean']):,.1f}", *(f"{rounds:,}" for rounds in hit["within"].values()))
        for hit in found["hits"]
    ]
    out.print("Rounds until a hit, on average and by probability", markup=False)
    show_table("", ("result", "on average", *within), waits, out)


def _value(fraction: str) -> float:
    top, _, below = fraction.partition("/")
    return int(top) / int(below or 1)
