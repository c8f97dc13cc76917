"""The Doom track and the Dwarven Council."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.the_dwarves.layout import DOOM_START, End, State
from dwarrow.envs.the_dwarves.rules.stack import finish
from dwarrow.envs.the_dwarves.words import Box


@kernel
def markers_meet(s: State) -> bool:
    """Return whether the Hero and the Doom marker have met or passed; then the game is lost.

    Rule: losing (p. 6). Ruling: R1.
    """
    if s.hero_marker >= s.doom_marker:
        finish(s, End.MARKERS_MET)
        return True
    return False


@kernel
def advance_doom(s: State) -> None:
    """Move the Doom marker one space towards the Hero marker; it activates no icon.

    Rule: doom_marker (p. 8). Ruling: R3.
    """
    s.doom_marker -= 1
    markers_meet(s)


@part
def move_doom(s: State, steps: int) -> None:
    """Move the Doom marker by a card: forward, or back but not beyond its start space."""
    for _ in range(steps):
        advance_doom(s)
    if steps < 0:
        s.doom_marker = min(DOOM_START, s.doom_marker - steps)


@kernel
def move_council(s: State, steps: int) -> None:
    """Move the Council marker right, or left if negative; it stays on the outermost boxes.

    Rule: dwarven_council (p. 7).
    """
    s.council = max(Box.DOOM_ADVANCES.value, min(Box.EQUIPMENT.value, s.council + steps))
