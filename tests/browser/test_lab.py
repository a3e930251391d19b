"""The lab, practice and the coach in a browser: figures that follow the keyboard, accessible to everyone."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

import pytest
from playwright.sync_api import Page, Route, expect

from browser.axe import violations
from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game, game_names
from pitboss.lab.worth import worth_of
from pitboss.rules.choices import Choices
from pitboss.rules.in_force import RulesInForce
from pitboss.rules.payoff import payoff
from pitboss.rules.play import Ask

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
WARM_MS = 180_000  # where nothing was compiled before
VIEWS = ("paytable", "edges", "sheet", "results", "strategy", "shift", "rulings")
ON_TOP = """node => {
  const box = node.getBoundingClientRect()
  return node.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2))
}"""
# Which tables reach out of the part of the page that they are in.
CLIPPED = """tables => tables.filter((table) => table.scrollWidth > table.parentElement.clientWidth + 1
  || table.getBoundingClientRect().right > table.parentElement.getBoundingClientRect().right + 1)
  .map((table) => table.textContent)"""
CHARTED = "colorado-holdem"  # with a grid for every pair of ranks
# One of the 52 cards, with one question that a word answers, and a side wager whose odds the rulebook fixes.
GAME = next(
    name
    for name in game_names()
    if len(game(name).deck) == 52
    and not any(action.discards for step in game(name).play if isinstance(step, Ask) for action in step.actions)
    and sum(isinstance(step, Ask) for step in game(name).play) == 1
)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Open one server for all tests here, so that its lab warms up once."""
    found = Stage(tmp_path_factory.mktemp("lab"), [GAME])
    yield found
    found.stop()


def edge_shown(page: Page) -> str:
    shown = page.locator("output.edge").first
    expect(shown).to_contain_text("%", timeout=WARM_MS)
    return shown.inner_text()


def printed(share: Fraction) -> str:
    return f"{100 * abs(float(share)):.4f}%"


def test_typing_odds_moves_the_edge_and_says_what_is_unlawful(stage: Stage, visit: Callable[..., Visitor]) -> None:
    rules = RulesInForce(game(GAME))
    wager = next(wager for wager in rules.game.wagers if wager.name in rules.paytables and not wager.required)
    table = rules.paytables[wager.name]
    page = visit(stage, None).goto(f"/lab/{GAME}/paytable")
    page.locator("header.bar select").select_option(wager.name)
    assert edge_shown(page) == printed(worth_of(rules, wager.name).house_edge)
    expect(page.get_by_text("A table may offer this.")).to_be_visible()
    line = table.lines[0]
    page.get_by_label(f"odds for {line.title}").fill("77 to 1")
    own = table.with_odds({line.hand: payoff("77 to 1")})
    exact = worth_of(RulesInForce(game(GAME), Choices(own_tables={wager.name: own})), wager.name)
    expect(page.locator("output.edge").first).to_have_text(printed(exact.house_edge))
    expect(page.get_by_text("No table may offer this.")).to_be_visible()
    expect(page.get_by_text(re.compile("The rulebook sets")).first).to_be_visible()
    for typed, meant in (("78", "78 to 1"), ("79:1", "79 to 1"), ("80.5 to 1", "161 to 2")):
        page.get_by_label(f"odds for {line.title}").fill(typed)
        own = table.with_odds({line.hand: payoff(meant)})
        exact = worth_of(RulesInForce(game(GAME), Choices(own_tables={wager.name: own})), wager.name)
        expect(page.locator("output.edge").first).to_have_text(printed(exact.house_edge))
    field = page.get_by_label(f"odds for {line.title}")
    own = table.with_odds({line.hand: payoff("$1,000")})
    exact = worth_of(RulesInForce(game(GAME), Choices(own_tables={wager.name: own})), wager.name)
    for amount in ("$1,000", "$1000", "1,000 dollars", "$ 1,000.00"):
        field.fill("78")
        expect(page.locator("output.edge").first).not_to_have_text(printed(exact.house_edge))
        field.fill(amount)
        expect(page.locator("output.edge").first).to_have_text(printed(exact.house_edge))
        field.blur()
        expect(field).to_have_value("$1,000")  # as a paytable prints it
    field.fill("$1,00")
    expect(page.get_by_text("Enter odds like 9 to 1, $1,000 or push.")).to_be_visible()
    page.get_by_label(f"odds for {line.title}").fill("77 to 1")
    page.get_by_role("button", name="Compare two paytables").click()
    expect(page.locator("output.edge")).to_have_count(2)
    expect(page.get_by_text("Difference:")).to_be_visible()


