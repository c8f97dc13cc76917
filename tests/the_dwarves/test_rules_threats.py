"""One test a card: every Threat is averted as it says, and does what it says."""

import pytest
from the_dwarves.table import Table, at

from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves.cards import CARD_TITLES, DECK_OF, IMMEDIATE
from dwarrow.envs.the_dwarves.layout import End
from dwarrow.envs.the_dwarves.words import Deck

ELFAR = {"elfar": True}
MIGHT = {"combined_might": True}
QUEST = "quest display 1 part 1"


def table(title: str, **options) -> Table:
    """Return a table with the Threat in display 1 and two harmless Adventures beside it."""
    t = Table(**options).set(hero_marker=5).show("display 2", "Elven Pact")
    t.show("display 3", "A Masterpiece")
    return t.show("display 1", title) if title else t


def check(place, faces):
    return lambda t: t.stand(0, place).roll(*faces).act(QUEST)


def fight(place, faces):
    def do(t: Table) -> None:
        t.stand(0, place).roll(*faces).act("fight")
        while t.s["phase"] == 8:
            t.act(t.legal()[-1])

    return do


def meet(place):
    return lambda t: t.stand(0, place).stand(1, place).act("pass")


def go(start, place):
    return lambda t: t.stand(0, start).roll(6, 6).act("move").walk(place)


def trophies(troop, face, hits):
    """Return how enough troops on the map are defeated while others of the kind remain."""

    def do(t: Table) -> None:
        t.put(f"{troop} 2", (3, 0)).put(f"{troop} {min(hits, 3)}", (0, 2)).stand(0, (0, 2))
        t.roll(*[face] * 3).act("fight")
        if hits > 3:
            t.set(actions_left=2).put(f"{troop} 1", (0, 2)).roll(face, 1, 1).act("fight")

    return do


AVERTED = {
    "Midnight Assault by the Elfar": ({}, fight("Alandur", (6, 6, 1))),
    "The Forest Fights Back": ({}, trophies("elfar", 6, 3)),
    "Tion's Minions Attack the Secondlings": ({}, fight("gate II", (5, 4, 4))),
    "Surrounded!": ({}, trophies("orc", 4, 4)),
    "Sinthoras' Assassination": (
        {},
        lambda t: (
            (t.card("display 1").__setitem__("attached", 1), t.stand(1, (0, 2)))
            and check((0, 2), (5, 5, 1))(t)
        ),
    ),
    "Elfar Ambush": (
        {},
        lambda t: t.card("display 1").__setitem__("attached", 0) or fight((0, 2), (6, 4, 1))(t),
    ),
    "A Never-ending Nightmare": ({}, check("Porista", (4, 4, 1, 1))),
    "Bislipur's Intrigue": ({}, check((0, 2), (5, 5, 1, 1))),
    "The Pass Is Overrun": ({}, fight("gate V", (4, 4, 4))),
    "Creeping Blight": ({}, check("Porista", (4, 4, 4, 1))),
    "Poisoned Stores": ({}, go((-1, 2), "Green Haven")),
    "Black Omen": ({}, meet("Lot-Ionan's Vaults")),
    "Deadly Poison": (
        ELFAR,
        lambda t: t.card("display 1").__setitem__("attached", 0) or go((-1, -1), "Alandur")(t),
    ),
    "Out of Phondrason": (ELFAR, fight((-4, 3), (6, 6, 1))),
    "Gate Between Worlds": (ELFAR, check((-4, 3), (5, 5, 1, 1))),
    "Blades in the Dark": (ELFAR, trophies("elfar", 6, 2)),
    "To the Death!": (MIGHT, check((0, 2), (5, 5, 1))),
    "Two Fronts": (MIGHT, fight("gate I", (4, 4, 1))),
    "Quarrel of the Clans": (MIGHT, meet("Queen Xamtys II")),
    "Broken Roads": (MIGHT, check((-3, -1), (4, 4, 4, 1))),
}


def test_every_threat_has_its_tests():
    threats = {CARD_TITLES[c] for c in range(len(CARD_TITLES)) if DECK_OF[c] == Deck.THREAT}
    immediate = {CARD_TITLES[c] for c in range(len(CARD_TITLES)) if IMMEDIATE[c]}
    assert set(AVERTED) == threats - immediate
    assert set(EFFECTS) == threats


