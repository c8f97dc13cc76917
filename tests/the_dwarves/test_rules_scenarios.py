"""One test a card: every Scenario is completed as it says; finales win the game."""

import pytest
from the_dwarves.table import Table, at

from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.cards import CARD_TITLES, DECK_OF, MAP
from dwarrow.envs.the_dwarves.rules.army import resting_hex
from dwarrow.envs.the_dwarves.words import Deck

ELFAR = {"elfar": True}
MIGHT = {"combined_might": True}
PART = "quest scenario part {}"


def table(title: str, **options) -> Table:
    """Return a table with a Scenario that needed no preparation, and a quiet display."""
    t = Table(**options).set(hero_marker=5)
    for slot, quiet in (("display 1", "Forced March"), ("display 2", "Shore Up the Stone Gateway")):
        t.show(slot, quiet)
    return t.show("display 3", "Prize Fight").show("scenario", title)


def reveal(title: str, lay=None, turn=1, **options) -> Table:
    """Return a table on which the Scenario was revealed in the turn of the second hero."""
    t = table("Sway the Council", **options).set(council=5, turn=turn)
    if lay is not None:
        lay(t)
    t.finale(title) if title in FINALES else t.on_top("scenario", title)
    t._take_off(3)
    if title in FINALES:
        t.finale(title)
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Forced March")
    return t.end_turn()


def roll(t: Table, k: int, *faces: int) -> None:
    t.roll(*faces).act(PART.format(k))


def fight(t: Table, *faces: int) -> None:
    t.roll(*faces).act("fight")
    while t.s["phase"] == 8:
        t.act(t.legal()[-1])


def fresh(t: Table) -> Table:
    return t.set(actions_left=2)


def again(t: Table) -> Table:
    """Give the first hero another turn."""
    t.s["stack"][0]["seat"], t.s["seat"], t.s["active"] = 0, 0, 0
    return fresh(t)


def persuade(t):
    t.stand(0, (3, -4))
    roll(t, 1, 4, 1, 1, 1)
    assert t.card("scenario")["done"][:2].tolist() == [1, 0]
    t.act("pass")  # another hero, another turn
    t.stand(1, (-1, 2))
    roll(t, 2, 4, 1)


def toboribor(t):
    fight(t.stand(0, "Toboribor"), 4, 4, 1)
    fight(fresh(t), 4, 4, 1)


def alandur(t):
    fight(t.stand(0, "Alandur"), 6, 6, 6)


def smithing(t):
    t.stand(0, (-2, 2)).roll(1, 1).act("move").walk("Mifurdania")
    assert t.completed == []
    t.act("pass")
    t.stand(1, (2, 0)).roll(1, 1, 2).act("move").walk("Lot-Ionan's Vaults")


def muster(t):
    t.stand(0, "Porista").act("pass")
    assert t.completed == []
    t.stand(1, "Porista").set(actions_left=2).act("pass")


def sway(t):
    t.roll(5, 1, 1, 1).act("send dispatches")


def road(t):
    t.stand(0, (-3, -1)).perish((-3, -1))  # a perished entrance still counts as the place
    roll(t, 1, 4, 4)
    roll(t, 1, 4, 1)


def keenfire(t):
    t.stand(0, "Dragonsfire")
    assert PART.format(1) not in t.legal()  # alone
    t.stand(1, "Dragonsfire")
    roll(t, 1, 5, 1, 1, 1)
    roll(t, 1, 5, 1, 1, 1)
    t.act("hero gandogar")
    assert t.hero(1)["bonus"].tolist() == [2, 0, 0]


def gates(t):
    for k, gate in enumerate(("gate I", "gate II", "gate IV", "gate V"), 1):
        fresh(t).stand(0, gate)
        assert t.completed == []
        roll(t, k, 5, 1, 1, 1)


