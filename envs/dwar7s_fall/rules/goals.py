"""Secret goals: when they may be revealed, and when a king is asked."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.dwar7s_fall.cards import LEAST
from dwarrow.envs.dwar7s_fall.layout import N_GEMS, N_OGRES, N_SECRETS, Gem, Secret
from dwarrow.envs.dwar7s_fall.rules.hands import gems_of, settle_gems
from dwarrow.envs.dwar7s_fall.scoring import meets_secret


@kernel
def may_reveal(s: Any, seat: int) -> bool:
    """Return whether a king may reveal his secret goal: it is still secret, and fulfilled."""
    me = s.players[seat]
    return not me.revealed and meets_secret(s, seat, me.secret)


@kernel
def reveal(s: Any, seat: int) -> None:
    """Reveal the secret goal; it stays done. The cards that it asks for are shown, not spent.

    Rule: reveal (Goals). Ruling: R26.
    """
    me = s.players[seat]
    me.revealed = 1
    for observer in range(s.n_seats):
        if observer == seat:
            continue
        for gem in range(N_GEMS):
            shown = 0
            if me.secret == Secret.EMERALDS and gem == Gem.EMERALD:
                shown = me.gems[gem]
            elif me.secret == Secret.GEM_OF_EVERY_KIND:
                shown = LEAST[Secret.GEM_OF_EVERY_KIND]
            known = s.players[observer].known_gems[seat, gem]
            s.players[observer].known_gems[seat, gem] = max(known, shown)
        settle_gems(s, observer)
        if me.secret == Secret.OGRES_IN_HAND:
            for ogre in range(N_OGRES):
                s.players[observer].known_ogres[seat, ogre] = me.ogres[ogre]


@kernel
def is_goal_open(s: Any, secret: int) -> bool:
    """Return whether a secret goal lies revealed before some king."""
    for seat in range(s.n_seats):
        if s.players[seat].revealed and s.players[seat].secret == secret:
            return True
    return False


@kernel
def might_reveal(s: Any, seat: int) -> bool:
    """Return whether, for all that the table can tell, a king might have a goal to reveal.

    He is asked whenever he might, not only when he can: being asked must not give him away. So this
    looks at no secret and at the number of gems, not at their kinds.

    Ruling: R26.
    """
    if s.players[seat].revealed:
        return False
    for secret in range(N_SECRETS):
        if is_goal_open(s, secret):
            continue
        if secret == Secret.EMERALDS:
            might = gems_of(s, seat) >= LEAST[secret]
        elif secret == Secret.GEM_OF_EVERY_KIND:
            might = gems_of(s, seat) >= LEAST[secret] * N_GEMS
        else:
            might = meets_secret(s, seat, secret)
        if might:
            return True
    return False