@pytest.mark.parametrize("title", AVERTED)
def test_threat_is_averted(title):
    options, do = AVERTED[title]
    t = table(title, **options)
    health = [int(t.hero(p)["health"]) for p in (0, 1)]
    do(t)
    assert title in t.discarded
    assert [t.hero(p)["health"] for p in (0, 1)] == health
    assert t.council == 0
    assert t.s["doom_marker"] == 42
    assert (t.s["tile"] == NONE).all()


def quiet_turn(t: Table) -> Table:
    """End the turn; the next space of the Doom track only moves the council, to the axe."""
    if t.s["hero_marker"] not in (3, 4):
        t.set(hero_marker=5, council=5)
    return t.end_turn()


def fire(t: Table) -> Table:
    """Let the next turn reveal a Scenario, so that the Threats of the display happen."""
    t._take_off(3)
    t.on_top("scenario", "Sway the Council")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Elven Healers")
    return quiet_turn(t)


def reveal(t: Table, title: str) -> Table:
    """Let the next turn reveal the card in display 1."""
    t._take_off(0)
    return t.on_top(
        "adventure", title, "Lost Siding", "Sealed Letter", "Elven Healers"
    ) and quiet_turn(t)


def midnight(t):
    fire(t)
    t.act("hero bavragor", "hero gandogar")
    assert [t.hero(p)["health"] for p in (0, 1)] == [3, 3]


def forest(t):
    t.put("elfar 1, orc 1", (0, 2)).put("elfar 2", (3, 0)).put("orc 2", (3, 1)).next_tile(8, 8 + 6)
    fire(t)
    assert [t.s["tile"][at(h)] != NONE for h in [(0, 2), (3, 0), (3, 1)]] == [True, True, False]
    assert t.total("elfar") == 3


def tion(t):
    t.put("troll 1", (0, 2)).put("orc 3", (3, 0))
    fire(t)
    assert [t.s["tile"][at(h)] != NONE for h in [(0, 2), (3, 0)]] == [True, False]
    assert t.s["supply"].tolist() == [27, 24, 20]  # the troops of the card are back


def surrounded(t):
    t.stand(0, (0, 2)).put("orc 1", (0, 1)).put("troll 1", (0, 2)).put("elfar 1", (1, 1))
    t.stand(1, (4, 0))
    fire(t)
    tiles = [t.s["tile"][at(h)] != NONE for h in [(0, 1), (1, 1), (0, 2)]]
    assert tiles == [True, True, False]


def sinthoras(t):
    reveal(t.stand(0, (1, -2)).stand(1, (4, 0)), "Sinthoras' Assassination")
    assert t.card("display 1")["attached"] == 0
    quiet_turn(t)  # the held hero's turn
    assert "move" not in t.legal()
    fire(t)
    assert t.hero(0)["health"] == 2


def ambush(t):
    reveal(t.stand(1, (0, 2)), "Elfar Ambush")
    assert t.card("display 1")["attached"] == 1  # the hero whose turn it is
    assert t.card("display 1")["troops"].tolist() == [1, 0, 1]
    assert "move" not in t.legal()
    assert "fight" in t.legal()
    fire(t)
    assert t.hero(1)["health"] == 3
    assert t.troops((0, 2)) == [1, 0, 1]


def nightmare(t):
    t.perish("Porista")
    fire(t)
    assert t.troops((0, -1)) == [0, 1, 2]


def intrigue(t):
    fire(t)
    assert t.council == -2


def overrun(t):
    t.recruit(1, 1, 1)
    fire(t)
    assert t.troops("gate V") == [1, 1, 1]
    assert t.s["supply"].tolist() == [29, 24, 19]


def blight(t):
    t.put("orc 2", "gate II").put("orc 1", "gate I")
    fire(t)
    assert t.s["tile"][at("gate II")] != NONE
    assert t.s["tile"][at("gate I")] == NONE


