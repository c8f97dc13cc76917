"""Positions for tests: pick cards by what is on them, lay coins, load, play by action names."""

from typing import Any

from dwarrow import envs
from dwarrow.envs.aquilon.cards import COGNARS, DWARFS
from dwarrow.envs.core.kernels import States

GAME = envs.game("aquilon")
HAND = ["0", "2", "3", "4", "5"]


def era_of(card: str) -> int:
    """Return the era of a card that plays with every number of lords; 0 for a marked one."""
    return 0 if "*" in card else card.split(" ").count("I") + 2 * card.split(" ").count("II")


class Box:
    """The box of dwarf cards: every card is given out once."""

    def __init__(self) -> None:
        self.left = list(DWARFS)

    def card(self, wanted: str, era: int = 1) -> str:
        """Return a card whose name is `wanted` up to era and letter, as "Temple 2 Malt"."""
        for name in self.left:
            words = name.split(" ")
            if words[-1] in "abcdefgh":
                words.pop()
            if words[:-1] == wanted.split(" ") and era_of(name) == era:
                self.left.remove(name)
                return name
        raise AssertionError(f"no card {wanted!r} of Era {era} left in the box")

    def cards(self, *wanted: str, era: int = 1) -> list[str]:
        return [self.card(name, era) for name in wanted]

    def of(self, era: int = 1, **columns: int) -> list[str]:
        """Return as many plain cards of each Order as asked, as of(shield=2, temple=1)."""
        cards = []
        for order, count in columns.items():
            mine = [n for n in self.left if n.startswith(order.title()) and era_of(n) == era]
            assert len(mine) >= count, f"only {len(mine)} {order} cards of Era {era} left"
            cards += mine[:count]
            self.left = [n for n in self.left if n not in cards]
        return cards

    def tavern(self, *first: str, size: int, era: int = 1) -> list[str | None]:
        """Return a tavern with these cards first, filled up in the order of the Orders."""
        cards: list[str | None] = [self.card(name, era) for name in first]
        for order in ("shield", "temple", "wanderers", "forge", "talion"):
            while len(cards) < size and any(
                n.startswith(order.title()) and era_of(n) == era for n in self.left
            ):
                cards += self.of(era, **{order: 1})
        return cards + [None] * (5 - len(cards))


def load(**position: Any) -> States:
    return GAME.load(position)


def play(states: States, *names: str) -> States:
    """Play these actions in turn; an illegal one fails with its explanation."""
    for name in names:
        GAME.step(states, 0, GAME.action_id(name))
    return states


def legal(states: States) -> list[str]:
    return [GAME.action_name(int(a)) for a in GAME.legal(states, 0)]


def phase(states: States) -> str:
    return str(GAME.position(states, 0)["phase"])


def seat(states: States) -> int:
    return int(states["seat"][0])


def lord(states: States, number: int) -> dict[str, Any]:
    """Return one lord's part of the position."""
    found: dict[str, Any] = GAME.position(states, 0)["players"][number]
    return found


def coins(states: States, number: int) -> list[str]:
    found: list[str] = lord(states, number)["coins"]
    return found


def ranks(states: States, number: int) -> list[int]:
    return list(lord(states, number)["ranks"].values())


def holders(states: States) -> dict[str, int]:
    """Return who holds each Cognar that is not on the card holder."""
    found = GAME.position(states, 0)["holder"]
    return {name: who for name, who in found.items() if who != -1}


def gems(states: States) -> list[int]:
    return [lord(states, k)["gem"] for k in range(int(states["n_seats"][0]))]


def hold(**who: int) -> dict[str, int]:
    """Return a `holder` overlay; underscores stand for spaces, gaat for Ga'at."""
    named = {"gaat": "Ga'at", "liquor_certification": "Liquor Certification"}
    overlay = {named.get(key, key.title()): seat for key, seat in who.items()}
    assert set(overlay) <= set(COGNARS)
    return overlay


AWAY = {"coins": ["2", "3", "4", "0", "5"]}
MINE = ["5", "2", "3", "0", "4"]


def turn(first, army, mine=MINE, options=(), tavern=0, **more):
    """Three lords; lord 0 has the turn with an army of so many ranks, and takes `first` next."""
    box = Box()
    card = box.card(first)
    gone = [None] * 5
    own, other = box.of(**army), box.of(**more.pop("second", {}))
    taverns = [gone if k < tavern else box.tavern(size=3) for k in range(3)]
    taverns[tavern] = [card, *taverns[tavern][1:]]
    players = [
        {"coins": list(mine), "gem": 5, "army": own},
        {**AWAY, "gem": 4, "army": other},
        {**AWAY, "gem": 3},
    ]
    return load(options={"players": 3, **dict(options)}, phase="take", taverns=taverns,
                tavern=tavern, players=players, **more)  # fmt: skip


def line_but(order):
    """Army ranks that a dwarf of this Order makes a line."""
    counts = dict.fromkeys(("shield", "temple", "wanderers", "forge", "talion"), 1)
    del counts[order]
    return counts
