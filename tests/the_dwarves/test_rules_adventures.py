"""One test a card: every Adventure is completed, and its reward is what the card says."""

import pytest
from the_dwarves.table import Table, at

from dwarrow.envs.the_dwarves.cards import CARD_TITLES, DECK_OF
from dwarrow.envs.the_dwarves.words import Deck

ELFAR = {"elfar": True}
MIGHT = {"combined_might": True}


def check(place=None, rolls=((6, 6, 6, 6),), together=None):
    """Return how Bavragor (battle 3, craft 4, speed 2) completes a check."""

    def do(t: Table) -> None:
        if place is not None:
            t.stand(0, place)
        if together is not None:
            t.stand(0, together).stand(1, together)
        for faces in rolls:
            t.roll(*faces).act("quest display 1 part 1")

    return do


def go(*path):
    """Return how Bavragor enters the last hex of a path by one Move."""

    def do(t: Table) -> None:
        t.stand(0, path[0]).roll(6, 6).act("move").walk(*path[1:])
        if t.s["phase"] == 2:  # still moving
            t.act("pass")

    return do


def route(start, *ways):
    """Return how Bavragor travels from the start by tunnels, a Move for each way."""

    def do(t: Table) -> None:
        t.stand(0, start)
        for way in ways:
            t.roll(6, 6).act("move").walk(*way)

    return do


def meet(place, *heroes):
    """Return how heroes meet: they are put there, and the turn goes on."""

    def do(t: Table) -> None:
        for p in heroes:
            t.stand(p, place)
        t.act("pass")

    return do


def fight(place, *rolls):
    """Return how Bavragor defeats the troops on a card."""

    def do(t: Table) -> None:
        t.stand(0, place)
        for faces in rolls:
            t.roll(*faces).act("fight")
            while t.s["phase"] == 8:
                t.act(t.legal()[-1])

    return do


def equips(hero=1):
    def look(t: Table) -> None:
        t.act(f"hero {('bavragor', 'gandogar')[hero]}")
        assert t.owned(hero) == ["War Axe"]
        assert t.owned(1 - hero) == []

    return look


def raises(what):
    def look(t: Table) -> None:
        assert t.hero(0)["bonus"].tolist() == [what == k for k in range(3)]

    return look


def heals_two(t: Table) -> None:
    t.act("hero bavragor", "hero gandogar")
    assert [t.hero(p)["health"] for p in (0, 1)] == [3, 3]


def council(step):
    def look(t: Table) -> None:
        assert t.council == step

    return look


def doom_back(t: Table) -> None:
    assert t.s["doom_marker"] == 41


def tunnel(t: Table) -> None:
    assert "hex 0 4" not in t.legal()  # gate II
    assert "hex 0 0" not in t.legal()  # Blacksaddle
    t.act("hex 0 2")
    assert t.s["tunnel"] == at((0, 2))


def more_hearts(t: Table) -> None:
    assert set(t.legal()) == {"hero bavragor", "hero gandogar"}
    t.act("hero gandogar")
    assert t.hero(1)["health_tiles"] == 1
    assert t.hero(1)["health"] == 3


def skips(t: Table) -> None:
    assert t.s["active"] == 1  # both actions were needed: it is the next hero's turn
    assert t.s["hero_marker"] == 5
    assert t.s["skip_hero_marker"] == 0


def picks_one_of_three(t: Table) -> None:
    assert t.legal() == ["choose Comfortable Boots", "choose War Axe", "choose Ring Mail"]
    t.act("choose Ring Mail", "hero gandogar")
    assert t.owned(1) == ["Ring Mail"]
    assert t.s["equipment_deck"][:2].tolist() == [0, 3]  # the others, the last drawn lowest
    assert t.hero(1)["health"] == 3


def removes(troop, n):
    def look(t: Table) -> None:
        before = t.total(troop)
        for k in range(n):
            assert "pass" in t.legal()
            t.act(next(a for a in t.legal() if a.startswith("hex")))
            assert t.total(troop) == before - k - 1
        assert t.s["phase"] == 1

    return look