def nodonn(t):
    t.card("scenario")["markers"] = 4
    t.stand(0, "Blacksaddle").put("orc 1", "Blacksaddle")
    assert PART.format(1) not in t.legal()  # troops stand before him
    fight(t, 4, 1, 1)
    roll(t, 1, 6, 6, 5)
    assert t.card("scenario")["markers"] == 2
    again(t)
    roll(t, 1, 5, 5, 5)  # no hit costs a heart
    assert t.hero(0)["health"] == 3
    roll(t, 1, 6, 6, 1)


def orcs(t):
    t.card("scenario")["trophies"] = 9
    t.s["supply"][0] -= 9
    t.put("orc 2", (0, 2)).put("orc 1", (3, 0)).stand(0, (0, 2))
    fight(t, 4, 1, 1)


def portal(t):
    t.card("scenario")["markers"] = 2
    t.card("scenario")["troops"] = [0, 0, 1]
    t.s["supply"][2] -= 1
    t.stand(0, (-4, 3))
    assert PART.format(2) not in t.legal()  # while troops lie on the card
    fight(t, 6, 1, 1)
    roll(t, 2, 5, 5, 1, 1)  # one marker only
    assert t.card("scenario")["markers"] == 1
    again(t)
    t.roll(4, 4, 4, 4).recruit(1, None, None)
    t.act(PART.format(2), "choose orc")  # a failed check calls troops
    assert t.card("scenario")["troops"].tolist() == [1, 0, 0]
    fight(fresh(t), 4, 1, 1)
    roll(t, 2, 5, 1, 1, 1)


def vaults(t):
    t.stand(0, "Lot-Ionan's Vaults")
    assert PART.format(1) not in t.legal()
    t.stand(1, "Lot-Ionan's Vaults")
    roll(t, 1, 4, 4, 1, 1)


def warband(t):
    fight(t.stand(0, "Roodacre"), 5, 4, 4)
    fight(t, 4, 1, 1)


def march(t):
    t.stand(0, "gate IV").roll(6, 6).act("move")
    t.walk((4, -2), (4, -1), (3, 0), (2, 1), (1, 2), (0, 3))
    assert t.completed == []
    t.roll(1, 1).act("move").walk("gate II")


def scouts(t):
    t.stand(0, "Mifurdania")
    roll(t, 1, 4, 1)
    fresh(t)
    roll(t, 1, 4, 1)
    roll(t.stand(0, "gate I"), 2, 4, 4)


def mifurdania(t):
    fight(t.stand(0, "Mifurdania"), 5, 5, 1)


def together(t):
    t.stand(0, (0, 2)).stand(1, (0, 2))
    roll(t, 1, 5, 5, 5)
    assert t.completed == []
    t.act("pass")
    roll(t, 1, 5, 1, 1, 1)


def temper(t):
    t.stand(0, "Dragonsfire").stand(1, "Dragonsfire")
    roll(t, 1, 5, 5, 1, 1)
    roll(t, 1, 5, 1, 1, 1)
    t.act("hero bavragor")
    assert t.hero(0)["bonus"].tolist() == [2, 0, 0]


def haft(t):
    t.s["marker_hex"][0] = at("Green Haven")
    t.stand(0, "Dragonsfire")
    assert PART.format(2) not in t.legal()
    t.stand(0, "Green Haven").act("pick up marker")
    assert "pick up marker" not in t.legal()
    t.stand(0, (-1, -2)).roll(1, 1).act("move").walk("Dragonsfire")
    assert t.s["delivered"] == 1
    roll(t, 2, 5, 1, 1, 1)
    t.act("hero gandogar")


def trap(t):
    t.card("scenario")["markers"] = 1
    t.s["delivered"] = 2
    t.s["marker_hex"][0] = at((0, 1))
    t.stand(0, "Porista")
    roll(t, 1, 4, 4, 1, 1)  # one check lays one marker
    assert t.s["marker_hex"][1] == at("Porista")
    t.act("pick up marker").stand(0, (0, -1)).roll(2, 1).act("move").walk("Blacksaddle")
    assert t.s["delivered"] == 3
    t.walk((0, 1))
    again(t).act("pick up marker", "put down marker")
    assert "pick up marker" not in t.legal()  # once a turn
    t.s["marker_hex"][0], t.hero(0)["carries"] = NONE, 1
    t.roll(1, 1).act("move").walk("Blacksaddle")


