"""Runs axe to find what keeps people with disabilities from using a page."""

from pathlib import Path

from playwright.sync_api import Page

SCRIPT = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page: Page) -> list[str]:
    """Return each serious or critical finding, with the elements it concerns."""
    # Evaluated by the browser's debugger, which the page's own content policy does not bind.
    page.evaluate(SCRIPT.read_text("utf-8"))
    found = page.evaluate("tags => axe.run(document, {runOnly: {type: 'tag', values: tags}})", TAGS)
    return [
        f"{rule['id']}: {rule['help']}: {', '.join(str(node['target'][0]) for node in rule['nodes'][:5])}"
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
