"""Placing dwarfs, lines, Pariah tokens."""

import pytest
from aquilon.table import AWAY, GAME, Box, legal, load, lord, phase, play, ranks

MINE = ["5", "2", "3", "0", "4"]


def three(*first, army=(), box=None, options=(), **more):
    """Three lords; lord 0 has the turn at tavern 0, where `first` lie."""
    box = box or Box()
    taverns = [box.tavern(*first, size=3), box.tavern(size=3), box.tavern(size=3)]
    players = [
        {"coins": MINE, "gem": 5, "army": list(army)},
        {**AWAY, "gem": 4},
        {**AWAY, "gem": 3},
    ]
    return load(options={"players": 3, **dict(options)}, phase="take", taverns=taverns,
                players=players, **more)  # fmt: skip


def test_placing_a_dwarf_counts_rank_points_and_symbols():
    states = three("Temple 3 Malt", "Forge 4 rune 2 Malt")
    play(states, "take 1")
    me = lord(states, 0)
    assert me["army"] == ["Forge 4 rune 2 Malt I"]
    assert ranks(states, 0) == [0, 0, 0, 1, 0]
    assert (me["points"]["Forge"], me["malts"], me["runes"]) == (4, 1, 0b10)


def test_placing_a_dwarf_offers_every_card_of_the_tavern_and_no_other():
    states = three("Temple 3 Malt", "Forge 4 rune 2 Malt")
    assert legal(states) == ["take 0", "take 1", "take 2"]
    play(states, "take 1")
    assert legal(states) == ["take 0", "take 2"]


def test_lines_are_one_rank_of_each_order():
    box = Box()
    army = box.of(shield=2, temple=2, wanderers=2, forge=2, talion=1)
    states = three("Talion 8", army=army, box=box)
    assert lord(states, 0)["lost"] == 1  # the line stands: its Cognar counts as lost
    play(states, "take 0")
    assert phase(states) == "recruit"


def covered(states):
    return lord(states, 0)["covered"]


def test_pariah_token_covers_the_card_just_recruited_and_a_third_one_too():
    box = Box()
    states = three("Wanderers 6 Malt", army=box.cards("Wanderers 7 Malt"), box=box)
    play(states, "take 0")
    assert covered(states) == []
    box = Box()
    twin = box.card("Wanderers 7 Malt", era=2)
    states = three("Wanderers 7 Malt", army=[twin], box=box)
    play(states, "take 0")
    me = lord(states, 0)
    assert me["covered"] == [7]
    assert (me["ranks"]["Wanderers"], me["malts"]) == (2, 2)  # rank and Malt stay
    third = "Wanderers 8 Malt I*"
    states = load(
        options={"players": 5},
        phase="over",
        players={"0": {"army": ["Wanderers 8 Malt I", "Wanderers 8 Malt II", third]}},
    )
    assert covered(states) == [8, 8]


def recruit_droh(options, *wanderers):
    box = Box()
    army = [*box.cards(*wanderers), *box.of(shield=1, temple=1, forge=1)]
    states = three("Talion 8", army=army, box=box, options=options)
    return play(states, "take 0", "recruit Droh")


@pytest.mark.parametrize(
    ("scope", "expected"), [("letter", [10]), ("dwarfs", []), ("column", [10])]
)
def test_pariah_token_on_droh_beside_a_10(scope, expected):
    # ruling S-3: Droh is a card of the Order of the Wanderers
    states = recruit_droh({"pariah_scope": scope}, "Wanderers 10")
    assert covered(states) == expected


def recruit_oberon(options, *wanderers):
    box = Box()
    army = [*box.cards(*wanderers), *box.of(shield=1, temple=1, forge=1)]
    states = three("Talion 8", army=army, box=box, options=options)
    return play(states, "take 0", "recruit Oberon", "place in Wanderers")


@pytest.mark.parametrize(("scope", "expected"), [("letter", []), ("dwarfs", []), ("column", [9])])
def test_pariah_token_never_covers_gaat_unless_every_card_counts(scope, expected):
    # he is of no Order
    states = recruit_oberon({"pariah_scope": scope}, "Wanderers 9 Malt")
    assert covered(states) == expected


@pytest.mark.parametrize(("scope", "expected"), [("letter", [9]), ("dwarfs", []), ("column", [9])])
def test_pariah_token_compares_with_gaats_9(scope, expected):
    box = Box()
    army = box.of(shield=1, temple=1, forge=1, talion=1, wanderers=1)
    states = three(
        "Wanderers 9 Malt",
        army=army,
        box=box,
        options={"pariah_scope": scope},
        holder={"Oberon": 0, "Ga'at": 0},
        column={"Ga'at": "Wanderers"},
    )
    assert GAME.violated(states, 0) == []
    play(states, "take 0")
    assert covered(states) == expected
