"""Recruiting Cognars, their powers, chains of recruits, mercenaries."""

import pytest
from aquilon.table import (
    AWAY,
    GAME,
    MINE,
    Box,
    coins,
    hold,
    holders,
    legal,
    line_but,
    load,
    lord,
    phase,
    play,
    ranks,
    seat,
    turn,
)


def points(states):
    return GAME.breakdown(states, 0)["lords"][0]["points"]


def test_recruiting_follows_a_dwarf_that_completes_a_line_and_is_compulsory():
    # page 9: Serge completes a line and recruits Ulrog, who goes to the Forge
    states = play(turn("Shield Malt", line_but("shield")), "take 0")
    assert (phase(states), seat(states)) == ("recruit", 0)
    assert len(legal(states)) == 17  # no mercenary: no single column would complete a line
    play(states, "recruit Ulrog")
    assert ranks(states, 0) == [1, 1, 1, 2, 1]
    assert seat(states) == 1
    assert holders(states) == {"Ulrog": 0}


def test_recruiting_for_a_second_line():
    # page 9: with a second line Serge recruits Fey, who goes to the Temple
    army = {"shield": 1, "temple": 2, "wanderers": 2, "forge": 2, "talion": 1}
    mine = ["5", "2", "4", "3 Exchange", "3"]
    states = turn("Shield Malt", army, holder=hold(kardum=0), mine=mine)
    assert ranks(states, 0) == [1, 2, 2, 2, 3]
    play(states, "take 0", "recruit Fey")
    assert ranks(states, 0) == [2, 3, 2, 2, 3]
    assert points(states)["temple"] >= 5


def test_recruiting_a_cognar_who_completes_a_line_brings_another():
    army = {"shield": 1, "temple": 1, "wanderers": 2, "forge": 2, "talion": 2}
    states = turn("Shield Malt", {**army, "shield": 0, "temple": 2})
    play(states, "take 0", "recruit Abokar")
    assert (phase(states), seat(states)) == ("recruit", 0)
    assert ranks(states, 0)[0] == 2
    assert lord(states, 0)["recruited"] == 1


def test_recruiting_volgrir_completes_two_lines_at_once():
    # page 9: a Shield card makes the first line; Volgrir's two ranks make two more
    army = {"temple": 3, "wanderers": 3, "forge": 3, "talion": 3}
    states = play(turn("Shield Malt", army), "take 0", "recruit Volgrir")
    assert ranks(states, 0) == [3, 3, 3, 3, 3]
    assert (phase(states), seat(states)) == ("recruit", 0)
    play(states, "recruit Gurdan")
    assert (phase(states), seat(states)) == ("recruit", 0)
    play(states, "recruit Jorun")
    assert seat(states) == 1
    assert holders(states) == {"Volgrir": 0, "Gurdan": 0, "Jorun": 0}


def test_recruiting_offers_only_who_is_on_the_card_holder():
    line = dict.fromkeys(("shield", "temple", "wanderers", "forge", "talion"), 1)
    states = turn("Shield Malt", line_but("shield"), second=line, holder=hold(gurdan=1))
    play(states, "take 0")
    assert "recruit Gurdan" not in legal(states)
    assert "seat 1 has Gurdan" in GAME.explain(states, 0, GAME.action_id("recruit Gurdan"))


# The powers


@pytest.mark.parametrize(
    ("name", "column", "more"),
    [
        ("Volgrir", "Shield", 2),
        ("Abokar", "Shield", 1),
        ("Ararun", "Temple", 2),
        ("Sriza", "Temple", 1),
        ("Fey", "Temple", 1),
        ("Kardum", "Talion", 2),
        ("Oosram", "Wanderers", 1),
        ("Droh", "Wanderers", 2),
        ("Ulrog", "Forge", 1),
        ("Tala", "Forge", 2),
        ("Torun", "Forge", 1),
        ("Gurdan", None, 0),
        ("Borogam", None, 0),
        ("Jorun", None, 0),
    ],
)
def test_cognars_stand_in_their_column_or_the_command_zone(name, column, more):
    states = play(turn("Shield Malt", line_but("shield")), "take 0")
    before = lord(states, 0)["ranks"]
    play(states, f"recruit {name}")
    after = lord(states, 0)["ranks"]
    assert holders(states) == {name: 0}
    for order in after:
        assert after[order] - before[order] == (more if order == column else 0)


