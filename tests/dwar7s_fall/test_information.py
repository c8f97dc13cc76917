"""Hidden hands: what each king can tell, and what is redrawn."""

import numpy as np
from dwar7s_fall.games import RANDOM, RULE, part
from dwar7s_fall.table import GAME, draw, play, player

THREE = {"options": {"players": 3}}


def thief(gems: dict[str, int], **ogres: int):
    """Blue has robbed red, who had these gems, of the first; green looked on."""
    states = draw(
        "bC", **THREE, players=[{"ogres": {"thief": 1, **ogres}}, {"gems": gems}, {}], script=[0]
    )
    return play(states, "play thief", "king 1")


def test_the_two_of_a_theft_know_the_gem_and_a_third_does_not():
    states = thief({"gold": 1, "ruby": 1})
    assert player(states, 1)["known_gems"][0]["gold"] == 1
    assert player(states, 0)["known_gems"][1] == {"gold": 0, "emerald": 0, "diamond": 0, "ruby": 1}
    assert sum(player(states, 2)["known_gems"][0].values()) == 0
    assert sum(player(states, 2)["known_gems"][1].values()) == 0


def test_a_third_is_sure_where_there_is_only_one_kind():
    states = thief({"gold": 3})
    assert player(states, 2)["known_gems"][0]["gold"] == 1
    assert player(states, 2)["known_gems"][1]["gold"] == 2


def test_a_third_keeps_what_it_can_infer():
    states = thief({"gold": 3, "ruby": 1})
    # at most one of the golds is gone
    assert player(states, 2)["known_gems"][1] == {"gold": 2, "emerald": 0, "diamond": 0, "ruby": 0}
    hands = {
        tuple(player(GAME.resample(states, 0, 2, seed), 0)["gems"].values()) for seed in range(40)
    }
    assert hands == {(1, 0, 0, 0), (0, 0, 0, 1)}
    hands = {tuple(player(GAME.resample(states, 0, 1, s), 0)["gems"].values()) for s in range(20)}
    assert hands == {(1, 0, 0, 0)}


def test_a_gem_that_comes_to_light_settles_what_was_stolen():
    states = play(thief({"gold": 1, "ruby": 1}, brute=1), "pass")
    assert sum(player(states, 2)["known_gems"][1].values()) == 0
    play(states, "discard gold")  # ten cards in hand
    assert player(states, 2)["known_gems"][1]["ruby"] == 1
    assert sum(player(states, 2)["known_gems"][0].values()) == 0


def test_secret_goals_of_others_are_redrawn_from_all_that_may_be_theirs():
    states = draw("bC", **THREE, players=[{"secret": "emeralds"}, {}, {"secret": "kingdom_tiles"}])
    seen = {player(GAME.resample(states, 0, 0, seed), 1)["secret"] for seed in range(80)}
    assert len(seen) == 6
    assert "emeralds" not in seen
    shown = draw(
        "bC",
        **THREE,
        players=[{"secret": "emeralds"}, {}, {"secret": "kingdom_tiles", "revealed": 1}],
    )
    for seed in range(40):
        twin = GAME.resample(shown, 0, 0, seed)
        assert player(twin, 2)["secret"] == "kingdom_tiles"
        assert player(twin, 1)["secret"] not in ("kingdom_tiles", "emeralds")


def test_a_crown_is_remembered_by_its_victim():
    kings = [{"ogres": {"crown": 1}}, {"ogres": {"thief": 2}}, {}]
    states = play(draw("bC", **THREE, players=kings), "play crown", "king 1")
    assert player(states, 1)["known_ogres"][0]["thief"] == 2
    assert sum(player(states, 2)["known_ogres"][0].values()) == 0
    for seed in range(20):
        assert player(GAME.resample(states, 0, 1, seed), 0)["ogres"]["thief"] == 2
    redrawn = {player(GAME.resample(states, 0, 2, s), 0)["ogres"]["thief"] for s in range(40)}
    assert len(redrawn) > 1


def test_text_shows_a_seat_only_what_it_may_see():
    kings = [{"secret": "emeralds"}, {"secret": "dwarf_trios", "ogres": {"crown": 1}}]
    states = draw("bC rF:bb", players=kings)
    full, mine = GAME.text(states, 0), GAME.text(states, 0, 0)
    assert "dwarf trios" in full
    assert "1 crown" in full
    assert "dwarf trios" not in mine
    assert "1 unknown" in mine
    assert "emeralds (secret)" in mine
    assert "fire dragon" in mine


def test_text_of_a_seat_is_the_same_for_all_that_it_may_not_tell_apart():
    for seed in range(12):
        states = part(seed, [RULE, RANDOM, RULE], 30 + 11 * seed)
        for seat in range(3):
            twin = GAME.resample(states, 0, seat, seed)
            assert GAME.text(states, 0, seat) == GAME.text(twin, 0, seat)
            np.testing.assert_array_equal(
                GAME.observe(states, 0, seat), GAME.observe(twin, 0, seat)
            )


def test_a_hand_that_is_certain_when_the_ogre_deck_runs_out_stays_so_when_it_is_renewed():
    kings = [{}, {"ogres": {"thief": 2, "crown": 1}}]
    gone = {"ambush": 3, "brute": 3, "thief": 1, "panic": 3}
    states = draw("bC rT:bb", players=kings, ogre_deck=[], ogre_discard=gone)
    before = {str(player(GAME.resample(states, 0, 0, s), 1)["ogres"]) for s in range(20)}
    play(states, "pass")
    assert sum(player(states, 0)["ogres"].values()) > 0  # drawn from the renewed deck
    after = {str(player(GAME.resample(states, 0, 0, s), 1)["ogres"]) for s in range(20)}
    assert before == after == {str(player(states, 1)["ogres"])}


def test_all_see_which_secret_goal_is_revealed():
    seen = set()
    for secret in ("emeralds", "kingdom_tiles"):
        states = draw("bC", players=[{"secret": secret}, {}])
        seen.add(GAME.seen(states, 0, GAME.action_id("reveal"), 0, 1))
    assert len(seen) == 2


def test_text_and_picture_show_what_lies_under_a_tile():
    one, other = draw("bC rE/bE/bDe"), draw("bC rE/bD/bEs")
    for shown in (GAME.text, GAME.svg):
        assert shown(one, 0) != shown(other, 0)
    assert "I8: under red emerald mine lie blue emerald mine (north), blue diamond mine (east)" in (
        GAME.text(one, 0)
    )
