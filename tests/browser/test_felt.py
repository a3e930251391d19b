"""The felt in a browser: nothing overlaps, text is readable, and nothing moves by itself."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Page, Route, TimeoutError, expect

from browser.axe import violations
from browser.entered import Sessions
from browser.seated import Seated
from browser.staged import Stage, Visitor
from pitboss.games.catalogue import game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
PACE = {"wagers_ms": 5_000, "decision_ms": 60_000, "step_ms": 30, "between_rounds_ms": 60_000}
SCREENS = ((1280, 800), (1920, 1080), (1024, 768), (768, 1024), (390, 844), (360, 740))
LEAST_PX = 10.95  # 11, less what rounding takes
PEOPLE = ("alice", "bob", "carol", "bot 0 at a table", "somebody with a long name", "player")
Staged = Callable[..., Stage]
Visit = Callable[..., Visitor]

# Everything that is drawn as turned rectangles, in pixels; letters of a curved line one by one.
FAULTS = """(least) => {
  const svg = document.querySelector('svg[role="group"]')
  const quad = (one, box) => {
    const to = one.getScreenCTM()
    return [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => {
      const point = new DOMPoint(box.x + x * box.width, box.y + y * box.height).matrixTransform(to)
      return [point.x, point.y]
    })
  }
  const letters = (one) => Array.from({length: one.getNumberOfChars()}, (_, at) => quad(one, one.getExtentOfChar(at)))
  const shapes = (one) => [...one.querySelectorAll('rect, circle, text')]
    .filter((each) => !each.closest('[opacity="0"]') && each.getBBox().width > 0)
    .map((each) => quad(each, each.getBBox()))
  const apart = (one, other) => {
    const side = (quad, at) => [quad[at + 1][0] - quad[at][0], quad[at + 1][1] - quad[at][1]]
    const sides = [one, other].flatMap((quad) => [side(quad, 0), side(quad, 1)])
    return sides.some(([x, y]) => {
      const long = Math.hypot(x, y)
      const [a, b] = [one, other].map((quad) => quad.map((point) => (point[0] * x + point[1] * y) / long))
      return Math.max(...a) <= Math.min(...b) + 0.5 || Math.max(...b) <= Math.min(...a) + 0.5
    })
  }
  const meet = (ones, others) => ones.some((one) => others.some((other) => !apart(one, other)))
  const all = (selector) => [...svg.querySelectorAll(`:scope > ${selector}`)]
  const groups = [
    ...all('text.printed').map((one) => [one.textContent, letters(one)]),
    ...all('text:not(.printed)').map((one) => [one.textContent, [quad(one, one.getBBox())]]),
    ...all('g').map((one) => [one.dataset.testid ?? one.getAttribute('aria-label'), shapes(one)]),
  ]
  const faults = []
  groups.forEach(([name, ones], at) => groups.slice(at + 1).forEach(([other, others]) => {
    if (meet(ones, others)) faults.push(`${name} meets ${other}`)
  }))
  const cloth = svg.querySelector('.cloth')
  const from = svg.getScreenCTM().inverse()
  const isOff = ([x, y]) => !cloth.isPointInFill(new DOMPoint(x, y).matrixTransform(from))
  for (const [name, ones] of groups) if (ones.flat().some(isOff)) faults.push(`${name} is not on the felt`)
  for (const seat of svg.querySelectorAll('[data-testid^="seat-"]')) {
    const parts = [...seat.querySelectorAll('.area, .aside')].map((one) => [quad(one, one.getBBox())])
    const hand = [...seat.querySelectorAll('.hand .stock')].map((one) => quad(one, one.getBBox()))
    if (hand.length) parts.push(hand)
    parts.forEach((one, at) => parts.slice(at + 1).forEach((other) => {
      if (meet(one, other)) faults.push(`areas of ${seat.dataset.testid} meet`)
    }))
  }
  for (const one of svg.querySelectorAll('text')) {
    const to = one.getScreenCTM()
    const size = parseFloat(getComputedStyle(one).fontSize) * Math.hypot(to.a, to.b)
    if (one.textContent.trim() && size < least) faults.push(`${one.textContent} is ${size.toFixed(1)} px`)
  }
  return [...new Set(faults)]
}"""


# The contrast of all text with the shapes under it; cards that were folded are dimmed on purpose and left out.
CONTRAST = """() => {
  const svg = document.querySelector('svg[role="group"]')
  const style = new CSSStyleSheet() // the page allows no styles written into it
  style.replaceSync('svg[role="group"] * { pointer-events: all !important }')
  document.adoptedStyleSheets.push(style)
  const root = getComputedStyle(document.documentElement)
  const probe = document.body.appendChild(document.createElement('i'))
  const parsed = (colour) => {
    probe.style.color = colour
    const [red, green, blue, alpha = 1] = getComputedStyle(probe).color.match(/[0-9.]+/g).map(Number)
    return [red, green, blue, alpha]
  }
  const felt = parsed(root.getPropertyValue('--felt-bright'))
  const faded = (drawn) => {
    let alpha = 1
    for (let at = drawn; at && at !== svg; at = at.parentElement) alpha *= Number(getComputedStyle(at).opacity)
    return alpha
  }
  const mixed = (part, ground, alpha) => part * alpha + ground * (1 - alpha)
  const over = ([red, green, blue, alpha], under) => [red, green, blue].map((part, at) => mixed(part, under[at], alpha))
  const linear = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  const light = (colour) => {
    const [red, green, blue] = colour.map((part) => linear(part / 255))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const faults = []
  for (const text of svg.querySelectorAll('text')) {
    const box = text.getBoundingClientRect()
    if (!text.textContent.trim() || !box.width || faded(text) < 0.75) continue
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue
    const at = document.elementsFromPoint(x, y)
    const isShape = (each) => svg.contains(each) && ['rect', 'circle', 'path', 'ellipse'].includes(each.tagName)
    const mine = Math.max(0, at.indexOf(text))
    if (at.slice(0, mine).some(isShape)) continue // a card lies on it
    const under = at.slice(mine).filter(isShape).reverse()
    let ground = felt
    for (const shape of under) {
      const {fill, fillOpacity} = getComputedStyle(shape)
      if (!fill.startsWith('rgb')) { if (fill !== 'none') ground = felt; continue }
      const [red, green, blue, alpha] = parsed(fill)
      ground = over([red, green, blue, alpha * Number(fillOpacity) * faded(shape)], ground)
    }
    const own = getComputedStyle(text)
    const [red, green, blue, alpha] = parsed(own.fill)
    const shown = over([red, green, blue, alpha * Number(own.fillOpacity) * faded(text)], ground)
    const [more, less] = [light(shown), light(ground.slice(0, 3))].sort((a, b) => b - a)
    const ratio = (more + 0.05) / (less + 0.05)
    const to = text.getScreenCTM()
    const size = parseFloat(own.fontSize) * Math.hypot(to.a, to.b)
    const isLarge = size >= 24 || (size >= 18.66 && Number(own.fontWeight) >= 700)
    const said = `${text.textContent.trim()}: ${ratio.toFixed(2)} at ${size.toFixed(0)} px`
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(said)
  }
  document.adoptedStyleSheets.pop()
  probe.remove()
  return [...new Set(faults)]
}"""


class Drawn:
    """The replay of a made-up round: any number of seats, any of them one's own, every wager settled."""

    def __init__(self, visitor: Visitor, rules: dict[str, Any]) -> None:
        self.rules, self.own = rules, 0
        self.taken: Sequence[int] = ()
        self.visitor, self.page = visitor, visitor.page
        self.page.route("**/api/me/rounds/**", self._round)
        self.page.route("**/api/me/rounds/*/rules", lambda route: route.fulfill(json=self.rules))

    def show(self, seats: int, own: int, taken: Sequence[int]) -> Page:
        """Open the replay of such a round."""
        self.rules["seats"], self.own, self.taken = seats, own, taken
        self.visitor.goto("/history/made-up")
        self.page.locator('svg[role="group"]').wait_for()
        return self.page

    def _round(self, route: Route) -> None:
        step = {"sequence": 1, "at": 1, "kind": "round.Ended", "told": "The round ends", "clause": None}
        steps = [{**step, "seen": self._seen()}]
        seats = [self.own] if self.own else []
        round_ = {"round": "made-up", "table": "made-up", "is_over": True, "seats": seats, "steps": steps}
        route.fulfill(body=json.dumps(round_), content_type="application/json")

    def _seen(self) -> dict[str, Any]:
        deck = iter(self.rules["deck"])
        has_dealer = any(place["place"] == "dealer" for place in self.rules["places"])
        return {
            "phase": "settling",
            "seats": [self._seat(seat, [next(deck) for _ in range(self.rules["cards_each"])]) for seat in self.taken],
            "table": {place["place"]: [next(deck) for _ in range(place["cards"])] for place in self.rules["places"]},
            "seat_asked": self.own or None,
            "outcome": "settled",
            "dealer_hand": "three of a kind, fives" if has_dealer else None,
            "dealer_qualifies": True if has_dealer else None,
        }

    def _seat(self, seat: int, cards: list[str]) -> dict[str, Any]:
        discards = [action["name"] for action in self.rules["actions"] if action["discards"]]
        stakes = {
            wager["name"]: 125_00
            for at, wager in enumerate(self.rules["wagers"])
            if wager["required"] or (at + seat) % 2
        }
        nets = [500_00, -125_00, 0]
        results = [
            {"wager": wager, "stake": cents, "net": nets[at % 3], "result": "win", "odds": "4 to 1", "clause": "§1"}
            for at, (wager, cents) in enumerate(stakes.items())
        ]
        return {
            "seat": seat,
            "player": PEOPLE[seat % len(PEOPLE)],
            "bot": 1 if PEOPLE[seat % len(PEOPLE)].startswith("bot ") else None,
            "status": "playing",
            "stakes": stakes,
            "cards": cards,
            "discard": cards[-1] if discards else None,
            "hand": "three of a kind",
            "results": results,
            "envy_cents": 0,
            "envy": [],
            "coupons": {},
            "acted": discards[:1],
        }


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sessions]:
    opened = Stage(tmp_path_factory.mktemp("felt"), game_names(), PACE)
    yield Sessions(opened)
    opened.stop()