def test_an_exact_fraction_is_grouped_for_the_eye_and_copied_plain(stage: Stage, visit: Callable[..., Visitor]) -> None:
    page = visit(stage, None).goto(f"/lab/{GAME}/results")
    edge_shown(page)
    shown = page.locator(".exact").first
    assert Fraction(shown.inner_text()) == worth_of(RulesInForce(game(GAME)), "main").ev
    copied = page.evaluate(
        """() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.exact'))
            getSelection().removeAllRanges(); getSelection().addRange(range); return String(getSelection()) }"""
    )
    assert re.fullmatch(r"-?\d+/\d+", copied)
    assert shown.locator(".group").count() > 2


def test_on_a_phone_the_choices_are_one_line_and_the_number_stays_while_one_types(
    stage: Stage, visit: Callable[..., Visitor]
) -> None:
    # As much as the keyboard of a phone leaves.
    page = visit(stage, None, viewport={"width": 390, "height": 420}).goto(f"/lab/{GAME}/paytable")
    edge_shown(page)
    summary = page.locator("details.choices > summary")
    expect(summary).to_contain_text("rulebook defaults")
    summary.click()
    letters = page.locator("details.choices select").first
    letters.select_option(index=1)
    summary.click()
    expect(summary).not_to_contain_text("rulebook defaults")
    edge = page.locator("output.edge").first
    before = edge.inner_text()
    page.get_by_role("textbox", name=re.compile("odds for")).last.fill("97 to 1")
    expect(edge).not_to_have_text(before)
    following = page.get_by_test_id("following")
    expect(following).to_contain_text(edge.inner_text())
    expect(following).to_be_in_viewport()
    expect(following).to_contain_text("vs. the rulebook")
    page.goto(f"{stage.address}/lab/{GAME}/rulings")
    expect(page.get_by_role("link", name="Rulings")).to_be_in_viewport(ratio=0.99)  # a scroll ends on whole pixels
    expect(page.get_by_role("navigation", name="Views")).to_have_class(re.compile("more-before"))


def test_an_example_explains_the_strategy_page(stage: Stage, visit: Callable[..., Visitor]) -> None:
    page = visit(stage, None).goto(f"/lab/{GAME}/strategy")
    page.get_by_test_id("example-2").click()
    expect(page.locator("li.best").first).to_be_visible(timeout=WARM_MS)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_test_id("example-1")).to_be_visible()


def test_the_value_of_picked_cards_a_shift_and_a_hard_hand(stage: Stage, visit: Callable[..., Visitor]) -> None:
    page = visit(stage, "alice").goto(f"/lab/{GAME}/strategy")
    deck = page.get_by_role("button", name=re.compile(" of (spades|hearts)$"))
    for number in range(game(GAME).cards_each):
        deck.nth(3 * number).click()
    expect(page.locator("li.best").first).to_be_visible(timeout=WARM_MS)
    page.get_by_role("link", name="Simulate a shift").click()
    page.get_by_label("Rounds").fill("2000")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("2,000 of 2,000 rounds")).to_be_visible(timeout=WARM_MS)
    expect(page.get_by_text(re.compile("The house (won|lost)"))).to_be_visible(timeout=WARM_MS)
    for row in page.get_by_role("main").locator("tbody tr").all():
        hold, theory, errors = (
            float(text.strip("%").replace("−", "-")) for text in row.get_by_role("cell").all_inner_texts()[-3:]
        )
        assert hold == theory or (hold > theory) == (errors > 0)  # the sign is the house's
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Practice").click()
    page.get_by_role("button", name=re.compile("^(Play|Fold)$")).first.wait_for(timeout=WARM_MS)
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile("100 on average, 1 hand"))).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Next hand")).to_have_count(0)


def test_a_shift_that_the_server_has_forgotten_is_reported_and_another_can_begin(
    stage: Stage, visit: Callable[..., Visitor]
) -> None:
    dealer = visit(stage, "dea")
    page = dealer.goto(f"/lab/{GAME}/shift")
    gone = {"refused": {"reason": "There is no such simulation", "clause": None, "field": None}}
    page.route("**/api/lab/jobs/**", lambda route: route.fulfill(status=404, json=gone))
    page.get_by_label("Rounds").fill("300000")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("There is no such simulation")).to_be_visible(timeout=WARM_MS)
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    dealer.forgive()  # the browser notes the refusal