def gateway(t):
    t.stand(0, "gate V").put("orc 1", "gate V")
    assert PART.format(1) not in t.legal()
    fight(t, 4, 1, 1)
    roll(t, 1, 5, 5, 1, 1)


def balsur(t):
    fight(t.stand(0, "Dson Balsur"), 6, 6, 6)
    fight(t, 6, 6, 1)


def last_stand(t):
    fight(t.stand(0, "Blacksaddle"), 6, 6, 5)
    fight(t, 6, 6, 6)


def cleanse(t):
    t.card("scenario")["markers"] = 2
    t.stand(0, (0, 2))
    assert PART.format(1) not in t.legal()
    t.perish((0, 2), (3, 0))
    roll(t, 1, 5, 5, 5, 5)
    assert t.s["tile"][at((0, 2))] == NONE
    assert t.card("scenario")["markers"] == 1
    roll(t.stand(0, (3, 0)), 1, 5, 5, 1, 1)


def crown(t):
    assert PART.format(2) not in t.legal()
    t.set(council=8)
    roll(t, 2, 6, 1, 1, 1)


CASES = {
    "Persuade the Kings of Mankind": ({}, persuade),
    "Conquer Toboribor": ({}, toboribor),
    "The High King's Last Battle": ({}, lambda t: t.stand(1, "Porista").act("pass")),
    "Break the Siege of Alandur": ({}, alandur),
    "Gather the Smithing Secrets": ({}, smithing),
    "Muster the Company": ({}, muster),
    "Sway the Council": ({}, sway),
    "Clear the Underground Road": ({}, road),
    "Forge Keenfire": ({}, keenfire),
    "Hold the Gates!": ({}, gates),
    "Vanquish Nod'onn!": ({}, nodonn),
    "Defeat the Overwhelming Power of the Orcs": ({}, orcs),
    "Seal the Elfar Portal": (ELFAR, portal),
    "Hold Council at the Vaults": (MIGHT, vaults),
    "Hunt the Warband": (MIGHT, warband),
    "March of the Clans": (MIGHT, march),
    "Sea-Road Scouts": (MIGHT, scouts),
    "Free Mifurdania": (MIGHT, mifurdania),
    "Stand Together": (MIGHT, together),
    "Temper the Blade": (MIGHT, temper),
    "Fetch the Axe Haft": (MIGHT, haft),
    "A Trap for Nod'onn": (MIGHT, trap),
    "Reclaim the Stone Gateway": (MIGHT, gateway),
    "Storm Dson Balsur": (MIGHT, balsur),
    "Last Stand at Blacksaddle": (MIGHT, last_stand),
    "Cleanse the Land": (MIGHT, cleanse),
    "Crown the True King": (MIGHT, crown),
}
FINALES = {
    "Hold the Gates!",
    "Vanquish Nod'onn!",
    "Defeat the Overwhelming Power of the Orcs",
    "Seal the Elfar Portal",
    "A Trap for Nod'onn",
    "Reclaim the Stone Gateway",
    "Storm Dson Balsur",
    "Last Stand at Blacksaddle",
    "Cleanse the Land",
    "Crown the True King",
}


def test_every_scenario_has_its_test():
    scenarios = {CARD_TITLES[c] for c in range(len(CARD_TITLES)) if DECK_OF[c] == Deck.SCENARIO}
    assert set(CASES) == scenarios


@pytest.mark.parametrize("title", CASES)
def test_scenario_is_completed(title):
    options, do = CASES[title]
    t = table(title, **options)
    assert t.completed == []
    do(t)
    assert t.completed == [title]
    assert t.used_up
    assert bool(t.s["over"]) == (title in FINALES)
    if title in FINALES:
        assert t.s["end"] == 1


# Preparations