def heals_and_moves(t: Table) -> None:
    t.act("hero bavragor")
    assert t.hero(0)["health"] == 3
    assert "hex 2 2" not in t.legal()  # troops
    assert "hex 0 2" not in t.legal()  # Perished Land
    t.act("hex 4 0")
    assert t.where(0) == (4, 0)


def searches(t: Table) -> None:
    assert "choose Comfortable Boots" in t.legal()
    assert "choose Crossbow" not in t.legal()  # another expansion
    t.act("choose War Horn", "hero gandogar")
    assert t.owned(1) == ["War Horn"]
    assert t.s["equipment_unseen"] == t.s["n_equipment"] == 23


def heals_both(t: Table) -> None:
    assert [t.hero(p)["health"] for p in (0, 1)] == [3, 3]


def equips_both(t: Table) -> None:
    assert t.owned(0) == ["War Axe"]
    assert t.owned(1) == ["Comfortable Boots"]


def ponies(t: Table) -> None:
    assert t.hero(0)["pony"] == t.hero(1)["pony"] == 1
    t.roll(1, 2, 3).act("move", "pass")
    assert t.hero(0)["pony"] == 0
    assert t.hero(1)["pony"] == 1


def raises_any(t: Table) -> None:
    t.act("hero gandogar")
    assert t.hero(1)["bonus"].tolist() == [1, 0, 0]


def clears_gate(t: Table) -> None:
    assert t.troops("gate II") == [0, 0, 0]
    assert t.s["supply"].tolist() == [26, 25, 20]  # four orcs lie on the Scenario


CASES = {
    "What Are Dwarf Women Like?": ({}, check(rolls=((1, 6),)), heals_two),
    "Peddler's Commission": ({}, check(rolls=((4, 4, 4, 3),)), equips()),
    "Ironwork for the Border Guard": ({}, check(rolls=((5, 5, 1, 1),)), equips(0)),
    "A Masterpiece": ({}, check(rolls=((6, 1, 1, 1),)), raises(1)),
    "Sparring Bout": ({}, check(rolls=((4, 4, 4),)), equips()),
    "Trial of the Axe": ({}, check(rolls=((5, 5, 4),)), raises(0)),
    "Prize Fight": ({}, check("Mifurdania", ((4, 4, 1),)), heals_two),
    "Forced March": ({}, check(rolls=((4, 4), (4, 1))), skips),
    "Outrun the Riders": ({}, check(rolls=((5, 5),)), raises(2)),
    "Sealed Letter": (
        {},
        route("gate II", [(0, 3), (-1, 3), (-1, 4), (-3, -1), "gate I"]),
        council(2),
    ),
    "Relief for the Fourthlings": (
        {},
        route("gate I", [(-3, -1), (4, -2), "gate IV"]),
        lambda t: (t.act("hero gandogar"), t.act("hero bavragor"), equipped_and_healed(t)),
    ),
    "Lost Siding": ({}, check((-1, 4), ((4, 4, 1, 1),)), tunnel),
    "Forgotten Shaft": ({}, go((2, 0), "Lot-Ionan's Vaults"), tunnel),
    "Desert Well-Shaft": ({}, check((0, 2), ((5, 1, 1, 1),)), tunnel),
    "The Magus' Library": (
        {},
        check("Lot-Ionan's Vaults", ((4, 4, 1, 1),)),
        picks_one_of_three,
    ),
    "Elven Healers": ({}, go((-1, -1), "Alandur"), heals_two),
    "Elven Pact": ({}, meet("Alandur", 0, 1), more_hearts),
    "Backstage Supplies": ({}, go((-2, 2), "Mifurdania"), equips()),
    "Marauders at Roodacre": ({}, fight("Roodacre", (5, 4, 4)), equips()),
    "Shadows at Green Haven": ({}, fight("Green Haven", (6, 6, 1)), equips()),
    "Trolls before Porista": ({}, fight("Porista", (5, 5, 1)), removes("troll", 3)),
    "Burn the Orc Stores": ({}, fight("Toboribor", (4, 4, 4)), removes("orc", 4)),
    "Audience with the Queen": ({}, go((-4, 2), "Queen Xamtys II"), council(1)),
    "War of Words": ({}, check(rolls=((6, 6, 1, 1),)), council(2)),
    "Harvest Run": ({}, check("gate I", ((4, 4),)), equips()),
    "Ferrymen of Weyurn": ({}, check("Mifurdania", ((5, 1),)), heals_and_moves),
    "Bandits on the Road": ({}, check("Green Haven", ((4, 4, 1),)), equips()),
    "Shore Up the Stone Gateway": ({}, check("gate V", ((4, 4, 4, 4),)), doom_back),
    "Shrine of Vraccas": ({}, meet("Porista", 0, 1), more_hearts),
    "Ancient Ward": ({}, check("Dragonsfire", ((5, 5, 5, 1),)), doom_back),
    "Rescue the Unicorn": (ELFAR, fight((-4, 3), (6, 6, 6)), searches),
    "Shoulder to Shoulder": (MIGHT, check(rolls=((4, 4, 1),), together=(2, 2)), heals_both),
    "Borrowed Craft": (
        MIGHT,
        check(rolls=((5, 5, 5, 1),), together=(2, 2)),
        equips_both,
    ),
    "Relay Race": (
        MIGHT,
        route("Porista", [(-1, -1), (-2, 0), (-2, 1), (-3, 2)]),
        equips(),
    ),
    "Pony Train": (MIGHT, check((3, 0), ((4, 4),)), ponies),
    "Supply Cache": (MIGHT, go((2, -2), "Roodacre"), equips()),
    "War Council": (MIGHT, meet("Porista", 0, 1), council(2)),
    "Rout the Trolls": (MIGHT, fight("Alandur", (5, 5, 5)), raises_any),
    "Night Watch": (MIGHT, check("gate II", ((5, 5, 1),)), clears_gate),
}