def rules_of(visitor: Visitor, table: str) -> dict[str, Any]:
    found: dict[str, Any] = visitor.page.request.get(f"{visitor.stage.address}/api/tables/{table}/rules").json()
    return found


def settled_faults(page: Page) -> list[str]:
    """Return what is wrong once the page has come to rest after a change of its size."""
    try:
        page.wait_for_function(f"(least) => ({FAULTS})(least).length === 0", arg=LEAST_PX, timeout=5_000)
    except TimeoutError:
        return list(page.evaluate(FAULTS, LEAST_PX))
    return []


def scenes(most: int) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Tables of one seat to the most: nobody's own with all taken, each own place among others, each alone."""
    for seats in range(1, most):
        yield seats, seats if seats % 2 else 0, range(1, seats + 1)
    for own in range(most + 1):
        yield most, own, range(1, most + 1) if own % 2 or not own else (own,)


@pytest.mark.parametrize("name", game_names())
def test_nothing_on_the_felt_meets_anything_else_and_all_of_it_is_legible(
    sessions: Sessions, visit: Visit, name: str
) -> None:
    visitor = sessions.enter(visit, "alice", reduced_motion="reduce")
    drawn = Drawn(visitor, rules_of(visitor, name))
    faults = []
    for seats, own, taken in scenes(drawn.rules["seats"]):
        page = drawn.show(seats, own, taken)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            told = f"{seats} seats, own {own}, {len(taken)} taken, {width} px"
            faults += [f"{told}: {settled_fault}" for settled_fault in settled_faults(page)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("name", game_names())
def test_text_on_the_felt_stands_out_from_what_is_under_it(sessions: Sessions, visit: Visit, name: str) -> None:
    visitor = sessions.enter(visit, "alice", reduced_motion="reduce")
    drawn = Drawn(visitor, rules_of(visitor, name))
    page = drawn.show(drawn.rules["seats"], 1, range(1, drawn.rules["seats"] + 1))
    faults = []
    for width, height in ((1280, 1000), (390, 1000)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)  # the felt is redrawn
        assert page.locator('svg[role="group"] text').count() > 10
        faults += [f"{width}: {fault}" for fault in page.evaluate(CONTRAST)]
    assert not faults, "\n".join(faults)


def test_a_round_whose_rules_cannot_be_had_says_why(sessions: Sessions, visit: Visit) -> None:
    visitor = sessions.enter(visit, "bob")
    Drawn(visitor, rules_of(visitor, game_names()[0]))
    refused = {"refused": {"reason": "The record of this round cannot be followed", "clause": None, "field": None}}
    visitor.page.route("**/api/me/rounds/*/rules", lambda route: route.fulfill(status=409, json=refused))
    page = visitor.goto("/history/made-up")
    expect(page.get_by_role("alert")).to_have_text("The record of this round cannot be followed")
    visitor.forgive()  # the browser notes the refusal


@pytest.mark.parametrize("name", game_names())
def test_an_empty_seat_says_only_its_number(sessions: Sessions, visit: Visit, name: str) -> None:
    visitor = sessions.enter(visit, "bob")
    drawn = Drawn(visitor, rules_of(visitor, name))
    page = drawn.show(drawn.rules["seats"], 1, (1, 2))
    empty = page.get_by_test_id("seat-4")
    assert [element.text_content() for element in empty.locator("text").all()] == ["Seat 4"]
    for wager in (wager for wager in drawn.rules["wagers"] if wager["inscription"] is not None):
        expect(empty.get_by_role("img", name=f"{wager['title']}, seat 4: no bet")).to_have_count(1)


def test_a_discard_lies_face_down_in_its_place_for_everybody(sessions: Sessions, visit: Visit) -> None:
    alice, bob = sessions.enter(visit, "alice"), sessions.enter(visit, "bob")
    tables = [name for name in game_names() if rules_of(alice, name)["discards"]]
    assert tables  # there is a game with such a place
    for table in tables:
        rules = rules_of(alice, table)
        player = Seated(alice, table, 1)
        player.bet({wager["name"]: 10_00 for wager in rules["wagers"] if wager["required"]})
        discarding = next(action["name"] for action in rules["actions"] if action["discards"])
        player.page.get_by_test_id(f"action-{discarding}").wait_for()
        chosen = player.page.locator("[data-card]").nth(1)
        face = chosen.get_attribute("data-card") or ""
        watcher = bob.goto(f"/tables/{table}")
        seat = watcher.get_by_test_id("seat-1")
        expect(seat.get_by_role("img", name="a face-down card")).to_have_count(rules["cards_each"])
        chosen.click()
        player.act(discarding)
        expect(seat.get_by_role("img", name="discard, face down")).to_have_count(1)
        title = rules["card_titles"].get(face, face)
        own = player.page.get_by_test_id("seat-1")
        # Its holder sees which card it was; it still lies face down, within its printed spot.
        put = own.get_by_role("img", name=f"discard: {title}")
        expect(put).to_have_count(1)
        expect(put.locator(".back")).to_have_count(1)
        expect(own.locator(".hand .stock")).to_have_count(rules["cards_each"] - 1)
        place = player.page.get_by_test_id("discard-1").locator("rect").bounding_box()
        lying = put.locator(".stock").bounding_box()
        assert place is not None
        assert lying is not None
        assert abs(place["x"] - lying["x"]) < 3
        assert abs(place["width"] - lying["width"]) < 3
        assert title not in watcher.locator('svg[role="group"]').inner_html()


def test_on_a_narrow_screen_any_player_is_brought_to_the_front(sessions: Sessions, visit: Visit) -> None:
    visitor = sessions.enter(visit, "bob", viewport={"width": 390, "height": 844})
    drawn = Drawn(visitor, rules_of(visitor, game_names()[0]))
    page = drawn.show(drawn.rules["seats"], 1, (1, 2, 5))
    required = next(wager["name"] for wager in drawn.rules["wagers"] if wager["required"])
    expect(page.get_by_test_id("seat-1").get_by_test_id(f"area-{required}")).to_have_count(1)
    page.get_by_test_id("front-5").click()
    expect(page.get_by_test_id("front-5")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_test_id("seat-5").get_by_test_id(f"area-{required}")).to_have_count(1)
    expect(page.get_by_test_id("seat-1").get_by_test_id(f"area-{required}")).to_have_count(0)
    assert violations(page) == []


MOVES = """
window.moved = 0
const plain = Element.prototype.animate
Element.prototype.animate = function (frames, options) {
  const lasts = typeof options === 'number' ? options : options?.duration
  if (this.ownerSVGElement && lasts > 1) window.moved++
  return plain.call(this, frames, options)
}
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_cards_and_chips_move_unless_somebody_wants_them_still(staged: Staged, visit: Visit, motion: str) -> None:
    table = game_names()[0]
    visitor = visit(staged([table], pace=PACE), "alice", reduced_motion=motion)
    visitor.page.add_init_script(MOVES)
    seated = Seated(visitor, table, 1)
    rules = rules_of(visitor, table)
    seated.bet({wager["name"]: 10_00 for wager in rules["wagers"] if wager["required"] and not wager["equals"]})
    seated.page.locator('[data-testid^="action-"]').first.wait_for()
    assert bool(seated.page.evaluate("window.moved")) is (motion != "reduce")
    shown = seated.page.get_by_test_id("seat-1").locator(".hand .stock")
    expect(shown).to_have_count(rules["cards_each"])