def test_the_last_battle_puts_troops_on_porista_or_where_they_flow_to():
    assert reveal("The High King's Last Battle").troops("Porista") == [2, 2, 0]
    t = reveal("The High King's Last Battle", lambda t: t.perish("Porista"))
    assert t.troops((0, -1)) == [2, 2, 0]


def test_the_power_of_the_orcs_puts_four_orcs_on_toboribor():
    t = reveal("Defeat the Overwhelming Power of the Orcs")
    assert t.troops("Toboribor") == [4, 0, 0]
    assert not t.s["over"]


def test_what_the_supply_lacks_for_a_scenario_comes_from_hexes_the_active_hero_names():
    def lay(t):
        for h in ((2, 2), (3, 0), (4, 0), (3, 1), (4, -4), (2, -4), (3, -4)):
            t.put("orc 4", h)

    t = reveal("Conquer Toboribor", lay)
    assert t.card("scenario")["troops"].tolist() == [2, 0, 0]
    t.act("hex 2 2", "hex 4 0")
    assert t.card("scenario")["troops"].tolist() == [4, 0, 0]
    assert t.troops((2, 2)) == t.troops((4, 0)) == [3, 0, 0]


def test_nodonn_draws_all_heroes_to_blacksaddle_but_those_who_are_held():
    def lay(t):
        t.show("display 1", "Sinthoras' Assassination", attached=0)
        for q in range(-4, 1):
            t.perish((q, 4), (q, 3))
        t.perish((1, 3), (1, 2), (2, 2), (3, 1), (2, 1))

    t = reveal("Vanquish Nod'onn!", lay)
    assert t.where(1) == (0, 0)
    assert t.where(0) == (0, 4)
    assert t.hero(0)["health"] == 2  # then the Threat happened
    assert t.card("scenario")["markers"] == 4
    assert t.hero(1)["health"] == 4  # no price for Blacksaddle


def test_a_finale_whose_condition_fails_is_discarded():
    t = table("Sway the Council").set(council=5)
    t.on_top("scenario", "Vanquish Nod'onn!", "Hold the Gates!")
    t._take_off(3)
    t.on_top("scenario", "Vanquish Nod'onn!", "Hold the Gates!")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Forced March").end_turn()
    assert t.shown("scenario") == "Hold the Gates!"
    assert t.completed == []


def test_a_scenario_fulfilled_on_reveal_is_followed_by_the_next_and_threats_happen_once():
    t = table("Sway the Council").set(council=6).show("display 1", "Black Omen")
    t._take_off(3)
    t.on_top("scenario", "Sway the Council", "Break the Siege of Alandur")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Forced March").end_turn()
    assert t.completed == ["Sway the Council"]
    assert t.shown("scenario") == "Break the Siege of Alandur"
    assert t.s["doom_marker"] == 41


def test_the_portal_draws_troops_around_it_and_an_elf_onto_its_card():
    t = reveal(
        "Seal the Elfar Portal",
        lambda t: t.put("elfar 1", (-4, 3)).put("orc 2", (-3, 2)),
        elfar=True,
    )
    assert t.card("scenario")["troops"].tolist() == [2, 0, 2]
    assert t.card("scenario")["markers"] == 3
    assert t.total("orc") == t.total("elfar") == 0


def test_without_an_elf_on_the_map_one_comes_through_the_portal_for_the_only_finale():
    t = reveal("Seal the Elfar Portal", elfar=True)
    assert t.shown("scenario") == "Seal the Elfar Portal"
    assert t.card("scenario")["troops"].tolist() == [0, 0, 2]


def test_the_portal_is_the_only_finale_unless_all_are_wanted():
    from dwarrow.envs.the_dwarves import GAME
    from dwarrow.envs.the_dwarves.cards import LEVEL_OF

    def finales(**options):
        states = GAME.new(1, seed=1, **options)
        deck = states["scenario_deck"][0][: states["n_scenario"][0]]
        return sum(LEVEL_OF[deck] == 2)

    both = {"elfar": True, "combined_might": True}
    assert finales() == 3
    assert finales(elfar=True) == 1
    assert finales(combined_might=True) == 9
    assert finales(**both) == 1
    assert finales(**both, finales="all") == 10


