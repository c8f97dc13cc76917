"""The course of the game: set-up, turns, the end."""

from dwar7s_fall.table import GAME, draw, legal, play, pos

THREE = {"T1": 1, "T2": 1, "T3": 1}


def test_setup_lays_out_three_goals_gems_ogres_tiles_dwarfs_and_secrets():
    for players in (2, 3, 4):
        p = GAME.position(GAME.new(players=players, seed=3), 0)
        assert len(p["goal_row"]) == 3
        assert len(p["goal_deck"]) == 7
        assert p["gem_piles"] == {"gold": 10, "emerald": 8, "diamond": 8, "ruby": 8}
        assert len(p["ogre_deck"]) == 13
        assert [t["place"] for t in p["tiles"].values()] == ["hand"] * 9 * players + ["box"] * (
            36 - 9 * players
        )
        assert [k["pile"] for k in p["players"]] == [7] * players
        assert len({k["secret"] for k in p["players"]}) == players
        assert (p["active"], p["phase"], p["turn"]) == ("blue", "act", 1)


def test_setup_goals_differ_from_seed_to_seed():
    rows = {tuple(GAME.position(GAME.new(seed=k), 0)["goal_row"]) for k in range(8)}
    assert len(rows) > 4


def test_turn_phases_follow_one_another_and_the_next_king_is_clockwise():
    states = GAME.new(players=3)
    for turn, king in ((1, "blue"), (1, "red"), (1, "green"), (2, "blue")):
        assert (pos(states)["turn"], pos(states)["active"]) == (turn, king)
        play(states, "pass")


def test_endgame_three_goals_at_the_end_of_a_turn_give_the_others_of_the_round_a_last_turn():
    states = draw("bC", options={"players": 3}, players=[{}, {"goals": THREE}, {}], seat=1)
    play(states, "pass")
    assert (pos(states)["last_round"], pos(states)["active"]) == (1, "green")
    play(states, "pass")
    assert GAME.is_over(states, 0)
    assert GAME.breakdown(states, 0)["end_reason"] == "a king completed three goals"


def test_endgame_of_the_first_king_lets_all_others_play_once_more():
    states = draw("bC", options={"players": 3}, players=[{"goals": THREE}, {}, {}])
    play(states, "pass", "pass")
    assert not GAME.is_over(states, 0)
    play(states, "pass")
    assert GAME.is_over(states, 0)


def test_goals_to_end_are_traded_or_secret_but_no_monsters():
    two = {"T1": 1, "T2": 1}
    beaten = {"red_fire_dragon": {"beaten_by": "blue"}, "red_frost_giant": {"beaten_by": "blue"}}
    states = draw("bC", players=[{"goals": two}, {}], more_tiles=beaten)
    assert pos(play(states, "pass"))["last_round"] == 0
    states = draw("bC", players=[{"goals": two, "revealed": 1}, {}])
    assert pos(play(states, "pass"))["last_round"] == 1


def test_a_third_goal_in_anothers_turn_counts_at_the_end_of_ones_own_next_turn():
    kings = [{}, {"goals": {"T1": 1, "T2": 1}, "secret": "emeralds", "gems": {"emerald": 5}}]
    options = {"reveal_interrupt": 1}
    states = draw("bC rE rC", players=kings, options=options)
    play(states, "at I8", "reveal", "pass")
    assert (pos(states)["last_round"], pos(states)["active"]) == (0, "red")
    while pos(states)["active"] == "red" and not GAME.is_over(states, 0):
        play(states, "pass" if "pass" in legal(states) else sorted(legal(states))[0])
    assert GAME.is_over(states, 0)


def test_the_cap_ends_the_game_at_the_end_of_a_round():
    states = GAME.new(players=2, cap=5)
    for _ in range(2 * 5):
        assert not GAME.is_over(states, 0)
        play(states, "pass")
    assert GAME.is_over(states, 0)
    assert GAME.breakdown(states, 0)["end_reason"] == "the cap on turns"


def test_a_task_resolves_once_a_turn():
    # a pack may give a tile more spots; here the mark alone is tested
    states = draw("bC rE:bb", more_tiles={})
    resolved = GAME.position(states, 0)
    resolved["tiles"]["red_emerald_mine"]["resolved"] = 1
    again = play(GAME.load(resolved), "pass")
    assert sum(pos(again)["players"][0]["gems"].values()) == 0
    assert pos(again)["tiles"]["red_emerald_mine"]["resolved"] == 0  # a new turn
