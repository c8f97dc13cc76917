"""The final count: Orders, Command zone, Malts, coins, ties."""

import pytest
from aquilon.table import GAME, HAND, Box, load

LINE = {"shield": 1, "temple": 1, "wanderers": 1, "forge": 1, "talion": 1}


def count(army=(), coins=HAND, **more):
    """Return the points by rule of lord 0 with these cards, when the game is over."""
    states = load(
        options={"players": 4},
        phase="over",
        players={"0": {"army": list(army), "coins": coins}},
        **more,
    )
    found = GAME.breakdown(states, 0)["lords"][0]
    assert found["total"] == GAME.scores(states, 0)[0] == sum(found["points"].values())
    return found["points"]


def test_end_of_game_the_count_of_293_on_page_13():
    box = Box()
    army = [
        *box.cards("Shield Malt", "Shield Malt", "Shield Malt", "Shield", "Shield"),
        *box.cards("Temple Occult", "Temple 2 Malt", "Temple 4"),
        *box.cards("Wanderers 6 Malt", "Wanderers 7 Malt", "Wanderers 8 Malt", "Wanderers 9 Malt"),
        *box.cards("Forge 4 rune 1 Malt", "Forge 4 rune 3", "Forge 4 rune 5"),
        *box.cards("Talion 9", "Talion 8", "Talion 5 Malt"),
    ]
    points = count(
        army,
        ["0", "7", "16", "22", "25"],
        holder=dict.fromkeys(
            ("Lygdr", "Tadgar", "Oberon", "Ga'at", "Tiss", "Liquor Certification"), 0
        ),
        column={"Lygdr": "Temple", "Tadgar": "Talion", "Ga'at": "Talion"},
    )
    assert points == {
        "shield": 40,
        "temple": 6 * 2 + 23,
        "wanderers": 30,
        "forge": 4 * 3 + 3**2,
        "talion": 52,
        "command": 2 * 5 + 15,
        "malts": 2 * 10,
        "coins": 70,
    }
    assert sum(points.values()) == 293


def test_shield_follows_the_track_of_the_board():
    box = Box()
    assert count()["shield"] == 0
    assert count(box.of(shield=3))["shield"] == 21
    assert count(Box().of(shield=8))["shield"] == 76


def test_abokar_adds_a_point_a_rank():
    army = Box().of(**{**LINE, "shield": 4})
    assert count(army, holder={"Abokar": 0})["shield"] == 40 + 5


def test_tiss_adds_two_points_a_rank_in_the_command_zone():
    points = count(Box().of(shield=3), holder={"Tiss": 0})
    assert (points["shield"], points["command"]) == (21, 6)


def test_temple_multiplies_points_by_occults():
    box = Box()
    assert count(box.cards("Temple 3", "Temple 4"))["temple"] == 7
    army = Box().cards("Temple 3", "Temple 4", "Temple Occult", "Temple Occult")
    assert count(army)["temple"] == 21
    assert count(army, holder={"Aral": 0})["temple"] == 28


def test_temple_adds_mercenaries_after_the_multiplication():
    box = Box()
    army = [
        *box.cards("Temple 3", "Temple Occult"),
        *box.of(shield=3, wanderers=2, forge=2, talion=2),
    ]
    points = count(army, holder={"Akab": 0, "Dawn": 0}, column={"Akab": "Temple", "Dawn": "Forge"})
    assert points["temple"] == 3 * 2 + 21


def test_wanderers_count_visible_points():
    box = Box()
    army = [box.card("Wanderers 7 Malt"), box.card("Wanderers 7 Malt", era=2)]
    assert count(army)["wanderers"] == 7
    assert count(army)["malts"] == 2


def twins(*values):
    """Two Wanderers dwarfs of each value."""
    box = Box()
    return [box.card(f"Wanderers {v}", era=era) for era in (1, 2) for v in values]


@pytest.mark.parametrize(
    ("who", "visible"),
    [((), 0), (("Brum",), 13), (("Oosram",), 25), (("Oosram", "Brum"), 36)],
)
def test_token_removal_uncovers_the_highest_points(who, visible):
    army = [*twins("13", "12", "11"), *Box().of(**{**LINE, "wanderers": 0})]
    points = count(army, holder=dict.fromkeys(who, 0))
    assert points["wanderers"] == 36 + visible + (15 if "Oosram" in who else 0)