def spoils(t):
    t.give(0, "War Axe", "Ring Mail")
    fire(t)
    assert t.legal() == ["choose War Axe", "choose Ring Mail"]
    t.act("choose Ring Mail")
    assert t.owned(0) == ["War Axe"]
    assert t.s["equipment_discard"][0] == 5


def omen(t):
    fire(t)
    assert t.s["doom_marker"] == 41


def raid(t):
    reveal(t, "Raid")
    assert t.troops("gate II") == [2, 1, 0]
    assert t.shown("display 1") == "Lost Siding"


def ritual(t):
    reveal(t, "Dark Ritual")
    assert t.s["doom_marker"] == 41


def lies(t):
    t.set(hero_marker=3).recruit(0, 0, 0)
    reveal(t, "Whispered Lies")
    assert t.council == -1


def poison(t):
    reveal(t.stand(0, (-4, 2)).stand(1, (0, 2)), "Deadly Poison")
    assert t.card("display 1")["attached"] == 0
    quiet_turn(t)
    assert t.hero(0)["health"] == 3
    assert t.hero(1)["health"] == 4


def phondrason(t):
    fire(t)
    assert t.troops((-4, 3)) == [0, 0, 2]
    assert t.s["supply"][2] == 18


def worlds(t):
    t.put("orc 3", (-4, 3))
    fire(t)
    assert t.s["tile"][at((-4, 3))] != NONE
    assert t.total("orc") == 3
    assert t.s["tunnel"] == at((-4, 3))


def blades(t):
    t.put("elfar 1", (3, 0)).stand(1, (-4, 1))
    fire(t)
    assert [t.hero(p)["health"] for p in (0, 1)] == [4, 2]


def pulses(t):
    t.recruit(None, None, 2).recruit(None, None, 1)
    reveal(t, "The Portal Pulses")
    assert t.troops((-4, 3)) == [0, 0, 3]
    assert t.used_up


def to_the_death(t):
    fire(t)
    t.act("hero gandogar", "hero gandogar")
    assert [t.hero(p)["health"] for p in (0, 1)] == [4, 2]


def fronts(t):
    t.recruit(1, 0, 0).recruit(0, 1, 0)
    fire(t)
    assert t.troops("gate I") == [1, 0, 0]
    assert t.troops("gate IV") == [0, 1, 0]


def quarrel(t):
    fire(t)
    assert t.council == -2


def roads(t):
    t.stand(1, (-3, -1)).set(tunnel=at((0, 2)))
    quiet_turn(t)
    t.roll(1, 1, 1).act("move")
    assert "hex 1 -4" not in t.legal()  # closed
    t.act("pass")
    fire(t)
    assert t.s["tunnel"] == NONE


def horde(t):
    t.set(hero_marker=4).recruit(0, 0, 0)  # the next space shows gate IV
    reveal(t, "Horde")
    assert t.troops("gate IV") == [1, 1, 1]


EFFECTS = {
    "Midnight Assault by the Elfar": ({}, midnight),
    "The Forest Fights Back": ({}, forest),
    "Tion's Minions Attack the Secondlings": ({}, tion),
    "Surrounded!": ({}, surrounded),
    "Sinthoras' Assassination": ({}, sinthoras),
    "Elfar Ambush": ({}, ambush),
    "A Never-ending Nightmare": ({}, nightmare),
    "Bislipur's Intrigue": ({}, intrigue),
    "The Pass Is Overrun": ({}, overrun),
    "Creeping Blight": ({}, blight),
    "Poisoned Stores": ({}, spoils),
    "Black Omen": ({}, omen),
    "Raid": ({}, raid),
    "Dark Ritual": ({}, ritual),
    "Whispered Lies": ({}, lies),
    "Deadly Poison": (ELFAR, poison),
    "Out of Phondrason": (ELFAR, phondrason),
    "Gate Between Worlds": (ELFAR, worlds),
    "Blades in the Dark": (ELFAR, blades),
    "The Portal Pulses": (ELFAR, pulses),
    "To the Death!": (MIGHT, to_the_death),
    "Two Fronts": (MIGHT, fronts),
    "Quarrel of the Clans": (MIGHT, quarrel),
    "Broken Roads": (MIGHT, roads),
    "Horde": (MIGHT, horde),
}


