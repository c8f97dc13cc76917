"""Peers' games nearest to ours, as chunks of work: the same loops, the same machine, the same run.

Random legal play. A simultaneous node counts one decision for each player. Each peer is imported
only when measured; one that is not installed, or lacks a game, raises `MissingError`.
"""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from dwarrow.benchmarks.layers import aec
from dwarrow.benchmarks.timing import Chunk


class MissingError(RuntimeError):
    """A peer or one of its games is not installed; the message says what."""


@dataclass(frozen=True)
class Peer:
    """One figure of a peer.

    Attributes:
        library: whose it is.
        game: the peer's game, for people.
        exact: its name and parameters as the peer takes them.
        layer: our layer that does the same work.
        counts: what is counted, for people.
        near: our games whose nearest game there it is.
        make: builds the chunk.
    """

    library: str
    game: str
    exact: str
    layer: str
    counts: str
    near: tuple[str, ...]
    make: Callable[[], Chunk]


def load(module: str) -> Any:
    """Import a peer's module.

    Raises:
        MissingError: it is not installed, or something that it needs is not.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        raise MissingError(f"{module} cannot be imported: {error}") from error


# OpenSpiel


def spiel_game(name: str) -> Any:
    """Load one of OpenSpiel's games.

    Raises:
        MissingError: OpenSpiel is not installed, or was built without that game.
    """
    pyspiel = load("pyspiel")
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # its own error class is not exported by every version
        raise MissingError(f"OpenSpiel has no {name}: {error}") from error


def _spiel_chance(state: Any, rng: random.Random) -> None:
    actions, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(actions, weights)[0])


def _look(state: Any, player: int, with_information_state: bool) -> None:
    tensor = (
        state.information_state_tensor(player)
        if with_information_state
        else state.observation_tensor(player)
    )
    np.array(tensor, dtype=np.float32)
    np.array(state.legal_actions_mask(player), dtype=np.int8)


def _spiel_turn(state: Any, players: int, rng: random.Random, look: Callable[[int], None]) -> int:
    """Play one node of a game; return the decisions taken."""
    if state.is_chance_node():
        _spiel_chance(state, rng)
        return 0
    if not state.is_simultaneous_node():
        look(state.current_player())
        state.apply_action(rng.choice(state.legal_actions()))
        return 1
    actions = []
    for player in range(players):
        look(player)
        legal = state.legal_actions(player)
        actions.append(rng.choice(legal) if legal else 0)
    state.apply_actions(actions)
    return players


def spiel_play(name: str, tensors: bool) -> Chunk:
    """Whole random games of C++ rules driven from Python, with or without tensor and mask."""
    game, rng = spiel_game(name), random.Random(0)
    players = game.num_players()
    with_information_state = not game.get_type().provides_observation_tensor

    def chunk() -> int:
        state, decisions = game.new_initial_state(), 0

        def look(player: int) -> None:
            if tensors:
                _look(state, player, with_information_state)

        while not state.is_terminal():
            decisions += _spiel_turn(state, players, rng, look)
        return decisions

    return chunk


def spiel_rollouts(name: str, rollouts: int = 100) -> Chunk:
    """Random games inside one C++ call; counts decisions, from the mean length of such games.

    The one way into such a call that OpenSpiel offers from Python is a search that simulates once.
    """
    pyspiel, game, rng = load("pyspiel"), spiel_game(name), random.Random(0)
    lengths = [spiel_play(name, tensors=False)() for _ in range(200)]
    state = game.new_initial_state()
    while state.is_chance_node():
        _spiel_chance(state, rng)
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, 1, 100, False, 1, False)
    # the search's own first move is not part of a rollout
    decisions = round(rollouts * (sum(lengths) / len(lengths) - 1))

    def chunk() -> int:
        bot.step(state)
        return decisions

    return chunk


def _spiel_middle(name: str, moves: int = 12) -> Any:
    game, rng = spiel_game(name), random.Random(3)
    state = game.new_initial_state()
    before = state.clone()
    while not state.is_terminal() and (moves > 0 or state.is_chance_node()):
        before = state.clone()
        moves -= _spiel_turn(state, game.num_players(), rng, lambda player: None) > 0
    return before if state.is_terminal() else state


def spiel_clones(name: str) -> Chunk:
    """Clones of a state mid-game, called from Python; counts clones."""
    state = _spiel_middle(name)

    def chunk() -> int:
        for _ in range(200):
            state.clone()
        return 200

    return chunk


def spiel_resamples(name: str) -> Chunk:
    """Fresh states of the information set of the player to move, mid-game; counts states."""
    state, rng = _spiel_middle(name), random.Random(0)
    player = state.current_player()

    def chunk() -> int:
        for _ in range(50):
            state.resample_from_infostate(player, rng.random)
        return 50

    return chunk


def spiel_search(name: str, simulations: int = 100) -> Chunk:
    """OpenSpiel's C++ IS-MCTS from the first decision with random rollouts; counts simulations."""
    pyspiel, game, rng = load("pyspiel"), spiel_game(name), random.Random(5)
    state = game.new_initial_state()
    while state.is_chance_node():
        _spiel_chance(state, rng)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(1, evaluator, 1.4, simulations, -1, final, False, False)

    def chunk() -> int:
        bot.step(state)
        return simulations

    return chunk


