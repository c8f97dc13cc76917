import pytest
from the_duel.table import GAME, legal, phase, play, player, shown, side, table

pytestmark = pytest.mark.nojit

PASSES = ["throwing_axe"] * 2  # in the discard: no windows


def test_allies_use_dice_of_their_number() -> None:
    me = side(display=["bavragor", "boindil"])
    states = table(me, side(), "123a")
    assert legal(states, "strike") == ["strike with 1", "strike with 2", "strike with axe"]
    states = table(side(display=["andokai"], joker_cards=1), side(), "123")
    assert legal(states, "strike") == ["strike with 3", "strike with joker"]


def test_allies_need_dice_they_can_use() -> None:
    states = table(side(display=["bavragor"]), side(), "234")
    with pytest.raises(ValueError, match="no Ally in the display deals damage with a 2"):
        play(states, "strike with 2")
    with pytest.raises(ValueError, match="no die 1 is left; unused are the dice 2 3 4"):
        play(states, "strike with 1")
    with pytest.raises(ValueError, match="no usable Joker card is left"):
        play(states, "strike with joker")


def test_allies_use_every_die_with_the_king() -> None:
    states = table(side(display=["dwarf_king"], joker_cards=1), side(), "12345a")
    assert len(legal(states, "strike")) == 7


@pytest.mark.parametrize(("rolled", "damage"), [("145", 0), ("114", 1), ("111", 2)])
def test_allies_strike_in_the_turn_they_are_played(rolled: str, damage: int) -> None:
    """The leaflet's example: one, two and three ones with Bavragor in hand."""
    states = play(table(side(["bavragor"]), side(), rolled), "play bavragor")
    for _ in range(damage):
        play(states, "strike with 1")
    assert not legal(states, "strike")
    assert sum(player(states, 1)["discard"].values()) == damage


def test_dealing_damage_chooses_a_target_point_by_point() -> None:
    me = side(display=["bavragor"])
    other = side(display=["dwarf_king", "two_points", "reinforcement"], top=["begone"])
    states = play(table(me, other, "111"), "strike with 1")
    assert phase(states) == "target"
    assert legal(states) == ["hit draw_pile", "hit dwarf_king", "hit two_points"]
    play(states, "hit dwarf_king", "strike with 1", "hit draw_pile")
    assert player(states, 1)["discard"] == {"begone": 1, "dwarf_king": 1}


def test_dealing_damage_may_waste_it() -> None:
    states = table(side(display=["bavragor"]), side(display=["four_points"]), "113")
    play(states, "strike with 1", "hit four_points", "end turn")
    assert player(states, 1)["display"] == {"four_points": 1}


def test_damage_to_draw_pile_lays_the_top_card_face_up() -> None:
    states = table(side(display=["bavragor"]), side(top=["andokai", "begone"]), "113")
    play(states, "strike with 1")
    assert player(states, 1)["discard"] == {"andokai": 1}
    assert player(states, 1)["pile"][-1] == "begone"


def test_damage_to_draw_pile_can_end_the_game() -> None:
    states = table(side(display=["bavragor"]), side(display=["two_points"], pile=["begone"]), "111")
    play(states, "strike with 1", "hit draw_pile")
    assert GAME.is_over(states, 0)
    assert GAME.returns(states, 0).tolist() == [-1, 1]  # points come first
    assert GAME.breakdown(states, 0)["end_reason"] == (
        "seat 1 lost to damage the last card of its draw pile"
    )


def test_damage_to_card_defeats_it_at_its_life() -> None:
    states = table(side(display=["dwarf_king"]), side(display=["three_points"]), "1234")
    play(states, "strike with 1", "hit three_points", "strike with 2", "hit three_points")
    assert player(states, 1)["display"] == {"three_points": 1}
    play(states, "strike with 3", "hit three_points")
    assert player(states, 1)["display"] == {}
    assert player(states, 1)["discard"] == {"three_points": 1}
    assert not legal(states, "hit")


def test_damage_to_card_goes_to_one_copy_until_it_falls() -> None:
    states = table(side(display=["dwarf_king"]), side(display=["two_points"] * 2), "123")
    play(states, "strike with 1", "hit two_points", "strike with 2", "hit two_points")
    assert player(states, 1)["display"] == {"two_points": 1}
    assert player(states, 1)["damage"]["two_points"] == 0


def test_damage_wiped_at_the_end_of_the_turn() -> None:
    other = side(display=["four_points"], damage={"four_points": 3})
    states = play(table(side(display=["bavragor"]), other, "123"), "end turn")
    assert player(states, 1)["damage"]["four_points"] == 0
    assert player(states, 1)["display"] == {"four_points": 1}


def test_throwing_axe_deals_one_damage() -> None:
    states = table(side(["throwing_axe"] * 2), side(display=["two_points"]), "123")
    play(states, "play throwing_axe", "hit two_points", "play throwing_axe", "hit two_points")
    assert player(states, 1)["discard"] == {"two_points": 1}
    assert player(states, 0)["discard"] == {"throwing_axe": 2}


def play_the_king(hand: list[str], opposite: list[str]) -> list[str]:
    """Seat 0 plays the king; return what seat 1 may do in its window."""
    states = table(side(["dwarf_king", *hand]), side(opposite), "555")
    play(states, "play dwarf_king")
    assert phase(states) == "window"
    assert states["seat"][0] == 1
    return legal(states)


def test_throwing_axe_defeats_the_king_at_once() -> None:
    """The leaflet's note, without chain mail: seat 0 has an empty hand and is not asked."""
    states = play(table(side(["dwarf_king"]), side(["throwing_axe"]), "555"), "play dwarf_king")
    assert legal(states) == ["play throwing_axe", "pass"]
    play(states, "play throwing_axe", "hit dwarf_king")
    assert player(states, 0)["discard"] == {"dwarf_king": 1}
    assert states["seat"][0] == 0  # an empty hand opposite: no further window


def test_chain_mail_saves_the_king_once() -> None:
    """The leaflet's note: chain mail stops one axe, the second cannot be countered."""
    me = side(["dwarf_king", "chain_mail", "begone"])
    states = play(table(me, side(["throwing_axe"] * 2), "555"), "play dwarf_king")
    play(states, "play throwing_axe", "hit dwarf_king")
    assert phase(states) == "answer"
    assert states["seat"][0] == 0
    assert legal(states) == ["play chain_mail", "pass"]
    play(states, "play chain_mail")
    assert player(states, 0)["display"] == {"dwarf_king": 1}
    assert phase(states) == "window"
    play(states, "play throwing_axe", "hit dwarf_king")
    assert player(states, 0)["display"] == {}
    assert player(states, 0)["discard"] == {"dwarf_king": 1, "chain_mail": 1}


def test_chain_mail_is_asked_about_even_without_it() -> None:
    states = table(side(display=["bavragor"]), side(["begone"], discard=PASSES), "113")
    play(states, "strike with 1")
    assert phase(states) == "answer"
    assert states["seat"][0] == 1
    assert legal(states) == ["pass"]
    assert legal(table(side(["chain_mail"]), side(), "113"), "play") == []


def test_chain_mail_spends_the_die_all_the_same() -> None:
    states = table(side(display=["bavragor"]), side(["chain_mail"], discard=PASSES), "113")
    play(states, "strike with 1", "play chain_mail")
    assert shown(states) == "13"
    assert states["die_used"][0] == 1
    assert player(states, 1)["discard"] == {"throwing_axe": 2, "chain_mail": 1}
    assert phase(states) == "cards"