def test_practice_asks_only_for_what_is_offered(stage: Stage, visit: Callable[..., Visitor]) -> None:
    page = visit(stage, None).page

    def claimed(route: Route) -> None:
        answer = route.fetch()
        hand = {**answer.json(), "asked": "play, fold or declare"} if answer.ok else answer.json()
        route.fulfill(response=answer, json=hand)

    page.route("**/api/lab/practice?**", claimed)
    page.goto(f"{stage.address}/practice/{GAME}")
    page.locator(".actions button").first.wait_for(timeout=WARM_MS)
    expect(page.locator(".question")).to_have_text("Play or fold")


def test_practice_goes_on_after_a_lost_answer_and_scores_a_hand_once(
    stage: Stage, visit: Callable[..., Visitor]
) -> None:
    stranger = visit(stage, None)
    page = stranger.page
    page.route("**/api/lab/practice?**", lambda route: route.abort())
    stranger.goto(f"/practice/{GAME}")
    expect(page.get_by_text("The server isn’t responding")).to_be_visible()
    page.unroute("**/api/lab/practice?**")
    page.get_by_role("button", name="Deal again").click()
    page.locator(".actions button").first.wait_for(timeout=WARM_MS)
    expect(page.get_by_text("The server isn’t responding")).to_have_count(0)
    scored: list[str] = []

    def slowly(route: Route) -> None:
        scored.append(route.request.url)
        page.wait_for_timeout(300)
        route.continue_()

    page.route("**/api/lab/practice", slowly)
    page.evaluate("for (const key of ['1', '2']) dispatchEvent(new KeyboardEvent('keydown', { key }))")
    expect(page.get_by_text(re.compile("on average, 1 hand$"))).to_be_visible()
    assert len(scored) == 1
    stranger.forgive()  # the browser notes the lost answer


def test_a_file_that_cannot_be_had_says_why_and_can_be_asked_for_again(
    stage: Stage, visit: Callable[..., Visitor]
) -> None:
    stranger = visit(stage, None)
    page = stranger.goto(f"/lab/{GAME}/edges")
    edge_shown(page)
    page.route("**/api/lab/packet.pdf", lambda route: route.abort())
    page.get_by_role("button", name="PDF").click()
    expect(page.get_by_role("alert")).to_contain_text("The server isn’t responding")
    expect(page.get_by_role("button", name="PDF")).to_be_enabled()
    refused = {"refused": {"reason": "Too many questions", "clause": None, "field": None}}
    page.route("**/api/lab/*.csv", lambda route: route.fulfill(status=429, json=refused))
    page.get_by_role("button", name="CSV").click()
    expect(page.get_by_role("alert")).to_contain_text("Too many questions")
    stranger.goto(f"/lab/{GAME}/sheet").get_by_role("button", name="CSV").click(timeout=WARM_MS)
    expect(page.get_by_role("alert")).to_contain_text("Too many questions")
    stranger.forgive()  # the browser notes the lost answers


def test_a_chart_that_the_coach_cannot_have_says_why(stage: Stage, visit: Callable[..., Visitor]) -> None:
    carol = visit(stage, "carol")
    page = carol.goto(f"/tables/{GAME}")
    assert give(page, {"kind": "TakeSeat", "seat": 2}) == 200
    page.evaluate("localStorage.setItem('pitboss.preferences', JSON.stringify({coach: true}))")
    refused = {"refused": {"reason": "There is no chart of this game", "clause": None, "field": None}}
    page.route("**/api/lab/chart/*", lambda route: route.fulfill(status=409, json=refused))
    page.reload()
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_role("button", name=re.compile("chart", re.IGNORECASE)).click()
    expect(coach.get_by_role("alert")).to_have_text("There is no chart of this game")
    assert give(page, {"kind": "LeaveSeat", "seat": 2}) == 200
    carol.forgive()  # the browser notes the refusal