def test_cognars_bring_malts_occults_and_runes():
    expected = {
        "Gurdan": (1, 0, 0), "Borogam": (3, 0, 0), "Ararun": (0, 1, 0), "Sriza": (0, 2, 0),
        "Ulrog": (0, 0, 2), "Tala": (0, 0, 1), "Torun": (0, 0, 1), "Jorun": (0, 0, 1),
    }  # fmt: skip
    for name, symbols in expected.items():
        states = play(turn("Shield Malt", line_but("shield")), "take 0")
        before = lord(states, 0)
        me = lord(play(states, f"recruit {name}"), 0)
        counts = ("malts", "occults", "unique_runes")
        assert tuple(me[c] - before[c] for c in counts) == symbols


def test_svara_looks_at_five_cards_takes_one_with_its_effects_and_shuffles_the_rest():
    states = play(turn("Shield Malt", line_but("shield")), "take 0")
    deck = GAME.position(states, 0)["decks"][1]["cards"]
    play(states, "recruit Svara")
    assert (phase(states), seat(states)) == ("svara", 0)
    assert legal(states) == [f"pick {k}" for k in range(5)]
    third = deck[-3]
    play(states, "pick 2")
    after = GAME.position(states, 0)["decks"][1]["cards"]
    assert lord(states, 0)["army"][-1] == third
    assert sorted(after) == sorted(set(deck) - {third})
    assert after != [card for card in deck if card != third]


def svara_on(card, mine):
    """Svara recruited in Era 1, `card` on top of Era 2."""
    states = play(turn("Shield Malt", line_but("shield"), mine=mine), "take 0")
    position = GAME.position(states, 0)
    deck = position["decks"][1]["cards"]
    deck.remove(card)
    position["decks"][1]["cards"] = [*deck, card]
    return play(GAME.load(position), "recruit Svara", "pick 0")


def test_svara_talion_dwarf_raises_the_coin_of_the_tavern():
    states = svara_on("Talion 9 II", MINE)
    assert coins(states, 0)[0] == "6"
    assert lord(states, 0)["army"][-1] == "Talion 9 II"