def equipped_and_healed(t: Table) -> None:
    assert t.owned(1) == ["War Axe"]
    assert t.hero(0)["health"] == 3


def test_every_adventure_has_its_test():
    adventures = {CARD_TITLES[c] for c in range(len(CARD_TITLES)) if DECK_OF[c] == Deck.ADVENTURE}
    assert set(CASES) == adventures


@pytest.mark.parametrize("title", CASES)
def test_adventure(title):
    options, do, look = CASES[title]
    t = Table(**options).set(hero_marker=5, doom_marker=40).health(2, 2)
    t.show("scenario", "Conquer Toboribor" if title == "Night Watch" else "Sway the Council")
    t.put("troll 2", (4, -1)).put("troll 2", (3, 1)).put("orc 3", (2, 2)).put("orc 2", (3, 0))
    if title == "Night Watch":
        t = Table(**options).set(hero_marker=5).put("orc 3, elfar 1", "gate II")
        t.show("scenario", "Conquer Toboribor")
    if title == "Ferrymen of Weyurn":
        t.perish((0, 2))
    t.show("display 1", title)
    t.show("display 2", "Black Omen").show("display 3", "Poisoned Stores")
    t.next_equipment("War Axe", "Comfortable Boots", "Ring Mail")
    if title == "The Magus' Library":
        t.next_equipment("Ring Mail", "War Axe", "Comfortable Boots")
    do(t)
    assert t.shown("display 1") != title
    assert title in t.discarded
    look(t)
    assert t.used_up
    assert t.hero(0)["health"] >= 2


def test_the_unicorn_finds_its_equipment_in_the_discards_if_the_deck_has_run_out():
    t = Table(elfar=True).show("display 1", "Rescue the Unicorn").stand(0, (-4, 3))
    deck = t.s["equipment_deck"][: t.s["n_equipment"]].tolist()
    t._write("equipment_discard", "n_spent", deck)
    t._write("equipment_deck", "n_equipment", [])
    t.s["equipment_unseen"] = 0
    t.card("display 1")["troops"][:] = (0, 0, 1)
    t.s["supply"][2] += 2
    t.roll(6, 1, 1).act("fight")
    assert "choose Healing Herbs" in t.legal()
    t.act("choose Healing Herbs", "hero bavragor")
    assert t.owned(0) == ["Healing Herbs"]
    assert t.s["n_equipment"] == len(deck) - 1
