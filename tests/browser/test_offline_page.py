"""The offline page that checks receipts, opened from the disk, against the published receipts."""

import json
from pathlib import Path

from playwright.sync_api import Browser

import pitboss_verify

VECTORS = Path(__file__).parents[1] / "verify" / "vectors"
PAGE = Path(pitboss_verify.__file__).with_name("verify.html")


def test_the_page_agrees_with_the_name_of_every_published_receipt_and_asks_nobody(chromium: Browser) -> None:
    keys = json.loads((VECTORS / "keys.json").read_text())
    context = chromium.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(PAGE.as_uri())
    page.fill("#keys", "\n".join(keys["keys"]))
    page.fill("#witness", keys["witness"])
    receipts = sorted(VECTORS.glob("*sound*.json"))
    assert len(receipts) > 10
    for path in receipts:
        page.set_input_files("#file", path)
        page.evaluate("document.getElementById('result').hidden = true")
        page.click("#check")
        page.wait_for_selector("#result:not([hidden])")
        is_sound = page.get_attribute("#result", "class") == "sound"
        assert is_sound == (path.stem == "sound"), (path.stem, page.inner_text("#result"))
    page.set_input_files("#file", VECTORS / "sound.json")
    page.fill("#keys", "22" * 32)
    page.evaluate("document.getElementById('result').hidden = true")
    page.click("#check")
    page.wait_for_selector("#result:not([hidden])")
    assert page.inner_text("#result") == "The checkpoint isn't signed by a key you gave."
    assert asked == [PAGE.as_uri()]
    context.close()