def spiel_python_search(name: str, simulations: int = 50) -> Chunk:
    """OpenSpiel's IS-MCTS in Python, first decision, random rollouts; counts simulations."""
    mcts, ismcts = (load(f"open_spiel.python.algorithms.{part}") for part in ("mcts", "ismcts"))
    game, rng = spiel_game(name), random.Random(5)
    state = game.new_initial_state()
    while state.is_chance_node():
        _spiel_chance(state, rng)
    luck = np.random.RandomState(1)  # the one source that the library takes
    evaluator = mcts.RandomRolloutEvaluator(1, luck)
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, simulations, random_state=luck)

    def chunk() -> int:
        bot.step(state)
        return simulations

    return chunk


# PettingZoo, RLCard, Pgx


def zoo(name: str, wrapped: bool, **options: Any) -> Chunk:
    """Random games of a classic PettingZoo environment."""
    module = load(f"pettingzoo.classic.{name}")
    try:
        return aec(lambda: (module.env if wrapped else module.raw_env)(**options))
    except ImportError as error:
        raise MissingError(f"{name} needs more: {error}") from error


def rlcard_play(name: str) -> Chunk:
    """Random games in a bare step loop; the state that `step` returns holds the observation."""
    env, rng = load("rlcard").make(name, config={"seed": 1}), random.Random(0)

    def chunk() -> int:
        state, _ = env.reset()
        turns = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            turns += 1
        return turns

    return chunk


def pgx_play(name: str, batch: int = 1024, steps: int = 20) -> Chunk:
    """Random games of a compiled batch with auto-reset, observation and mask; counts steps."""
    jax, pgx, reset = load("jax"), load("pgx"), load("pgx.experimental").auto_reset
    env = pgx.make(name)
    step = reset(env.step, env.init)

    def play(carry: Any, _: None) -> tuple[Any, None]:
        state, key = carry
        key, choosing, chance = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(choosing, logits, axis=-1)
        return (jax.vmap(step)(state, action, jax.random.split(chance, batch)), key), None

    run = jax.jit(lambda carry: jax.lax.scan(play, carry, None, length=steps)[0])
    first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    carry = [(first, jax.random.PRNGKey(1))]

    def chunk() -> int:
        carry[0] = jax.block_until_ready(run(carry[0]))
        return batch * steps

    return chunk


AUCTION = "goofspiel(players=3,num_cards=13,imp_info=True,points_order=random)"
LABELS = {
    AUCTION: "goofspiel, 3 players, hidden",
    f"turn_based_simultaneous_game(game={AUCTION})": "goofspiel, the same in turns",
    "dark_hex(board_size=5)": "dark_hex 5x5",
    "hanabi(players=3)": "hanabi, 3 players",
}
"""Short names of games with long parameters."""

