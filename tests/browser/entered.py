"""People who have signed in once and come back with their session, so that one server serves many tests."""

from collections.abc import Callable
from typing import Any

from browser.staged import Stage, Visitor
from pitboss.server.session_cookie import COOKIE
from server.running import Client


class Sessions:
    """The sessions of one stage, each begun with its link when it is first needed."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self._begun: dict[str, Client] = {}

    def client(self, name: str) -> Client:
        """Return a person's HTTP client, separate from the browser."""
        if name not in self._begun:
            self._begun[name] = Client(self.stage, name)
        return self._begun[name]

    def enter(self, visit: Callable[..., Visitor], name: str, **options: Any) -> Visitor:
        """Open a browser with a person's session."""
        visitor = visit(self.stage, None, **options)
        cookie = self.client(name).http.cookies[COOKIE]
        visitor.context.add_cookies([{"name": COOKIE, "value": cookie, "url": self.stage.address}])
        return visitor