@pytest.mark.parametrize("might", [False, True])
def test_each_level_removes_its_number_of_level_a_cards(might):
    from dwarrow.envs.the_dwarves import GAME
    from dwarrow.envs.the_dwarves.cards import LEVEL_OF, LEVELS

    for level, kept in zip(LEVELS, (4, 5, 6, 7, 8), strict=True):
        states = GAME.new(1, seed=1, difficulty=level, combined_might=might)
        deck = [
            *states["scenario_deck"][0][: states["n_scenario"][0]],
            states["slots"][0]["card"][3],
        ]
        levels = [int(LEVEL_OF[c]) for c in deck]
        assert (levels.count(0), levels.count(1)) == (kept, 1)
        assert levels[:-1] == sorted(levels[:-1], reverse=True)


def test_muster_alone_means_to_enter_porista():
    t = Table("andokai").set(hero_marker=5).show("scenario", "Muster the Company")
    t.act("pass")
    assert t.completed == []
    t.roll(2, 1, 1).act("move").walk((0, -1), "Porista")
    assert t.completed == ["Muster the Company"]


def test_a_journey_is_broken_by_another_action():
    t = table("March of the Clans", combined_might=True).stand(0, "gate IV").roll(1, 1)
    t.act("move").walk((4, -2))
    assert t.card("scenario")["journey"][0] == 1
    t.roll(1, 1, 1, 1).act("send dispatches")
    assert t.card("scenario")["journey"][0] == 0


def test_a_defeated_troop_goes_to_the_card_the_hero_chooses():
    t = table("Defeat the Overwhelming Power of the Orcs").show("display 1", "Surrounded!")
    t.put("orc 2", (0, 2)).put("orc 1", (3, 0)).stand(0, (0, 2)).roll(4, 1, 1).act("fight")
    assert t.legal() == ["choose display 1", "choose scenario"]
    t.act("choose display 1")
    assert t.card("display 1")["trophies"] == 1
    assert t.card("scenario")["trophies"] == 0


def test_borrowed_craft_adds_the_successes_of_two_turns_in_one_hex():
    t = table("Sway the Council", combined_might=True).show("display 1", "Borrowed Craft")
    t.stand(0, (2, 2)).stand(1, (2, 2)).next_equipment("War Axe", "Comfortable Boots")
    t.roll(5, 5, 1, 1).act("quest display 1 part 1", "pass")
    assert t.card("display 1")["carried_over"] == 2
    t.roll(5, 1).act("quest display 1 part 1")
    assert "Borrowed Craft" in t.discarded
    assert t.owned(1) == ["War Axe"]
    assert t.owned(0) == ["Comfortable Boots"]


def test_the_last_finale_stays_though_the_elfar_it_calls_are_lost_at_blacksaddle():
    t = Table(**ELFAR).set(council=5, hero_marker=5).put("orc 2, troll 2", "Blacksaddle")
    t.perish((-4, 3))
    h = resting_hex(t.s, at((-4, 3)))
    while h != at("Blacksaddle"):
        t.perish(tuple(MAP.axial[h].tolist()))
        h = resting_hex(t.s, at((-4, 3)))
    t.finale("Seal the Elfar Portal")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Elven Healers").end_turn()
    assert not t.s["over"]
    assert t.shown("scenario") == "Seal the Elfar Portal"
    assert t.card("scenario")["troops"].tolist() == [0, 0, 1]


def test_a_second_journey_begins_where_another_ends():
    t = Table().show("display 1", "Sealed Letter").show("display 2", "Relief for the Fourthlings")
    t.stand(0, (-3, -1)).roll(6, 1)
    t.card("display 1")["journey"][0] = 1
    t.act("move").walk("gate I")
    assert "Sealed Letter" in t.discarded
    t.walk((-3, -1), (4, -2), "gate IV")
    assert "Relief for the Fourthlings" in t.discarded
