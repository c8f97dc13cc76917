"""One test for each Equipment title, each spell and each hero."""

import pytest
from the_dwarves.table import Table, at

from dwarrow.envs.the_dwarves.cards import EQUIPMENT_TITLES, SPELL_NAMES
from dwarrow.envs.the_dwarves.layout import HERO_IDS

ELFAR = {"elfar": True}
MIGHT = {"combined_might": True}


def battlefield(*heroes, **options) -> Table:
    """Return a table whose first hero stands among an orc, a troll and an elf."""
    t = Table(*heroes, **options).set(hero_marker=5).stand(0, (0, 2))
    return t.put("orc 1, troll 1, elfar 1", (0, 2))


# Equipment


def boots():
    t = Table().give(0, "Comfortable Boots").roll(1, 1, 3).act("move")  # three dice, not two
    assert t.used_up


def disguise():
    t = Table().set(hero_marker=5, council=5).give(1, "Deceptive Disguise")
    t.show("display 2", "Elven Pact").show("display 3", "A Masterpiece")
    t.on_top("adventure", "Dark Ritual", "Lost Siding").end_turn()
    t.act("use Deceptive Disguise")
    assert t.s["doom_marker"] == 42
    assert t.s["equipment_discard"][0] == EQUIPMENT_TITLES.index("Deceptive Disguise")


def shield():
    t = Table().set(hero_marker=5, council=5).give(1, "Protective Shield").health(1, 4)
    t.show("display 1", "Sinthoras' Assassination", attached=0)
    t._take_off(3)
    t.on_top("scenario", "Break the Siege of Alandur")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Elven Healers").end_turn()
    t.act("take 2 damage")
    assert not t.s["over"]
    assert [t.hero(p)["health"] for p in (0, 1)] == [1, 2]


def war_axe():
    t = battlefield().give(0, "War Axe").roll(1, 1, 1, 1).act("fight")
    assert t.used_up


def tools():
    t = Table().give(0, "Master's Tools").roll(1, 1, 1, 1, 1).act("send dispatches")
    assert t.used_up


def ring_mail():
    t = Table().set(council=8).next_equipment("Ring Mail").roll(4, 1, 1, 1)
    t.act("check for equipment", "hero bavragor")
    assert t.hero(0)["health"] == 5


def herbs():
    t = Table().set(hero_marker=5).give(1, "Healing Herbs").health(1, 4)
    t.act("pass", "pass")
    assert t.s["seat"] == 1  # the window at the start of a turn
    t.act("use Healing Herbs")  # only one hero is wounded
    assert t.hero(0)["health"] == 3
    assert t.owned(1) == []


def axes():
    t = battlefield().give(0, "Throwing Axes").act("fight")
    assert t.legal() == ["pass", "use Throwing Axes"]
    t.roll(1, 1, 1, 1, 4).act("use Throwing Axes")
    assert t.used_up
    assert t.owned(0) == []
    assert t.troops((0, 2)) == [0, 1, 1]


def rune():
    t = Table().give(0, "Rune Stone").roll(1, 2, 3, 4).act("send dispatches")
    t.act("use Rune Stone", "pick die 1", "pick die 3").roll(5, 5).act("pass")
    assert t.s["dice"][:4].tolist() == [5, 2, 5, 4]
    assert t.council == 1
    assert t.owned(0) == []


def cart():
    t = Table().give(0, "Cart Pass").stand(0, (0, 3)).roll(2, 1).act("move", "use Cart Pass")
    t.walk((4, -2))
    assert t.where(0) == (4, -2)
    assert t.owned(0) == []


def horn():
    t = Table().set(hero_marker=5).give(0, "War Horn").act("pass", "pass")
    assert t.s["actions_left"] == 0
    t.act("use War Horn")
    assert t.s["actions_left"] == 1
    assert "move" in t.legal()


def skull():
    t = battlefield(**ELFAR).give(0, "Skull of the Infamous").put("elfar 2", (3, 0))
    t.recruit(None, None, 1).act("use Skull of the Infamous", "choose elfar")
    assert t.hero(0)["health"] == 3
    t.act("hex 3 0")
    assert t.total("elfar") == 2
    assert t.owned(0) == []


def cloak():
    t = Table(**ELFAR).give(0, "Elfar Cloak").stand(0, (0, 3)).put("orc 1", (0, 2)).roll(2, 1)
    t.act("move").walk((0, 2), (0, 1))
    assert t.where(0) == (0, 1)


