"""Second factors on the page: an app and a passkey are added, and each signs in; two administrators reset them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from pyotp.totp import TOTP

from browser.housed import Visit
from browser.staged import Stage
from browser.test_barriers import barriers
from pitboss.games.catalogue import game_names

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]
Staged = Callable[..., Stage]
LONG = "a long walk home in the rain"
# A frame is drawn and what follows it is done; a starved Chromium may draw none.
DRAWN = """() => new Promise((drawn) => {
  requestAnimationFrame(() => setTimeout(drawn))
  setTimeout(drawn, 10000)
})"""


def sign_in(page: Page, address: str, name: str) -> None:
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(LONG)
    page.get_by_role("button", name="Sign in").click()


def sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in")).to_be_visible()


def test_a_person_adds_an_app_and_a_passkey_and_signs_in_with_each(staged: Staged, visit: Visit) -> None:
    stage = staged(game_names()[:1])
    address = stage.address.replace("127.0.0.1", "localhost")  # browsers have no passkeys on a bare address
    visitor = visit(stage, None)
    visitor.forgive()
    page = visitor.page
    assert stage.floor is not None
    page.goto(f"{address}/links/{stage.links['cay']}")
    page.goto(f"{address}/password")
    page.get_by_label("New password", exact=True).fill(LONG)
    page.get_by_label("Repeat the new password").fill(LONG)
    page.get_by_role("button", name="Save password").click()
    expect(page.get_by_role("status")).to_contain_text("Your password is set")

    sign_in(page, address, "cay")
    expect(page.get_by_role("link", name="cay")).to_be_visible()

    held: list[Route] = []
    page.route("**/api/sign-in", lambda route: held.append(route))
    sign_in(page, address, "cay")
    page.get_by_role("link", name="cay").click()
    page.get_by_test_id("second-factors").wait_for()
    with page.expect_response("**/api/sign-in"):
        held[0].continue_()
    page.evaluate(DRAWN)
    expect(page).to_have_url(f"{address}/password")  # someone who went on is not fetched back to the lobby
    page.unroute("**/api/sign-in")

    panel = page.get_by_test_id("second-factors")
    panel.get_by_label("Current password").fill(LONG)
    panel.get_by_role("button", name="Add an app").click()
    app = TOTP(panel.get_by_test_id("second-secret").inner_text())
    assert barriers(page) == []
    panel.get_by_label("Code shown in the app").fill(app.now())
    panel.get_by_role("button", name="Turn on").click()
    codes = panel.get_by_test_id("recovery-codes").get_by_role("listitem")
    expect(codes).to_have_count(10)
    recovery = codes.all_inner_texts()

    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    virtual = {"protocol": "ctap2", "transport": "usb", "hasResidentKey": True, "hasUserVerification": True}
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": {**virtual, "isUserVerified": True}})
    panel.get_by_label("Current password").fill(LONG)
    panel.get_by_label("Code", exact=True).fill(recovery[0])
    panel.get_by_role("button", name="Add a passkey").click()
    expect(panel.get_by_role("button", name="Remove Passkey")).to_be_visible()
    expect(panel).to_contain_text("9 recovery codes left.")

    sign_out(page)
    sign_in(page, address, "cay")
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    assert barriers(page) == []
    page.get_by_role("button", name="Use your passkey").click()
    expect(page.get_by_role("link", name="cay")).to_be_visible()

    sign_out(page)
    sign_in(page, address, "cay")
    page.get_by_label("Code").fill(recovery[1])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("link", name="cay")).to_be_visible()
