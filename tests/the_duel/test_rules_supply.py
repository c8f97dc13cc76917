import pytest
from the_duel.table import GAME, before_supply, legal, phase, play, player, side

pytestmark = pytest.mark.nojit


def test_components_are_two_equal_decks_of_35() -> None:
    states = GAME.new(seed=3)
    decks = []
    for seat in range(2):
        cards = player(states, seat)
        in_hand = [kind for kind, n in cards["hand"].items() for _ in range(n)]
        decks.append(sorted(in_hand + cards["pile"]))
    assert decks[0] == decks[1]
    assert len(decks[0]) == 35
    assert [decks[0].count(kind) for kind in ("bavragor", "reinforcement")] == [1, 3]


def test_setup_deals_four_cards_each_and_draws_lots_for_the_start() -> None:
    starters = set()
    for seed in range(12):
        states = GAME.new(seed=seed)
        first = int(states["starter"][0])
        starters.add(first)
        assert int(states["active"][0]) == first
        # the start player has already drawn for the first turn
        assert sum(player(states, first)["hand"].values()) == 5
        assert sum(player(states, 1 - first)["hand"].values()) == 4
        assert len(player(states, 1 - first)["pile"]) == 31
    assert starters == {0, 1}


def test_supply_phase_draws_the_top_card() -> None:
    states = before_supply(side(hand=["begone"], top=["boindil"]), side())
    play(states, "pass")
    assert player(states, 0)["hand"] == {"begone": 1, "boindil": 1}
    assert int(states["turn"][0]) == 5


def test_additional_cards_are_drawn_all_at_once_and_only_if_wished() -> None:
    me = side(["begone"], ["ancient_knowledge"] * 2, top=["boindil", "andokai", "dwarf_king"])
    states = play(before_supply(me, side()), "pass")
    assert legal(states) == ["draw 1", "draw 2", "draw 3"]
    assert phase(states) == "supply"
    three = play(states.copy(), "draw 3")
    assert player(three, 0)["hand"] == {"begone": 1, "boindil": 1, "andokai": 1, "dwarf_king": 1}
    one = play(states.copy(), "draw 1")
    assert player(one, 0)["hand"] == {"begone": 1, "boindil": 1}
    assert phase(one) == "extra_dice"


def test_additional_cards_stop_at_the_last_card_of_the_pile() -> None:
    me = side(["begone"], ["ancient_knowledge"] * 2, pile=["boindil", "andokai"])
    states = play(before_supply(me, side()), "pass")
    assert legal(states) == ["draw 1", "draw 2"]
    play(states, "draw 2")
    assert GAME.is_over(states, 0)


def test_end_of_game_comes_at_once_with_the_last_card_drawn() -> None:
    me = side(["begone"], ["four_points"], pile=["boindil"])
    states = play(before_supply(me, side(display=["two_points"])), "pass")
    assert GAME.is_over(states, 0)
    assert states["seat"][0] == -1
    assert states["rolled"][0] == 0
    assert GAME.scores(states, 0).tolist() == [4, 2]
    assert GAME.returns(states, 0).tolist() == [1, -1]
    ended = GAME.breakdown(states, 0)
    assert ended["end_reason"] == "seat 0 drew the last card of its draw pile"
    assert ended["tie_break"] == ""


@pytest.mark.parametrize("mine", [[], ["two_points"]])
def test_tie_goes_to_the_player_whose_pile_is_not_used_up(mine: list[str]) -> None:
    me = side(["begone"], mine, pile=["boindil"])
    states = play(before_supply(me, side(display=mine)), "pass")
    assert GAME.returns(states, 0).tolist() == [-1, 1]
    assert GAME.breakdown(states, 0)["tie_break"] == "the draw pile of seat 1 is not used up"