def crossbow():
    t = Table(**MIGHT).give(0, "Crossbow").stand(0, (0, 2)).put("orc 1", (0, 2))
    t.put("elfar 1", (0, 1)).act("fight").roll(4, 1, 1, 6).act("use Crossbow")
    assert t.troops((0, 2)) == t.troops((0, 1)) == [0, 0, 0]
    assert t.owned(0) == ["Crossbow"]


def mirror():
    t = Table(**MIGHT).give(1, "Signal Mirror").roll(1, 1, 1, 5).act("send dispatches")
    assert t.s["seat"] == 1  # its owner repeats a failed die of another hero
    assert "repeat die 4 with the mirror" not in t.legal()
    t.roll(6).act("repeat die 1 with the mirror")
    assert t.owned(1) == []
    assert t.council == 1


def spell_book():
    t = Table("andokai", "gandogar").set(hero_marker=5)
    t._write("spell_deck", "n_spells", [1, 2, 3, 4, 5, 6, 7, 8, 0])
    t.act("draw a spell")
    assert t.owned(0) == ["Spell Book"]
    assert not t.s["hand"].any()


EQUIPMENT = dict(
    zip(
        EQUIPMENT_TITLES,
        [
            *(boots, disguise, shield, war_axe, tools, ring_mail, herbs, axes, rune, cart, horn),
            *(skull, cloak, crossbow, mirror, spell_book),
        ],
        strict=True,
    )
)


@pytest.mark.parametrize("title", EQUIPMENT)
def test_equipment(title):
    EQUIPMENT[title]()


def test_a_horn_that_comes_back_is_not_blown_again_in_the_turn():
    t = Table().set(council=8, hero_marker=5).give(0, "War Horn").act("pass", "pass")
    t.act("use War Horn")
    deck, horn = t.s["equipment_deck"][: t.s["n_equipment"]], t.s["equipment_discard"][:1]
    t._write("equipment_deck", "n_equipment", [*deck.tolist(), *horn.tolist()])
    t._write("equipment_discard", "n_spent", [])
    t.roll(4, 1, 1, 1).act("check for equipment", "hero bavragor")
    assert t.s["active"] == 1  # with the horn in hand, the turn is over
    assert t.owned(0) == ["War Horn"]
    t.act("pass", "pass")
    assert t.s["active"] == 0
    t.act("pass", "pass", "use War Horn")
    assert t.s["actions_left"] == 1


def test_nobody_owns_two_of_a_title_and_a_card_that_all_own_goes_under_the_deck():
    t = Table().set(council=8).give(0, "War Axe").give(1, "War Axe")
    t.next_equipment("War Axe", "Cart Pass").roll(4, 1, 1, 1).act("check for equipment")
    assert t.legal() == ["hero bavragor", "hero gandogar"]
    t.act("hero gandogar")
    assert t.owned(1) == ["War Axe", "Cart Pass"]
    assert t.s["equipment_deck"][0] == EQUIPMENT_TITLES.index("War Axe")
    t = Table().set(council=8).give(0, "War Axe").next_equipment("War Axe").roll(4, 1, 1, 1)
    t.act("check for equipment")  # only one hero may have it
    assert t.owned(1) == ["War Axe"]


def test_an_empty_equipment_deck_is_made_of_the_discards():
    t = Table().set(council=8)
    cards = t.s["equipment_deck"][: t.s["n_equipment"]].tolist()
    t._write("equipment_deck", "n_equipment", [])
    t._write("equipment_discard", "n_spent", cards)
    t.roll(4, 1, 1, 1).act("check for equipment", "hero gandogar")
    assert t.s["n_spent"] == 0
    assert t.s["n_equipment"] == len(cards) - 1


# Spells


def caster(*spells) -> Table:
    """Return a table with Andokai second, in the first hero's turn."""
    return Table("bavragor", "andokai").set(hero_marker=5).spell(*spells)


def mend():
    t = Table("andokai", "bavragor").spell("Mend").health(1, 2)
    t.act("cast Mend", "hero andokai")
    assert [t.hero(p)["health"] for p in (0, 1)] == [3, 2]
    return t


def warmth():
    t = Table("andokai", "bavragor", "gandogar").spell("Warmth").health(1, 2, 2)
    t.act("cast Warmth", "hero bavragor")
    assert t.legal() == ["pass", "hero gandogar", "hero andokai"]
    t.act("hero gandogar")
    assert [t.hero(p)["health"] for p in range(3)] == [1, 3, 3]
    return t


