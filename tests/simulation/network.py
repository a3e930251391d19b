"""A network between people and the house that drops, repeats, delays and reorders messages."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass
class Weather:
    """How bad the network is."""

    drop: float = 0.0
    duplicate: float = 0.0
    delay_s: float = 0.02
    long_delay: float = 0.0  # how often something takes a hundred times as long


class Network:
    """Carries messages, none of them surely, some of them twice."""

    def __init__(self, chance: random.Random, seen: Counter[str]) -> None:
        self._chance = chance
        self._seen = seen
        self.weather = Weather()
        self._due_at = 0.0

    def send(self, deliver: Callable[[Any], None], message: Any) -> None:
        """Carry a message to where it is delivered, if it gets there."""
        weather, chance = self.weather, self._chance
        if chance.random() < weather.drop:
            self._seen["network drop"] += 1
            return
        copies = 1
        if chance.random() < weather.duplicate:
            self._seen["network duplicate"] += 1
            copies = 2
        loop = asyncio.get_running_loop()
        for _ in range(copies):
            delay_s = chance.uniform(0, 2 * weather.delay_s)
            if chance.random() < weather.long_delay:
                self._seen["network delay"] += 1
                delay_s *= 100
            due_at = loop.time() + delay_s
            if due_at < self._due_at:
                self._seen["network reorder"] += 1
            self._due_at = due_at
            loop.call_at(due_at, deliver, message)
