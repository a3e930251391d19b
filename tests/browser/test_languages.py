"""The page in Spanish, by the browser's language or by choice, with amounts in the locale's format."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
GAME = game_names()[0]
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]


def choose(page: Page, preferences: str, language: str, close: str) -> None:
    page.get_by_role("button", name=preferences).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=language).check()
    dialog.get_by_role("button", name=close).click()


def test_a_spanish_browser_gets_the_sign_in_and_the_lobby_in_spanish(staged: Staged, visit: Visit) -> None:
    page = visit(staged([GAME]), None, locale="es-MX").goto("/sign-in")
    page.get_by_role("heading", name="Iniciar sesión", exact=True).wait_for()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.get_by_label("Contraseña")).to_be_visible()
    expect(page).to_have_title("Iniciar sesión · Pitboss")
    page.get_by_role("link", name="Mesas").click()
    card = page.get_by_test_id(f"table-{GAME}")
    expect(card.get_by_role("link", name="Ver")).to_be_visible()
    expect(card).to_contain_text("Asientos ocupados")


def test_a_round_is_played_in_spanish(staged: Staged, visit: Visit) -> None:
    table = "ultimate-texas-holdem"
    alice = Seated(visit(staged([table]), "alice", locale="es-MX"), table, 1)
    expect(alice.page.get_by_test_id("desk")).to_contain_text("Elija una ficha")
    alice.bet({"ante": 10_00})
    expect(alice.page.get_by_test_id("now")).to_contain_text("Su turno", timeout=120_000)
    for action in ("check", "check", "fold"):
        alice.act(action)
    expect(alice.page.get_by_test_id("now")).to_contain_text("La ronda terminó")
    alice.page.get_by_role("button", name="¿Por qué este resultado").first.click()
    expect(alice.page.get_by_role("dialog").get_by_role("button", name="Cerrar")).to_be_visible()


def test_the_language_chosen_is_shown_without_a_reload_and_remembered(staged: Staged, visit: Visit) -> None:
    page = visit(staged([GAME]), "alice", locale="en-US").goto(f"/tables/{GAME}")
    page.get_by_test_id("sit-1").wait_for()
    page.evaluate("window.isSamePage = true")
    choose(page, "Preferences", "Español", "Cerrar")
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    expect(page.get_by_test_id("invitation")).to_have_text("Está mirando. Elija un asiento libre para sentarse.")
    assert page.evaluate("window.isSamePage")
    page.reload()
    expect(page.get_by_role("button", name="Cerrar sesión")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    choose(page, "Preferencias", "English", "Close")
    expect(page.get_by_test_id("invitation")).to_have_text("You’re watching. Choose an empty seat to sit down.")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_hold_report_counts_voided_rounds_in_spanish(staged: Staged, visit: Visit) -> None:
    page = visit(staged([GAME]), "pit", locale="es-MX").goto("/floor/reports/hold")
    expect(page.get_by_role("columnheader").last).to_have_text("Rondas anuladas")
    expect(page.get_by_role("row").last.get_by_role("cell").last).to_have_text("0")


@pytest.mark.parametrize(
    ("locale", "day", "shifts"),
    [
        ("en-US", r"Gaming day [A-Z][a-z]{2} \d{1,2}, \d{4}", ("day", "swing", "night")),
        ("es-MX", r"Día de juego \d{1,2} \w{3,4} \d{4}", ("diurno", "vespertino", "nocturno")),
    ],
)
def test_dates_and_shifts_are_named_in_the_readers_language(
    staged: Staged, visit: Visit, locale: str, day: str, shifts: tuple[str, ...]
) -> None:
    visitor = visit(staged([GAME]), "pit", locale=locale)
    alert = {"id": "cash:1", "kind": "cash-log", "table": "", "since": 0, "clause": None, "cause_gone_at": None}
    text = "carol's cash in is $9,000 on 2026-11-16, near the limit of $10,000"

    def with_alert(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "alerts": [{**alert, "text": text}]})

    visitor.page.route("**/api/floor", with_alert)
    shown = visitor.goto("/floor").get_by_test_id("alerts").get_by_test_id("alert-cash-log")
    expect(shown).to_contain_text({"en-US": "on Nov 16, 2026, near", "es-MX": "on 16 nov 2026, near"}[locale])
    visitor.page.unroute("**/api/floor")
    working = visitor.goto("/floor/money").get_by_test_id("working")
    expect(working).to_contain_text(re.compile(day))
    expect(working).to_contain_text(re.compile("|".join(shifts)))
    hold = visitor.goto("/floor/reports/hold")
    hold.get_by_role("combobox").select_option("day")
    expect(hold.get_by_role("main")).not_to_contain_text(re.compile(r"\d{4}-\d\d"))


@pytest.mark.parametrize(
    ("locale", "title", "held", "limits"),
    [
        ("en-US", "Balance", "$10,000", "$5 – $500"),
        ("es-MX", "Saldo", "$10,000", "$5 – $500"),
        ("es-ES", "Saldo", "10.000 $", "5 $ – 500 $"),
    ],
)
def test_money_is_written_as_the_locale_writes_it(
    staged: Staged, visit: Visit, locale: str, title: str, held: str, limits: str
) -> None:
    page = visit(staged([GAME]), "alice", locale=locale).goto("/")
    expect(page.get_by_title(title)).to_have_text(held)
    expect(page.get_by_test_id(f"table-{GAME}")).to_contain_text(limits)


def test_an_amount_is_typed_as_the_locale_writes_it(staged: Staged, visit: Visit) -> None:
    page = visit(staged([GAME]), "cay", locale="es-ES").goto("/floor/cage")
    form = page.get_by_test_id("cage-IssueMoney")
    form.get_by_label("Persona").fill("alice")
    for text, shown in (("12,50", "12,50 $"), ("25.000", "25.000 $")):
        form.get_by_label("Monto").fill(text)
        form.get_by_role("button", name="Depositar").click()
        expect(form.get_by_role("status")).to_contain_text(shown)
    form.get_by_label("Monto").fill("12.50")  # a group of thousands has three digits
    form.get_by_role("button", name="Depositar").click()
    expect(form.get_by_role("alert")).to_contain_text("Escriba un monto en dólares")