def step_through():
    t = caster("Step Through").perish((0, -1)).put("orc 1", (0, 1)).act("pass", "pass")
    assert t.s["seat"] == 1
    t.act("cast Step Through", "hero andokai")
    assert "hex 0 1" not in t.legal()  # troops
    t.act("hex 0 -1", "advance doom")
    assert t.where(1) == (0, -1)
    assert t.s["doom_marker"] == 41
    return t


def exchange():
    t = Table("andokai", "bavragor", "gandogar").spell("Exchange")
    t.act("cast Exchange", "hero bavragor", "hero gandogar")
    assert [t.where(p) for p in range(3)] == [(0, -2), (4, -3), (0, 4)]
    return t


def guide():
    t = caster("Guide the Hand").roll(1, 1, 1, 1).act("send dispatches")
    assert t.s["seat"] == 1
    t.act("set die 2 to 6")
    assert t.council == 1
    return t


def second_fate():
    t = caster("Second Fate").roll(1, 2, 1, 1).act("send dispatches", "cast Second Fate")
    t.act("pick die 1", "pick die 2").roll(3, 5).act("pass")
    assert t.s["dice"][:4].tolist() == [3, 5, 1, 1]
    assert t.council == 1
    return t


def gather():
    t = caster("Gather Strength").act("send dispatches").roll(1, 1, 1, 1, 1, 5)
    t.act("cast Gather Strength")
    assert t.used_up
    assert t.council == 1
    return t


def drums():
    t = caster("Still the Drums").set(hero_marker=3).recruit(2, 2, 0)
    t.act("pass", "pass")
    assert t.legal() == ["pass", "choose orc", "choose troll"]
    t.act("choose troll")
    assert t.troops("gate V") == [2, 0, 0]
    return t


SPELLS = dict(
    zip(
        SPELL_NAMES[1:],
        (mend, warmth, step_through, exchange, guide, second_fate, gather, drums),
        strict=True,
    )
)


@pytest.mark.parametrize("spell", SPELLS)
def test_spell(spell):
    t = SPELLS[spell]()
    assert not t.s["hand"].any()
    assert t.s["spell_deck"][0] == SPELL_NAMES.index(spell)  # under the deck
    assert t.used_up


def test_a_fourth_spell_in_hand_is_too_many_but_not_with_the_spell_book():
    t = Table("andokai", "gandogar").spell("Mend", "Warmth", "Exchange")
    drawn = SPELL_NAMES[t.s["spell_deck"][t.s["n_spells"] - 1]]
    if drawn == "Spell Book":
        deck = t.s["spell_deck"][: t.s["n_spells"]].tolist()
        t._write("spell_deck", "n_spells", deck[::-1])
    t.act("draw a spell")
    assert len(t.legal()) == 4
    t.act("return Mend")
    assert t.s["hand"].sum() == 3
    t = Table("andokai", "gandogar").give(0, "Spell Book").spell("Mend", "Warmth", "Exchange")
    t.act("draw a spell")
    assert t.s["hand"].sum() == 4


# Heroes


def tungdil():
    t = Table("tungdil", "gandogar").roll(4, 1, 1).act("send dispatches")
    assert t.legal() == ["pass", "increase die 1", "increase die 2", "increase die 3"]
    t.act("increase die 1")
    assert t.council == 1
    assert t.where(0) == (4, -3)


def balyndis():
    t = Table("balyndis", "gandogar").set(council=7).show("display 1", "A Masterpiece")
    t.roll(1, 1, 1, 1).act("quest display 1 part 1").roll(2).act("re-roll die 1")
    t.roll(1, 1, 1, 5).act("re-roll all dice")
    assert "re-roll die 1" in t.legal()  # the council's box again
    assert "re-roll all dice" not in t.legal()
    t.roll(6).act("re-roll die 1")
    assert t.hero(0)["bonus"].tolist() == [0, 1, 0]


def bavragor():
    t = Table().stand(0, (0, 3)).perish((0, 2)).roll(2, 1).act("move").walk((0, 2), (0, 1))
    assert t.where(0) == (0, 1)
    assert t.s["doom_marker"] == 42
    assert t.hero(0)["health"] == 4


def boendal():
    t = battlefield("boendal", "gandogar").roll(5, 1, 1, 1).act("fight")
    t.act("increase die 1", "defeat elfar here")
    assert t.troops((0, 2)) == [1, 1, 0]


