"""The page's frame and the lobby: what everyone sees around every page, and the way to a table."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from browser.axe import violations
from browser.seated import Seated
from browser.staged import Stage, Visitor
from browser.worked import READ, StaffedStage
from pitboss.games.catalogue import game, game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]


def test_a_stranger_sees_the_tables_and_the_way_in_and_nobody_elses_pages(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stranger = visit(staged(), None)
    page = stranger.goto("/")
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    assert page.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["Tables", "Practice", "Lab"]
    stranger.goto("/floor")
    page.get_by_text("Sign in to see this page.").wait_for()
    stranger.goto("/nowhere-at-all")
    page.get_by_role("main").get_by_role("link").wait_for()  # the page says so, with a way back
    stranger.forgive()  # the browser notes the missing address, which was asked for


def test_signing_out_ends_the_session_and_shows_it(staged: Callable[..., Stage], visit: Callable[..., Visitor]) -> None:
    page = visit(staged(), "alice").goto("/")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    page.reload()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()


def test_a_failed_sign_out_is_reported_and_the_person_stays_signed_in(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    alice = visit(staged(game_names()[:1]), "alice")
    page = alice.goto("/")
    page.route("**/api/sign-out", lambda route: route.abort())
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("You’re still signed in. The server isn’t responding.")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.unroute("**/api/sign-out")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)
    alice.forgive()  # the browser notes the request that failed


def test_a_page_that_does_not_know_who_is_signed_in_asks_again(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    alice = visit(staged(game_names()[:1]), "alice")
    alice.page.route("**/api/session", lambda route: route.fulfill(status=503), times=2)
    page = alice.goto("/")
    page.get_by_role("button", name="Sign out").wait_for()
    alice.forgive()  # the browser notes the answers that were none


def test_practice_results_are_cleared_when_the_person_changes(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    page = visit(staged(game_names()[:1]), "alice").goto(f"/practice/{game_names()[0]}")
    page.get_by_role("region", name="Your cards").get_by_role("button").first.click(timeout=180_000)
    score = page.get_by_role("region", name="Score")
    expect(score).to_contain_text("1 hand", timeout=180_000)
    page.get_by_role("button", name="Sign out").click()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    expect(score).not_to_contain_text("1 hand")


def test_a_stranger_in_a_house_that_plays_for_money_is_asked_to_sign_in_and_nothing_is_refused(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged(game_names()[-1:], kind=StaffedStage)
    stranger = visit(stage, None)
    answers: list[int] = []
    stranger.page.on("response", lambda answer: answers.append(answer.status))
    page = stranger.goto("/")
    page.get_by_test_id(f"table-{READ}").wait_for()
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    assert page.get_by_role("navigation").get_by_role("link").all_inner_texts() == ["Tables"]
    for path, title in (("/lab", "Lab"), ("/practice", "Practice")):
        stranger.goto(path)
        page.get_by_text(f"Sign in to use the {title} page.").wait_for()
        expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_have_attribute("href", "/sign-in")
    assert max(answers) < 400
    page = visit(stage, "alice").goto("/lab")
    page.get_by_role("combobox", name="Game").wait_for()


def test_the_lobby_draws_each_table_from_its_own_rules_and_names_wagers_as_they_do(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged()
    lobby = visit(stage, "alice").goto("/")
    for name in game_names():
        card = lobby.get_by_test_id(f"table-{name}")
        felt = card.get_by_role("img", name=re.compile("^The felt: .*No players.$"))
        felt.wait_for()
        rules = lobby.evaluate("name => fetch(`/api/tables/${name}/rules`).then((answer) => answer.json())", name)
        expect(felt.locator(".slot")).to_have_count(sum(place["cards"] for place in rules["places"]))
        expect(felt.locator(".area")).to_have_count(len(rules["wagers"]) * rules["seats"])
        lettered = [wager.title for wager in game(name).wagers if wager.name in stage_paytables(lobby, name)]
        for title in lettered:
            expect(card.locator(".paytables")).to_contain_text(title)
    Seated(visit(stage, "bob"), game_names()[0], 2)
    seen = lobby.get_by_test_id(f"table-{game_names()[0]}")
    expect(seen.get_by_role("img", name=re.compile("bob in seat 2"))).to_be_visible()
    expect(seen.get_by_text("1 of 6")).to_be_visible()


def stage_paytables(page: Page, table: str) -> list[str]:
    """Return the wagers that the lobby knows a paytable of."""
    found: list[str] = page.evaluate(
        """table => fetch('/api/tables').then((answer) => answer.json())
            .then((all) => Object.keys(all.find((one) => one.table === table).paytables))""",
        table,
    )
    return found


@pytest.mark.parametrize(("width", "across"), [(390, 1), (1280, 2), (1920, 4)])
def test_four_tables_are_in_even_rows(
    staged: Callable[..., Stage], visit: Callable[..., Visitor], width: int, across: int
) -> None:
    stage = staged()
    page = visit(stage, None, viewport={"width": width, "height": 900}).goto("/")
    cards = page.locator(".tables > li")
    expect(cards).to_have_count(len(game_names()))
    boxes = [card.bounding_box() for card in cards.all()]
    lefts = {round(box["x"]) for box in boxes if box}
    assert len(lefts) == across
    assert len({round(box["width"]) for box in boxes if box}) == 1


def test_going_to_another_page_by_keyboard_starts_at_its_top(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    page = visit(staged(game_names()[:1]), None).goto("/")
    page.get_by_role("banner").get_by_role("link", name="Sign in").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("main").get_by_role("link", name="Sign in")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main", name="Sign in")).to_be_focused()
    page.get_by_role("textbox", name="Name").wait_for()  # its part of the program is loaded when it is opened
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()


def test_a_page_that_restarts_takes_the_focus_and_one_that_continues_leaves_it(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged(game_names()[:2])
    floor = visit(stage, "pit").goto("/floor")
    tab = floor.get_by_role("navigation", name="Floor sections").get_by_role("link", name="Reports")
    tab.press("Enter")
    expect(tab).to_have_attribute("aria-current", "page")
    expect(floor.get_by_role("main", name="Floor")).to_be_focused()
    lab = visit(stage, "alice").page
    for path in ("/lab", "/practice"):
        lab.goto(stage.address + path)
        chosen = lab.get_by_role("combobox", name="Game")
        chosen.focus()
        chosen.select_option(game_names()[1])
        expect(lab).to_have_url(re.compile(f"{path}/{game_names()[1]}"))
        expect(chosen).to_be_focused()


def test_the_lobby_follows_a_table_to_other_rules(staged: Callable[..., Stage], visit: Callable[..., Visitor]) -> None:
    table, lobby = game_names()[0], visit(staged(game_names()[:1]), None)
    others: list[str] = []

    def answer(route: Route) -> None:
        response = route.fetch()
        body = response.json()
        if others and route.request.url.endswith("/rules"):
            body["version"], body["wagers"][0]["title"] = "other", "Wager of the other rules"
        elif others and isinstance(body, list):
            body[0]["minimum_cents"] *= 2
        elif others:
            body["rules"] = "other"
        route.fulfill(response=response, json=body)

    lobby.page.route(re.compile(r"/api/tables(/[^/]+)?(/rules)?$"), answer)
    page = lobby.goto("/")
    drawn = page.get_by_test_id(f"table-{table}").get_by_role("img")
    drawn.wait_for()
    page.get_by_test_id(f"rules-{table}").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("How to play")
    expect(sheet).not_to_contain_text("Wager of the other rules")
    page.keyboard.press("Escape")
    others.append(table)
    with page.expect_response(re.compile("/rules$")):
        page.wait_for_timeout(2_500)  # the lobby looks again every two seconds
    page.get_by_test_id(f"rules-{table}").click()
    expect(sheet).to_contain_text("Wager of the other rules")
    page.unroute_all(behavior="wait")


def test_the_rules_of_a_table_are_one_click_away_and_a_stranger_may_watch(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    page = visit(staged(game_names()[:1]), None).goto("/")
    page.get_by_test_id(f"rules-{game_names()[0]}").click()
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("link", name=re.compile("^Watch")).click()
    page.get_by_test_id("seat-1").wait_for()


def test_the_way_in_has_no_serious_barrier_in_either_theme(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged()
    for theme in ("dark", "light"):
        page = visit(stage, None, color_scheme=theme).goto("/sign-in")
        page.get_by_role("button", name="Sign in").wait_for()
        expect(page.get_by_role("region", name="Without signing in").get_by_role("link")).to_have_count(4)
        assert violations(page) == []


def test_a_link_that_was_used_leads_to_a_sentence_or_back_in(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    stage = staged()
    alice = visit(stage, "alice")
    page = alice.goto(f"/links/{stage.links['alice']}")
    page.get_by_role("button", name="Sign out").wait_for()
    other = visit(stage, None).goto(f"/links/{stage.links['alice']}")
    other.get_by_text("This link was already used").wait_for()