@pytest.mark.parametrize("title", EFFECTS)
def test_threat_happens(title):
    options, see = EFFECTS[title]
    immediate = IMMEDIATE[CARD_TITLES.index(title)]
    t = table("" if immediate else title, **options)
    see(t)
    assert not t.s["over"]
    if not immediate and title != "Deadly Poison":
        assert title in t.discarded
    assert t.used_up


def test_horde_goes_to_gate_v_where_no_gate_is_marked():
    t = table("", combined_might=True).set(hero_marker=5)
    reveal(t, "Horde")
    assert t.troops("gate V") == [1, 1, 1]


def test_poisoned_stores_without_equipment_cost_a_heart():
    t = table("Poisoned Stores")
    fire(t)
    t.act("hero gandogar")
    assert t.hero(1)["health"] == 3


def test_blight_goes_behind_gates_that_have_perished():
    t = table("Creeping Blight").perish("gate I", "gate II", "gate IV", "gate V", (0, 3))
    fire(t)
    # behind gate II the land lost two hexes, behind the others one: these tie, the team chooses
    assert "hex 0 2" not in t.legal()
    t.act("hex 0 -3")
    assert t.s["tile"][at((0, -3))] != NONE


def test_a_trophy_threat_without_such_troops_is_averted_as_soon_as_revealed():
    t = table("")
    reveal(t, "The Forest Fights Back")
    assert "The Forest Fights Back" in t.discarded
    assert t.shown("display 1") == "Lost Siding"


def test_a_trophy_threat_is_averted_when_the_last_such_troop_leaves_by_any_means():
    t = table("The Forest Fights Back").put("elfar 1", (0, 2)).stand(0, (0, 2))
    t.roll(6, 1, 1).act("fight")
    assert "The Forest Fights Back" in t.discarded


def test_the_skull_may_take_the_last_troop_that_a_card_collects_before_the_icon_brings_more():
    def skull(scenario=None, doom=42, bring=True) -> Table:
        t = table("Surrounded!", **ELFAR).put("orc 1", (0, 2)).give(1, "Skull of the Infamous")
        if scenario:
            t.show("display 1", "Forced March").show("scenario", scenario)
        t.set(hero_marker=doom - 1 if doom < 42 else 3, doom_marker=doom).act("pass", "pass")
        t.recruit(1, None, None)
        if bring:
            t.recruit(2, 0, 0)
        return t.act("use Skull of the Infamous", "choose orc")

    t = skull()
    assert t.used_up
    assert t.total("orc") == 2
    assert "Surrounded!" in t.discarded
    won = skull("Defeat the Overwhelming Power of the Orcs", bring=False)
    assert (won.s["end"], won.total("orc")) == (End.WON, 0)
    won = skull("Defeat the Overwhelming Power of the Orcs", doom=21, bring=False)
    assert won.s["end"] == End.WON  # before the markers would have met


def test_the_last_orc_that_leaves_blacksaddle_wins_before_a_raid_brings_others():
    t = table("Forced March").show("scenario", "Defeat the Overwhelming Power of the Orcs")
    t.put("orc 1, troll 3", "Blacksaddle").perish("gate V", (0, -3), "Porista", (0, -1))
    t._take_off(0)
    t.on_top("adventure", "Raid", "Lost Siding")
    t.set(hero_marker=3).recruit(0, 1, 0).end_turn()
    assert t.s["end"] == End.WON
    assert t.total("orc") == 0


def test_a_threat_that_happens_is_too_late_to_avert():
    t = table("Blades in the Dark", **ELFAR).put("elfar 1", (0, 2)).give(1, "Skull of the Infamous")
    t.health(4, 4).stand(0, (-4, 3)).stand(1, (4, 0))
    fire(t).act("pass")  # the window at the start of the turn
    t.recruit(None, None, 2).act("use Skull of the Infamous", "choose elfar")
    assert t.used_up
    assert t.total("elfar") == 0
    assert [t.hero(p)["health"] for p in (0, 1)] == [2, 3]
    assert t.discarded.count("Blades in the Dark") == 1