def test_svara_dwarf_may_complete_a_line():
    box = Box()
    army = box.of(shield=0, temple=2, wanderers=2, forge=2, talion=1)
    taverns = [box.tavern("Shield Malt", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = load(
        options={"players": 3},
        phase="take",
        taverns=taverns,
        players=[{"coins": MINE, "gem": 5, "army": army}, {**AWAY, "gem": 4}, {**AWAY, "gem": 3}],
    )
    play(states, "take 0")
    position = GAME.position(states, 0)
    deck = position["decks"][1]["cards"]
    talion = next(card for card in deck if card.startswith("Talion"))
    deck.remove(talion)
    position["decks"][1]["cards"] = [*deck, talion]
    states = play(GAME.load(position), "recruit Svara", "pick 0")
    assert ranks(states, 0) == [2, 2, 2, 2, 2]
    assert (phase(states), seat(states)) == ("recruit", 0)


def test_svara_in_the_last_turn_takes_the_one_card_left_unseen():
    box = Box()
    army = box.of(temple=1, wanderers=1, forge=1, talion=1)
    first = box.card("Shield Malt", era=2)
    taverns = [[first, *box.of(2, shield=1, temple=1), None, None]]
    taverns += [[*box.of(2, wanderers=1, temple=2), None, None] for _ in range(2)]
    states = load(
        options={"players": 3},
        phase="take",
        era=1,
        turn=3,
        taverns=taverns,
        players=[{"coins": MINE, "gem": 5, "army": army}, {**AWAY, "gem": 4}, {**AWAY, "gem": 3}],
    )
    decks = [deck["cards"] for deck in GAME.position(states, 0)["decks"]]
    assert [len(deck) for deck in decks] == [0, 1]
    play(states, "take 0", "recruit Svara")
    me = lord(states, 0)
    assert me["army"][-1] == decks[1][0]
    assert GAME.position(states, 0)["decks"][1]["cards"] == []


def test_derdhr_raises_any_coin_but_the_0_by_five_where_it_lies():
    states = play(turn("Shield Malt", line_but("shield")), "take 0", "recruit Derdhr")
    assert phase(states) == "derdhr"
    assert legal(states) == [
        "upgrade tavern 0", "upgrade tavern 1", "upgrade tavern 2", "upgrade purse 1",
    ]  # fmt: skip
    play(states, "upgrade tavern 2")
    me = lord(states, 0)
    assert me["coins"] == ["5", "2", "8", "0", "4"]
    assert me["known"] == [1, 0, 1, 0, 0]  # the hidden bid was seen
    assert "laid 5 ? 8, purse ? ?" in GAME.text(states, 0, seat=2)


def test_derdhr_changes_the_order_of_a_later_tavern():
    states = play(turn("Shield Malt", line_but("shield")), "take 0", "recruit Derdhr")
    play(states, "upgrade tavern 1", "take 1")
    assert GAME.position(states, 0)["tavern"] == 1
    assert GAME.position(states, 0)["order"][0] == 0  # 2 became 7


@pytest.mark.parametrize("mine", [MINE, ["5", "0", "2", "3", "4"]])
def test_kardum_puts_his_coin_in_the_place_of_the_0_in_sight(mine):
    states = play(turn("Shield Malt", line_but("shield"), mine=mine), "take 0", "recruit Kardum")
    me = lord(states, 0)
    place = me["coins"].index("3 Exchange")
    assert me["known"][place] == 1
    assert "0" not in me["coins"]
    assert me["ranks"]["Talion"] == 3
    if place < 3:
        assert place == mine.index("0")


def test_kardum_for_the_0_of_this_tavern_still_exchanges():
    # ruling C-9
    box = Box()
    army = box.of(temple=1, wanderers=1, forge=1, talion=1)
    taverns = [box.tavern("Shield Malt", size=3), box.tavern(size=3), box.tavern(size=3)]
    states = load(
        options={"players": 3},
        phase="take",
        taverns=taverns,
        players=[
            {"coins": ["0", "2", "3", "4", "5"], "gem": 5, "army": army},
            {**AWAY, "gem": 4},
            {**AWAY, "gem": 3},
        ],
    )
    play(states, "take 1", "take 2", "recruit Kardum")
    assert coins(states, 0) == ["3 Exchange", "2", "3", "4", "9"]


@pytest.mark.parametrize(
    ("column", "gain"),
    [("Shield", 0), ("Temple", 2), ("Wanderers", 9), ("Forge", 4), ("Talion", 6)],
)
def test_oberon_brings_gaat_into_any_column(column, gain):
    states = play(turn("Shield Malt", line_but("shield")), "take 0", "recruit Oberon")
    before = lord(states, 0)
    assert phase(states) == "place"
    assert len(legal(states)) == 5
    play(states, f"place in {column}")
    me = lord(states, 0)
    assert me["points"][column] - before["points"][column] == gain
    assert me["ranks"][column] - before["ranks"][column] == 1
    assert holders(states) == {"Oberon": 0, "Ga'at": 0}
    assert me["recruited"] == 1


def test_oberon_gaat_counts_two_shield_ranks_by_option():
    # ruling R-4
    states = turn("Shield Malt", line_but("shield"), options={"gaat_shield_ranks": 2})
    play(states, "take 0", "recruit Oberon", "place in Shield")
    assert ranks(states, 0)[0] == 3


def test_oberon_gaat_may_complete_a_line():
    army = {"temple": 2, "wanderers": 2, "forge": 2, "talion": 2}
    states = play(turn("Shield Malt", army), "take 0", "recruit Oberon", "place in Shield")
    assert (phase(states), seat(states)) == ("recruit", 0)


# Mercenaries

BUT_FORGE = {"shield": 2, "temple": 2, "wanderers": 2, "talion": 2}


def test_mercenaries_come_in_pairs():
    # page 16: a Forge card makes a line; Tadgar in the Forge makes another; Lygdr joins the Temple
    states = play(turn("Forge 4 rune 3", BUT_FORGE), "take 0")
    assert len(legal(states)) == 22
    play(states, "recruit Tadgar")
    assert ranks(states, 0) == [2, 2, 2, 2, 2]  # only the Forge completes a line: no choice
    assert legal(states) == [f"recruit {name}" for name in ("Lygdr", "Wal", "Akab", "Dawn")]
    play(states, "recruit Lygdr")
    assert legal(states) == [
        f"place in {order}" for order in ("Shield", "Temple", "Wanderers", "Forge", "Talion")
    ]
    play(states, "place in Temple")
    assert ranks(states, 0) == [2, 3, 2, 2, 2]
    assert seat(states) == 1
    assert points(states)["forge"] == 4 + 1 + 24


def test_mercenaries_need_one_column_that_completes_a_line():
    states = play(turn("Shield Malt", line_but("shield")), "take 0")
    wants = GAME.explain(states, 0, GAME.action_id("recruit Tadgar"))
    assert "no column lets Tadgar complete a line" in wants


def test_mercenaries_partner_that_completes_a_line_leaves_the_next_recruit_free():
    army = {"shield": 3, "temple": 3, "wanderers": 3, "talion": 3}
    states = play(turn("Forge 4 rune 3", army), "take 0", "recruit Tadgar")
    play(states, "recruit Lygdr", "place in Forge")
    # the third line: anybody, or a mercenary without condition (all columns are level)
    assert ranks(states, 0) == [3, 3, 3, 3, 3]
    assert len(legal(states)) == 17 + 3
    after = play(states.copy(), "recruit Fey")
    assert seat(after) == 1
    play(states, "recruit Wal", "place in Shield")
    assert (seat(states), ranks(states, 0)) == (1, [4, 3, 3, 3, 3])


def test_mercenaries_come_four_in_a_row_but_the_last_one_left_stays():
    army = {"shield": 5, "temple": 5, "wanderers": 5, "talion": 5}
    states = play(turn("Forge 4 rune 3", army), "take 0", "recruit Tadgar")
    for name in ("Lygdr", "Wal", "Akab"):
        play(states, f"recruit {name}", "place in Forge")
    assert phase(states) == "recruit"
    assert "recruit Dawn" not in legal(states)
    assert "last mercenary left" in GAME.explain(states, 0, GAME.action_id("recruit Dawn"))


def test_mercenaries_last_one_may_continue_a_chain_by_option():
    army = {"shield": 5, "temple": 5, "wanderers": 5, "talion": 5}
    options = {"last_mercenary_in_chain": 1}
    states = play(turn("Forge 4 rune 3", army, options=options), "take 0", "recruit Tadgar")
    for name in ("Lygdr", "Wal", "Akab"):
        play(states, f"recruit {name}", "place in Forge")
    play(states, "recruit Dawn", "place in Talion")
    assert ranks(states, 0) == [5, 5, 5, 5, 6]


def test_mercenaries_second_recruit_owed_does_not_replace_the_line():
    # ruling R-5: Volgrir owes two recruits; all columns are level, so no mercenary
    army = {"temple": 3, "wanderers": 3, "forge": 3, "talion": 3}
    states = play(turn("Shield Malt", army), "take 0", "recruit Volgrir")
    assert ranks(states, 0) == [3, 3, 3, 3, 3]
    assert not any(f"recruit {name}" in legal(states) for name in ("Tadgar", "Dawn"))


def test_mercenaries_partner_is_due_even_when_two_recruits_are_owed():
    # Volgrir makes two lines; Tadgar completes a third, and his partner comes before anybody else
    army = {"temple": 4, "wanderers": 4, "forge": 4, "talion": 4}
    states = turn("Shield Malt", army)
    play(states, "take 0", "recruit Volgrir", "recruit Tadgar")
    assert ranks(states, 0) == [4, 4, 4, 4, 4]
    assert legal(states) == [f"recruit {name}" for name in ("Lygdr", "Wal", "Akab", "Dawn")]
    play(states, "recruit Wal", "place in Forge")
    # the second of Volgrir's recruits: a new pair would need a line of its own
    assert phase(states) == "recruit"
    assert "recruit Dawn" not in legal(states)


def nobody_eligible(unfilled):
    """Five lords; the 17 others are gone, the mercenaries complete nothing."""
    box = Box()
    mine = box.of(temple=1, wanderers=1, forge=1, talion=1)
    first = box.tavern("Shield Malt", size=5)
    taverns = [first, box.tavern(size=5), box.tavern(size=5)]
    players = [{"coins": MINE, "gem": 5, "army": mine}]
    players += [{**AWAY, "gem": gem} for gem in (4, 3, 2, 1)]
    position = {
        "options": {"players": 5, "unfilled_recruit": unfilled},
        "phase": "take",
        "taverns": taverns,
        "players": players,
    }
    states = load(**position)
    # whoever holds them: set straight in the record, past the count of lines that load checks
    for cognar in range(17):
        states["holder"][0][cognar] = 1
    states["holder"][0][22] = 1
    return play(states, "take 0")


def test_recruiting_nobody_eligible_loses_the_recruit_for_good():
    # ruling R-6
    states = nobody_eligible("lost")
    assert seat(states) == 1
    assert lord(states, 0)["lost"] == 1


def test_recruiting_nobody_eligible_waits_by_option():
    states = nobody_eligible("waits")
    assert seat(states) == 1
    assert lord(states, 0)["lost"] == 0
