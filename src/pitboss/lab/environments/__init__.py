"""Every game as a Gymnasium environment: one round is one episode, played under the same rules as a live table."""

from pitboss.games.catalogue import game_names
from pitboss.sheets.extras import brought_by

gymnasium = brought_by("rl", "gymnasium", "Environments")

from pitboss.lab.environments.encoding import Answer, Encoding  # noqa: E402  dependencies are checked first
from pitboss.lab.environments.environment import RoundEnvironment  # noqa: E402
from pitboss.lab.environments.policy import optimal_policy  # noqa: E402

__all__ = ["Answer", "Encoding", "RoundEnvironment", "environment_id", "optimal_policy"]


def environment_id(name: str) -> str:
    """Return a game's environment ID in Gymnasium."""
    return f"pitboss/{name}-v0"


for _name in game_names():
    if environment_id(_name) not in gymnasium.registry:
        gymnasium.register(
            environment_id(_name), entry_point=f"{__name__}.environment:RoundEnvironment", kwargs={"game": _name}
        )