def test_forge_adds_the_square_of_different_runes():
    box = Box()
    alike = [box.card("Forge 4 rune 3"), box.card("Forge 4 rune 3 Malt", era=2)]
    assert count(alike)["forge"] == 8 + 1
    assert count([*alike, box.card("Forge 4 rune 4")])["forge"] == 12 + 4
    assert count([*alike], holder={"Redwin": 0})["forge"] == 8 + 4
    assert count(holder={"Redwin": 0})["forge"] == 1  # even with an empty column


def test_talion_is_the_sum_of_its_points():
    assert count(Box().cards("Talion 3 Malt", "Talion 9"))["talion"] == 12


def test_jorun_counts_three_points_a_different_rune_his_own_too():
    army = Box().of(**{**LINE, "forge": 3})
    points = count(army, holder={"Jorun": 0})
    assert points["command"] == 3 * 4
    assert points["forge"] == 12 + 16


def test_command_zone_counts_elites_and_white_cognars():
    army = Box().of(shield=2, temple=2, wanderers=2, forge=2, talion=2)
    holder = {"Gurdan": 0, "Oberon": 0, "Ga'at": 0, "Brum": 0}
    assert count(army, holder=holder, column={"Ga'at": "Forge"})["command"] == 22 + 15 + 13


def malts_with(*who):
    """Return Malts and the points for them of a lord with two lines and these cards."""
    army = Box().of(shield=2, temple=2, wanderers=2, forge=2, talion=2)
    malts = sum("Malt" in card for card in army) + ("Gurdan" in who) + 3 * ("Borogam" in who)
    return malts, count(army, holder=dict.fromkeys(who, 0))["malts"]


def test_malts_are_worth_one_point_and_two_with_the_certificate():
    malts, points = malts_with()
    assert points == malts > 0
    malts, points = malts_with("Liquor Certification")
    assert points == 2 * malts


def test_gurdan_and_borogam_together_make_each_malt_worth_one_more():
    malts, points = malts_with("Gurdan")
    assert points == malts
    malts, points = malts_with("Gurdan", "Borogam")
    assert points == 2 * malts
    malts, points = malts_with("Gurdan", "Borogam", "Liquor Certification")
    assert points == 3 * malts


def test_coin_total_counts_all_five_coins_and_kardums_as_3():
    assert count()["coins"] == 14
    army = Box().of(**LINE)
    coins = ["3 Exchange", "7", "8", "9", "10"]
    assert count(army, coins, holder={"Kardum": 0})["coins"] == 37


def over(*totals, elites=()):
    """Four lords whose coins are worth this much, some with an Elite."""
    hands = {14: HAND, 24: ["0", "2", "3", "4", "15"], 25: ["0", "2", "3", "4", "16"]}
    second = {14: HAND, 24: ["0", "2", "3", "5", "14"], 25: ["0", "2", "3", "5", "15"]}
    seen = []
    players = {}
    for seat, total in enumerate(totals):
        hand = second[total] if total in seen else hands[total]
        seen.append(total)
        players[str(seat)] = {"coins": hand}
    return load(options={"players": 4}, phase="over", players=players,
                holder=dict.fromkeys(elites, 1))  # fmt: skip


def test_end_of_game_is_won_by_the_highest_bravery():
    states = over(14, 25, 24, 14)
    assert GAME.breakdown(states, 0)["winners"] == [1]
    assert GAME.breakdown(states, 0)["tie_break"] == "none needed"
    assert GAME.returns(states, 0).tolist() == pytest.approx([-2 / 3, 1, 1 / 3, -2 / 3])


def test_tie_break_is_most_elites_and_the_certificate_is_none():
    states = over(24, 24, 14, 14, elites=["Ordo"])
    assert GAME.breakdown(states, 0)["winners"] == [1]
    assert GAME.breakdown(states, 0)["tie_break"] == "most Elites"
    assert GAME.returns(states, 0)[1] == 1
    states = over(24, 24, 14, 14, elites=["Liquor Certification"])
    assert GAME.breakdown(states, 0)["winners"] == [0, 1]


def test_tie_break_failing_the_victory_is_shared():
    states = over(24, 24, 14, 14)
    assert GAME.breakdown(states, 0)["tie_break"] == "victory shared"
    assert GAME.returns(states, 0).tolist() == pytest.approx([2 / 3, 2 / 3, -2 / 3, -2 / 3])