def test_a_chart_beside_the_felt_is_seen_whole_and_lengthens_no_page(
    staged: Callable[..., Stage], visit: Callable[..., Visitor]
) -> None:
    visitor = visit(staged([CHARTED]), "carol")
    page = Seated(visitor, CHARTED, 2).page
    page.evaluate("localStorage.setItem('pitboss.preferences', JSON.stringify({coach: true}))")
    page.reload()
    for width, height in ((1280, 800), (1920, 1080), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        long = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        if width < 720:
            page.get_by_role("button", name="Your round").click()
        coach = page.get_by_role("region", name="Coach").last
        coach.get_by_role("button", name=re.compile("chart", re.IGNORECASE)).click()
        coach.get_by_role("table").first.wait_for(timeout=WARM_MS)
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= max(long, 1), width
        assert coach.get_by_role("table").evaluate_all(CLIPPED) == [], width
        coach.get_by_role("button", name=re.compile("chart", re.IGNORECASE)).click()


def test_the_coach_advises_on_the_players_turn_and_remembers_what_it_cost(
    stage: Stage, visit: Callable[..., Visitor]
) -> None:
    bob = visit(stage, "bob")
    page = bob.goto("/lab")
    edge_shown(page)  # the lab is warm from here on
    page.evaluate("localStorage.setItem('pitboss.preferences', JSON.stringify({coach: true}))")
    stakes = {wager.name: 1000 for wager in game(GAME).wagers if wager.required and not wager.by_action}
    for body in ({"kind": "TakeSeat", "seat": 1}, {"kind": "BuyIn", "cents": 50_000}):
        assert give(page, body) == 200
    bob.goto(f"/tables/{GAME}")
    for _ in range(200):
        if give(page, {"kind": "PlaceWagers", "seat": 1, "stakes": stakes}) == 200:
            break
        page.wait_for_timeout(100)
    coach = page.get_by_role("region", name="Coach")
    expect(coach.locator("li.best").first).to_be_visible(timeout=120_000)
    worst = coach.locator("li").last.locator(".action").inner_text().strip()
    coached_on_a_phone(page, coach.locator("li.best .action").first.inner_text().split()[0])
    assert give(page, {"kind": "Act", "seat": 1, "action": worst.lower()}) == 200
    expect(coach.get_by_text(re.compile(rf"^{worst} cost \$"))).to_be_visible()
    expect(coach.get_by_text("Best play in 0 of 1 decision")).to_be_visible()
    bob.forgive()  # wagers that came too early were refused, and the browser notes it


def coached_on_a_phone(page: Page, best: str) -> None:
    """Check that the advice is in view without the sheet, and that the sheet hides no card, clock or button."""
    before = page.viewport_size
    assert before is not None
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_test_id("coach-line").locator("li").first).to_contain_text(best)
    page.get_by_role("button", name="Your round").click()
    sheet = page.get_by_test_id("sheet")
    expect(sheet.get_by_test_id("sheet-cards").get_by_role("img")).to_have_count(game(GAME).cards_each)
    edge = page.get_by_test_id("desk").bounding_box()
    box = sheet.bounding_box()
    assert edge is not None
    assert box is not None
    assert box["y"] + box["height"] <= edge["y"] + 1
    expect(page.get_by_role("timer")).to_be_in_viewport()
    for button in page.locator('[data-testid^="action-"]').all():
        assert button.evaluate(ON_TOP), button.inner_text()
    assert violations(page) == []
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    page.set_viewport_size(before)


def give(page: Page, body: dict[str, object]) -> int:
    """Give a command at the table as the page would."""
    status: int = page.evaluate(
        """async ([table, body]) => (await fetch(`/api/tables/${table}/commands`, {
            method: 'POST', headers: {'content-type': 'application/json'},
            body: JSON.stringify({id: crypto.randomUUID(), body})})).status""",
        [GAME, body],
    )
    return status


def test_no_page_of_the_lab_has_a_serious_barrier_in_either_theme(stage: Stage, visit: Callable[..., Visitor]) -> None:
    for theme in ("dark", "light"):
        stranger = visit(stage, None, color_scheme=theme)
        for view in VIEWS:
            page = stranger.goto(f"/lab/{GAME}/{view}")
            if view in ("paytable", "edges", "sheet", "results"):
                edge_shown(page)
            if view == "rulings":
                page.locator("article").first.wait_for(timeout=WARM_MS)
            assert violations(page) == [], view
        page = stranger.goto(f"/practice/{GAME}")
        page.locator(".actions button").first.wait_for(timeout=WARM_MS)
        page.keyboard.press("1")
        page.get_by_role("button", name="Next hand").wait_for()
        assert violations(page) == []


def test_the_lab_fits_a_narrow_screen_and_one_magnified_twice(stage: Stage, visit: Callable[..., Visitor]) -> None:
    stranger = visit(stage, None)
    for path in (*(f"/lab/{GAME}/{view}" for view in VIEWS), f"/practice/{GAME}"):
        page = stranger.goto(path)
        page.get_by_role("combobox").first.wait_for()
        for width, height in ((360, 740), (640, 400)):  # the second is 1280 by 800 at twice the size
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