LOOP, LOOK = "decisions of random play, C++ rules, Python loop", "the same with tensor and mask"
ROLLOUTS = "decisions of random play inside one C++ call"
SEARCH = "C++ IS-MCTS simulations with random rollout, first decision"
PYTHON_SEARCH = "Python IS-MCTS simulations with random rollout, first decision"
RESAMPLES = "states of an information set, mid-game"


def _spiel(name: str, layer: str, counts: str, make: Callable[[], Chunk], *near: str) -> Peer:
    return Peer("OpenSpiel", LABELS.get(name, name), name, layer, counts, near, make)


def _spiel_rows(name: str, *near: str) -> list[Peer]:
    return [
        _spiel(name, "core", LOOP, lambda: spiel_play(name, tensors=False), *near),
        _spiel(name, "vector", LOOK, lambda: spiel_play(name, tensors=True), *near),
        _spiel(name, "copies", "clones mid-game", lambda: spiel_clones(name), *near),
    ]


def _spiel_core(name: str, *near: str) -> Peer:
    return _spiel(name, "core", ROLLOUTS, lambda: spiel_rollouts(name), *near)


def _spiel_resamples(name: str, *near: str) -> Peer:
    return _spiel(name, "resamples", RESAMPLES, lambda: spiel_resamples(name), *near)


def _spiel_search(name: str, *near: str) -> Peer:
    return _spiel(name, "search", SEARCH, lambda: spiel_search(name), *near)


def _spiel_python_search(name: str, *near: str) -> Peer:
    make = partial(spiel_python_search, name)
    return _spiel(name, "search", PYTHON_SEARCH, make, *near)


def _zoo_rows(name: str, *near: str) -> list[Peer]:
    counts = "turns of random play"
    return [
        Peer("PettingZoo", name, name, "raw_env", counts, near, lambda: zoo(name, wrapped=False)),
        Peer("PettingZoo", name, name, "env", counts, near, lambda: zoo(name, wrapped=True)),
    ]


def _rlcard(name: str, *near: str) -> Peer:
    counts = "turns of random play, Python loop, observation included"
    return Peer("RLCard", name, name, "raw_env", counts, near, lambda: rlcard_play(name))


def _pgx(name: str, *near: str) -> Peer:
    counts = "steps of a compiled batch of 1024, observation and mask included"
    return Peer("Pgx", name, name, "vector", counts, near, lambda: pgx_play(name))


NEAREST: tuple[Peer, ...] = (
    *_spiel_rows(AUCTION, "aquilon"),
    _spiel_core(f"turn_based_simultaneous_game(game={AUCTION})", "aquilon"),
    *_spiel_rows("dark_hex(board_size=5)", "dwar7s_fall"),
    _spiel_core("dark_hex(board_size=5)", "dwar7s_fall"),
    *_spiel_rows("hanabi(players=3)", "the_dwarves"),
    *_spiel_rows("backgammon", "the_duel"),
    _spiel_core("backgammon", "the_duel"),
    _spiel_resamples("gin_rummy", "aquilon", "the_duel"),
    _spiel_resamples("hearts", "aquilon", "dwar7s_fall"),
    _spiel_search("gin_rummy", "aquilon", "the_duel"),
    _spiel_search("hearts", "aquilon", "dwar7s_fall"),
    _spiel_search("leduc_poker", "aquilon"),
    _spiel_python_search("gin_rummy", "aquilon", "the_duel"),
    _spiel_python_search("hearts", "aquilon", "dwar7s_fall"),
    _spiel_python_search("leduc_poker", "aquilon"),
    *_zoo_rows("rps_v2", "aquilon"),
    *_zoo_rows("tictactoe_v3", "the_duel"),
    *_zoo_rows("connect_four_v3", "aquilon", "dwar7s_fall", "the_duel", "the_dwarves"),
    _rlcard("uno", "aquilon"),
    _rlcard("gin-rummy", "the_duel"),
    _rlcard("mahjong", "dwar7s_fall"),
    _pgx("sparrow_mahjong", "aquilon", "dwar7s_fall"),
    _pgx("backgammon", "the_duel"),
)
"""The figures of peers, and the games of ours that they are set beside."""
