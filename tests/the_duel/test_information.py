from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare
from the_duel.table import GAME, side, table
from the_duel.test_positions import some_states

from dwarrow.envs.the_duel.actions import N_ACTIONS


@pytest.fixture(scope="module")
def states_of_play() -> list[np.ndarray]:
    return some_states(6, seed=50)


def test_a_resampled_state_looks_the_same_to_its_seat(states_of_play: list[np.ndarray]) -> None:
    for k, states in enumerate(states_of_play):
        for seat in range(2):
            other = GAME.resample(states, 0, seat, seed=k)
            assert not GAME.violated(other, 0)
            assert (GAME.observe(other, 0, seat) == GAME.observe(states, 0, seat)).all()
            assert GAME.text(other, 0, seat) == GAME.text(states, 0, seat)
            assert other["seat"][0] == states["seat"][0]
            if states["seat"][0] == seat:
                assert (GAME.mask(other, 0) == GAME.mask(states, 0)).all()


def test_resampling_moves_everything_hidden() -> None:
    states = GAME.new(1, seed=5)
    other = GAME.resample(states, 0, 0, seed=9)
    assert (other["players"]["hand"][0, 0] == states["players"]["hand"][0, 0]).all()
    assert (other["players"]["hand"][0, 1] != states["players"]["hand"][0, 1]).any()
    assert (other["players"]["pile"][0, 0] != states["players"]["pile"][0, 0]).any()
    assert (other["rng"] != states["rng"]).any()


def test_resampling_depends_on_nothing_hidden() -> None:
    states = GAME.new(1, seed=5)
    other = GAME.resample(states, 0, 0, seed=9)
    assert GAME.resample(states, 0, 0, seed=4).tobytes() == (
        GAME.resample(other, 0, 0, seed=4).tobytes()
    )


def test_resampling_deals_every_hand_equally_often() -> None:
    """Three cards in hand and pile, one of them twice: six deals, three different ones."""
    other = side(["begone"], pile=["begone", "boindil"])
    states = table(side(pile=["bavragor", "begone"]), other, "123")
    tally: Counter[tuple[str, ...]] = Counter()
    own: Counter[str] = Counter()
    n = 3000
    for seed in range(n):
        drawn = GAME.position(GAME.resample(states, 0, 0, seed), 0)["players"]
        hand = [kind for kind, count in drawn[1]["hand"].items() if count]
        tally[(*hand, *drawn[1]["pile"])] += 1
        own[drawn[0]["pile"][0]] += 1
    assert len(tally) == 3
    assert chisquare(list(tally.values())).pvalue > 0.001
    assert chisquare([own["bavragor"], own["begone"]]).pvalue > 0.001


def test_observation_shows_what_is_public_from_both_sides() -> None:
    me = side(["begone"], ["boindil", "two_points"], joker_cards=2, damage={"two_points": 1})
    states = table(me, side(display=["four_points"]), "11a")
    layout = GAME.observation
    mine, theirs = (GAME.observe(states, 0, seat) for seat in range(2))

    def piece(seen: np.ndarray, name: str) -> np.ndarray:
        part = layout[name]
        return seen[part.slice].reshape(part.shape) * part.scale

    assert piece(mine, "hand").sum() == pytest.approx(1)
    assert piece(theirs, "hand").sum() == 0
    assert piece(mine, "display").sum(axis=1) == pytest.approx([2, 1])
    assert piece(theirs, "display").sum(axis=1) == pytest.approx([1, 2])
    assert piece(mine, "damage").sum(axis=1) == pytest.approx([1, 0])
    assert piece(mine, "points") == pytest.approx([2, 4])
    assert piece(theirs, "joker_cards") == pytest.approx([0, 2])
    assert piece(mine, "dice") == pytest.approx([2, 0, 0, 0, 0, 1])
    assert piece(mine, "hidden").sum(axis=1) == pytest.approx([32, 34])
    assert piece(theirs, "hidden").sum(axis=1) == pytest.approx([34, 33])
    assert [piece(seen, "asked")[0] for seen in (mine, theirs)] == [1, 0]


def test_observations_stay_within_bounds(states_of_play: list[np.ndarray]) -> None:
    for states in states_of_play:
        for seat in range(2):
            seen = GAME.observe(states, 0, seat)
            assert seen.min() >= 0
            assert seen.max() <= 2


def test_every_choice_is_seen_by_both(states_of_play: list[np.ndarray]) -> None:
    events = {
        GAME.seen(states_of_play[0], 0, a, 0, seat) for a in range(N_ACTIONS) for seat in (0, 1)
    }
    assert events == set(range(1, N_ACTIONS + 1))


def test_who_is_asked_does_not_depend_on_hidden_cards() -> None:
    """Two games that differ in the opponent's hand alone ask the same questions."""
    for hand in (["begone"], ["throwing_axe"], ["chain_mail"]):
        states = table(side(display=["bavragor"]), side(hand), "113")
        asked = []
        for name in ("strike with 1", "pass", "pass", "end turn", "pass"):
            GAME.step(states, 0, GAME.action_id(name))
            asked.append((int(states["phase"][0]), int(states["seat"][0])))
        assert asked == [(10, 1), (11, 1), (3, 0), (11, 1), (1, 1)]