def test_a_card_with_two_rolls_empties_blacksaddle_once_when_it_is_done():
    t = table("Two Fronts", **MIGHT).put("troll 4", "Blacksaddle").set(council=5)
    t.perish("gate I", (-3, 0), (-2, 0), (-1, 0))
    t.perish("gate IV", (3, -3), (3, -2), (2, -2), (2, -1), (1, -1), (1, 0))
    t.recruit(3, 0, 2).recruit(3, 2, 0)
    fire(t)
    assert t.used_up
    assert t.s["doom_marker"] == 41
    assert t.troops("Blacksaddle") == [0, 0, 0]


def test_a_threat_whose_troops_are_missing_happens_at_once():
    t = table("").put("elfar 4", (2, 2)).put("elfar 4", (3, 0)).put("elfar 4", (4, 0))
    t.put("elfar 4", (3, 1)).put("elfar 3", (4, -4))  # one elf is left
    reveal(t, "Midnight Assault by the Elfar")
    t.act("hero bavragor", "hero bavragor")
    assert t.hero(0)["health"] == 2
    assert t.shown("display 1") == "Lost Siding"
    assert "Midnight Assault by the Elfar" in t.discarded


def test_an_ambush_without_troops_strikes_the_active_hero_at_once():
    t = table("").put("elfar 4", (2, 2)).put("elfar 4", (3, 0)).put("elfar 4", (4, 0))
    t.put("elfar 4", (3, 1)).put("elfar 4", (4, -4))
    reveal(t, "Elfar Ambush")
    assert [t.hero(p)["health"] for p in (0, 1)] == [4, 3]
    assert "Elfar Ambush" in t.discarded
    assert "move" in t.legal()


def test_the_active_hero_orders_the_threats_and_all_else_is_discarded():
    t = table("Bislipur's Intrigue").show("display 2", "Black Omen")
    fire(t)
    assert t.legal() == ["choose display 1", "choose display 2"]
    t.act("choose display 2")
    assert t.s["doom_marker"] == 41
    assert {"Bislipur's Intrigue", "Black Omen", "A Masterpiece"} <= set(t.discarded)
    assert t.shown("display 1") == "Lost Siding"


def test_the_first_reveal_keeps_the_adventures_unless_the_option_says_otherwise():
    from dwarrow.envs.the_dwarves import GAME

    kept = GAME.new(1, seed=3)
    assert (kept["slots"][0]["card"][:3] != NONE).all()
    assert kept["n_discard"][0] == 0
    assert GAME.new(1, seed=3, keep_initial_adventures=False)["n_discard"][0] == 3


def test_a_disguise_cancels_a_threat_that_happens_and_an_immediate_one():
    t = table("Black Omen").give(1, "Deceptive Disguise")
    fire(t)
    assert t.legal() == ["pass", "use Deceptive Disguise"]
    t.act("use Deceptive Disguise")
    assert t.s["doom_marker"] == 42
    assert t.owned(1) == []
    t = table("").give(0, "Deceptive Disguise")
    reveal(t, "Dark Ritual")
    assert t.s["seat"] == 0  # its owner, though it is the other's turn
    t.act("use Deceptive Disguise")
    assert t.s["doom_marker"] == 42
    assert "Dark Ritual" in t.discarded


def test_a_shield_takes_one_or_two_of_two_damage_of_another_hero():
    for action, hearts in (("take 1 damage", [3, 3]), ("take 2 damage", [4, 2]), ("pass", [2, 4])):
        t = table("Sinthoras' Assassination", seed=2).give(1, "Protective Shield")
        t.card("display 1")["attached"] = 0
        fire(t)
        assert t.legal() == ["pass", "take 1 damage", "take 2 damage"]
        t.act(action)
        assert [t.hero(p)["health"] for p in (0, 1)] == hearts
        assert t.owned(1) == (["Protective Shield"] if action == "pass" else [])


def test_a_shield_does_not_answer_single_points():
    t = table("Midnight Assault by the Elfar").give(1, "Protective Shield")
    fire(t)
    t.act("hero bavragor", "hero gandogar")
    assert [t.hero(p)["health"] for p in (0, 1)] == [3, 3]