def boindil():
    t = battlefield("boindil", "gandogar").roll(1, 1, 1, 1).act("fight")
    t.roll(4, 1, 1, 1).act("re-roll all dice")
    assert t.troops((0, 2)) == [0, 1, 1]


def gandogar():
    t = Table("gandogar", "bavragor").stand(0, (0, 2)).put("troll 1", (0, 1)).put("orc 1", (0, 3))
    assert "fight" in t.legal()  # troops beside him will do
    t.roll(5, 4, 1, 1).act("fight", "defeat troll to the N")
    assert t.total("orc") == t.total("troll") == 0


def andokai():
    t = Table("andokai", "gandogar")
    assert "draw a spell" in t.legal()
    assert t.where(0) == (0, -2)


def furgas():
    t = Table("furgas", "gandogar").next_equipment("War Axe").roll(4, 4, 4, 4)
    t.act("check for equipment")
    assert t.owned(0) == []
    t.roll(5, 1, 1, 1).act("check for equipment", "hero furgas")
    assert t.owned(0) == ["War Axe"]
    t = Table("furgas", "gandogar").set(council=8).next_equipment("War Axe").roll(4, 1, 1, 1)
    t.act("check for equipment", "hero furgas")
    assert t.owned(0) == ["War Axe"]


def rodario():
    t = Table("rodario", "gandogar").show("display 1", "Outrun the Riders").roll(5, 4, 1, 1)
    t.act("quest display 1 part 1", "increase die 2")
    assert t.hero(0)["bonus"].tolist() == [0, 0, 1]


def narmora():
    t = Table("narmora", "gandogar").set(hero_marker=5).stand(0, (0, 3)).put("elfar 1", (0, 2))
    t.roll(2, 1, 1, 1)
    t.act("move").walk((0, 2)).act("pass")  # troops would not have stopped her
    t.roll(1, 1, 1, 1).act("fight", "choose elfar")
    assert t.total("elfar") == 0
    assert t.hero(0)["health"] == 3  # full: the extra troop counts


def xamtys():
    t = Table("xamtys", "gandogar").show("display 1", "Trial of the Axe").roll(5, 5, 1)
    t.act("quest display 1 part 1")
    assert t.council == 1


def true_tungdil():
    t = Table("true_tungdil", "gandogar").roll(1, 2).act("move", "re-roll speed dice")
    t.act("pick die 1").roll(6).act("pass")
    assert t.s["stack"][1]["a"] == 6
    assert t.where(0) == (0, -4)


HEROES = dict(
    zip(
        HERO_IDS,
        [
            *(tungdil, balyndis, bavragor, boendal, boindil, gandogar, andokai, furgas, rodario),
            *(narmora, xamtys, true_tungdil),
        ],
        strict=True,
    )
)


@pytest.mark.parametrize("hero", HEROES)
def test_hero(hero):
    HEROES[hero]()


def test_abilities_of_a_fight_count_against_nodonn_unless_the_option_says_otherwise():
    for on in (True, False):
        t = Table("boendal", "gandogar", nodonn_abilities=on).stand(0, "Blacksaddle")
        t.show("scenario", "Vanquish Nod'onn!", markers=4).give(0, "Throwing Axes")
        t.act("quest scenario part 1") if on else t.roll(5, 1, 1, 1).act("quest scenario part 1")
        if on:
            t.roll(5, 1, 1, 1, 1, 1).act("use Throwing Axes", "increase die 1")
        assert t.card("scenario")["markers"] == (3 if on else 4)
        assert t.used_up


def test_no_more_than_seven_dice_are_rolled():
    t = battlefield("boindil", "gandogar").give(0, "War Axe", "Throwing Axes")
    t.hero(0)["bonus"][0] = 2
    t.roll(1, 1, 1, 1, 1, 1, 1).act("fight")
    assert t.used_up
    assert t.owned(0) == ["War Axe", "Throwing Axes"]  # nothing could be added


def test_a_window_before_a_loss_can_save_a_hero():
    t = Table().stand(0, (0, 2)).put("elfar 1", (0, 2)).health(1, 4).give(1, "Healing Herbs")
    t.roll(1, 1, 1).act("fight")
    assert t.s["seat"] == 1
    t.act("use Healing Herbs")
    assert t.hero(0)["health"] == 2
    assert not t.s["over"]
    assert t.where(0) == (0, 2)
    assert at((0, 2)) == t.hero(0)["hex"]
