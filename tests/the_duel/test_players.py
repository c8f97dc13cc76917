import numpy as np
import pytest
from numpy.typing import NDArray
from the_duel.table import GAME, player, side, table

from dwarrow.agents.players import greedy, players_of, rule
from dwarrow.envs.core.kernels import Mask, States, kernel, legal, step
from dwarrow.envs.core.rng import mix
from dwarrow.envs.core.table import begin, random_action
from dwarrow.envs.the_duel.scoring import winner

players_of(GAME)
RANDOM, GREEDY, RULE = range(3)


@kernel
def wins(states: States, who: int, against: int, n: int, mask: Mask) -> int:
    """Play `n` games, each deal from both seats; return how many `who` wins."""
    word, total = np.zeros(1, np.uint64), 0
    for g in range(n):
        begin(states, 0, g // 2)
        word[0] = mix(np.uint64(g))
        while not states[0].over:
            n_legal = legal(states, 0, mask)
            mover = who if (states[0].seat + g) % 2 == 0 else against
            if mover == RULE:
                action = rule(states, 0, mask, word)
            elif mover == GREEDY:
                action = greedy(states, 0, mask, word)
            else:
                action = random_action(mask, n_legal, word)
            step(states, 0, action)
        total += (winner(states[0]) + g) % 2 == 0
    return total


@pytest.mark.parametrize(
    ("who", "against", "least"),
    [(GREEDY, RANDOM, 0.85), (RULE, GREEDY, 0.95), (RULE, RANDOM, 0.98)],
)
def test_each_player_beats_the_simpler_ones(who: int, against: int, least: float) -> None:
    n = 1000
    won = wins(GAME.new(1), who, against, n, np.zeros(GAME.n_actions, np.int8))
    assert won / n > least


def chosen(states: States, by: str = "rule") -> str:
    word: NDArray[np.uint64] = np.zeros(1, np.uint64)
    act = {"rule": rule, "greedy": greedy}[by]
    return GAME.action_name(act(states, 0, GAME.mask(states, 0), word))


def test_greedy_takes_the_most_points() -> None:
    states = table(side(["two_points", "three_points", "begone"]), side(), "555")
    assert chosen(states, "greedy") == "play three_points"
    states = table(side(["two_points", "begone"]), side(display=["four_points"]), "555")
    assert chosen(states, "greedy") == "play begone"


def test_greedy_saves_points_with_chain_mail() -> None:
    me = side(["chain_mail"], ["two_points"], damage={"two_points": 1})
    states = table(me, side(display=["bavragor"]), phase="answer", active=1, turn=4, dealer=1,
                   target="two_points", rolled=3, die_used=1)  # fmt: skip
    assert chosen(states, "greedy") == "play chain_mail"
    assert chosen(states) == "play chain_mail"


def test_rule_throws_an_axe_at_the_king() -> None:
    states = table(side(["dwarf_king", "bavragor"]), side(["throwing_axe"]), "555")
    GAME.step(states, 0, GAME.action_id("play dwarf_king"))
    assert chosen(states) == "play throwing_axe"
    GAME.step(states, 0, GAME.action_id("play throwing_axe"))
    assert player(states, 1)["hand"] == {}
    assert chosen(states) == "hit dwarf_king"


def test_rule_finishes_the_opponents_pile_when_ahead() -> None:
    me = side(display=["dwarf_king", "two_points"])
    states = table(me, side(pile=["begone", "boindil"]), "123")
    assert chosen(states).startswith("strike with")
    states = table(side(display=["dwarf_king"]), side(pile=["begone", "boindil"],
                                                     display=["two_points"]), "1")  # fmt: skip
    assert chosen(states) == "end turn"


def test_rule_keeps_its_dice_when_a_joker_card_is_worth_more() -> None:
    states = table(side(["four_points"], ["bavragor"]), side(), "144")
    assert chosen(states) == "end turn"
