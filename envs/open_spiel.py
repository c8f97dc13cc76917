"""The games for OpenSpiel, with its tools for search, equilibria and exploitability.

``load("the_duel")`` is a `pyspiel.Game`. After `register` OpenSpiel finds it by name too, as
``pyspiel.load_game("dwarrow_the_duel")``. Install with ``pip install dwarrow[open_spiel]``.

* **Chance** is one node at the root, whose outcomes are seeds, equally likely: a thousand of them,
  or those you name. All later draws follow from the seed, hidden from every seat. So a tree search
  from a state knows the draws to come, unless it goes through `resample_from_infostate`.
* **Exact tools**, such as exploitability, solve the game that has these deals and no others. It is
  the true game when set-up is its only chance and the seeds are those of `every_set_up`.
* **Simultaneous decisions** are asked one seat after another, hidden from the others.
* **Information states** have perfect recall: a hash of all that a seat has noticed and seen.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from dataclasses import fields
from hashlib import blake2b
from typing import Any

import numpy as np
import pyspiel

from dwarrow import envs
from dwarrow.envs.core.game import Game
from dwarrow.envs.core.kernels import Floats, States
from dwarrow.envs.core.record import as_records
from dwarrow.envs.core.seats import check_seed
from dwarrow.envs.core.table import begin

SEEDS = "0:999"
"""Outcomes of the chance node, if nothing else is said."""


def short_name(name: str) -> str:
    """Return the name under which OpenSpiel knows a game."""
    return f"dwarrow_{name}"


def register(*names: str) -> None:
    """Make games known to `pyspiel.load_game`: those named, or all."""
    for name in names or envs.games():
        if short_name(name) not in pyspiel.registered_names():
            game = envs.game(name)
            # A class, not a function: OpenSpiel lets go of it after Python has ended, and then only
            # a class, which refers to itself, is not freed.
            of_this = type(f"SpielGame_{name}", (SpielGame,), {"rules": game})
            pyspiel.register_game(_game_type(game), of_this)


def load(name: str, seeds: Iterable[int] | None = None, **options: Any) -> SpielGame:
    """Return a game for OpenSpiel.

    Args:
        name: one of `envs.games`.
        seeds: the games that the chance node at the root chooses from; if None, 0 to 999.
        options: the game's own, for example ``players=3``.

    Raises:
        KeyError: no such game; the known ones are listed.
        ValueError: an option, value or seed that is not allowed.
    """
    register(name)
    chosen = envs.game(name).options.parse(options)
    parameters = {f.name: _written(getattr(chosen, f.name)) for f in fields(chosen)}
    parameters["seeds"] = SEEDS if seeds is None else "_".join(map(str, ["", *seeds]))
    loaded: SpielGame = pyspiel.load_game(short_name(name), parameters)
    return loaded


def every_set_up(name: str, tries: int = 2000, **options: Any) -> list[int]:
    """Return one seed for every set-up of a small game, found among the first `tries` seeds.

    Raises:
        ValueError: there are more set-ups than that finds for sure, or some are more likely than
            others, so that one seed for each would be another game.
    """
    states = envs.game(name).new(tries, seed=0, **options)
    states["rng"] = 0
    found: dict[bytes, list[int]] = {}
    for seed in range(tries):
        found.setdefault(states[seed].tobytes(), []).append(seed)
    expected = tries / len(found)
    if expected < 30:
        raise ValueError(
            f"{name}: {len(found)} set-ups and more in {tries} seeds: too many to list"
        )
    spread = sum((len(seeds) - expected) ** 2 / expected for seeds in found.values())
    if spread > len(found) + 6 * (2 * len(found)) ** 0.5:  # chi-square, mean and deviation
        raise ValueError(f"{name}: its {len(found)} set-ups are not equally likely")
    return [seeds[0] for seeds in found.values()]


def _seeds(text: str) -> list[int]:
    """Return the seeds that are written ``first:last`` or ``_a_b_c``, which are no numbers.

    Raises:
        ValueError: neither, none, or a seed out of range.
    """
    first, colon, last = text.partition(":")
    try:
        if colon:
            seeds = list(range(int(first), int(last) + 1))
        else:
            seeds = [int(seed) for seed in text.split("_") if seed]
    except ValueError:
        seeds = []
    if not seeds:
        raise ValueError(f"seeds={text!r}: write first:last or _a_b_c, at least one seed")
    return [check_seed(seed) for seed in seeds]


def _written(value: Any) -> Any:
    """Return an option as OpenSpiel's parameters can hold it: a list is ``a+b``."""
    return "+".join(value) if isinstance(value, tuple) else value


def _options(game: Game, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the game's options among OpenSpiel's parameters."""
    return {
        f.name: tuple(filter(None, parameters[f.name].split("+")))
        if isinstance(f.default, tuple)
        else parameters[f.name]
        for f in fields(game.options)
    }


def _exact(value: float) -> float:
    """Return a utility by rank, such as a third, as it was before it became single precision."""
    near = round(value * 60) / 60
    return near if abs(near - value) < 1e-6 else value


def _game_type(game: Game) -> pyspiel.GameType:
    kinds = pyspiel.GameType
    return kinds(
        short_name=short_name(game.name),
        long_name=game.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.IDENTICAL if game.cooperative else kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max(game.player_counts),
        min_num_players=min(game.player_counts),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            "seeds": SEEDS,
            **{f.name: _written(f.default) for f in fields(game.options)},
        },
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game as a `pyspiel.Game`; `register` makes a class of each.

    Attributes:
        rules: the `Game` behind it.
        options: its options.
        seeds: the games that the chance node at the root chooses from.
        root: the table before the deal.
    """

    rules: Game

    def __init__(self, parameters: dict[str, Any]) -> None:
        """Open a game with OpenSpiel's parameters, all of them given.

        Raises:
            ValueError: an option or value that is not allowed.
        """
        game, self.seeds = self.rules, _seeds(parameters["seeds"])
        self.options = game.options.parse(_options(game, parameters))
        game.ready()
        info = pyspiel.GameInfo(
            num_distinct_actions=game.n_actions,
            max_chance_outcomes=len(self.seeds),
            num_players=self.options.to_dict()["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None if game.cooperative else 0.0,
            max_game_length=game.max_decisions,
        )
        super().__init__(_game_type(game), info, parameters)
        heard = ("",) * self.num_players()
        self.root = Table(as_records(game.blank(1, self.options)), False, heard)

    def new_initial_state(self) -> SpielState:
        """Return the chance node at the root."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return 1: all chance lies in the deal."""
        return 1

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> SpielObserver:
        """Return what makes tensors and strings of states.

        Raises:
            ValueError: an observer was asked for something special.
        """
        if parameters:
            raise ValueError(f"observers take no parameters, not {parameters}")
        return SpielObserver(self.rules, bool(kind and kind.perfect_recall))


class Table:
    """The game in play behind a `SpielState`, which copies quickly.

    Attributes:
        states: the record [1]; set up once the deal is chosen.
        dealt: whether it is.
        heard: for each seat a hash of all that it has noticed and seen.
    """

    def __init__(self, states: States, dealt: bool, heard: tuple[str, ...]) -> None:
        """Take the attributes as they are."""
        self.states, self.dealt, self.heard = states, dealt, heard

    def __deepcopy__(self, memo: object) -> Table:
        """Copy the record as plain bytes: field by field takes longer than all the rest."""
        states = self.states.view(np.uint8).copy().view(self.states.dtype)
        return Table(as_records(states), self.dealt, self.heard)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of the game.

    Attributes:
        table: the game in play; all of the state that OpenSpiel does not hold itself.
    """

    def __init__(self, game: SpielGame) -> None:
        """Stand at the root."""
        super().__init__(game)
        self.table = copy.deepcopy(game.root)

    @property
    def rules(self) -> Game:
        """The rules."""
        rules: Game = self.get_game().rules
        return rules

    @property
    def states(self) -> States:
        """The record of the game [1]."""
        return self.table.states

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        if not self.table.dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else int(self.states["seat"][0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, equally likely."""
        n = len(self.get_game().seeds)
        return [(deal, 1 / n) for deal in range(n)]

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self.rules.is_over(self.states, 0)

    def returns(self) -> list[float]:
        """Return the utility of every seat, rank from +1 to -1; zeros before the end."""
        return [_exact(float(value)) for value in self.rules.returns(self.states, 0)]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """Return a state of the same information set of `player`, drawn uniformly.

        What the other seats noticed until now is not redrawn: their information states begin anew
        with what they see, so that they depend on nothing but the new state.
        """
        twin: SpielState = self.clone()
        states = self.rules.resample(self.states, 0, player, int(sampler() * 2**53))
        twin.table = Table(states, True, ("",) * self.num_players())
        anew = twin.after([0] * self.num_players())
        twin.table.heard = (*anew[:player], self.table.heard[player], *anew[player + 1 :])
        return twin

    def after(self, noticed: list[int]) -> tuple[str, ...]:
        """Return what every seat has heard after an event, in words of `Game.seen`, to each."""
        heard = []
        for seat, event in enumerate(noticed):
            known = self.table.heard[seat]
            if event >= 0:
                sight = self.rules.observe(self.states, 0, seat)
                everything = f"{known} {event} ".encode() + sight.tobytes()
                known = blake2b(everything, digest_size=12).hexdigest()
            heard.append(known)
        return tuple(heard)

    def __str__(self) -> str:
        """Return everything on the table."""
        return self.rules.text(self.states, 0) if self.table.dealt else "before the deal"

    def _legal_actions(self, player: int) -> list[int]:
        actions: list[int] = self.rules.legal(self.states, 0).tolist()
        return actions

    def _apply_action(self, action: int) -> None:
        table, rules, seats = self.table, self.rules, range(self.num_players())
        if table.dealt:
            mover = self.current_player()
            noticed = [rules.seen(table.states, 0, action, mover, seat) for seat in seats]
            rules.step(table.states, 0, action)
        else:
            begin(table.states, 0, self.get_game().seeds[action])
            table.dealt, noticed = True, [0] * len(seats)
        table.heard = self.after(noticed)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.rules.action_name(action)


class SpielObserver:
    """Tensors and strings of what one seat may see, in the form that OpenSpiel asks for.

    Attributes:
        tensor: the observation, float32 [features]; None with perfect recall.
        dict: its named pieces, views into it.
    """

    def __init__(self, rules: Game, perfect_recall: bool) -> None:
        """Allocate the tensor."""
        self.perfect_recall = perfect_recall
        self.tensor: Floats | None = None
        self.dict: dict[str, Floats] = {}
        if not perfect_recall:
            self.tensor = np.zeros(rules.observation.size, np.float32)
            for piece in rules.observation.pieces.values():
                part = self.tensor[piece.slice]
                self.dict[piece.name] = part.reshape(piece.shape)

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what `player` sees of `state`; zeros before the deal."""
        if self.tensor is not None:
            self.tensor[:] = (
                state.rules.observe(state.states, 0, player) if state.table.dealt else 0
            )

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what `player` sees as text, or, with perfect recall, a hash of all it knows."""
        if self.perfect_recall:
            return f"player {player} {state.table.heard[player]}"
        return state.rules.text(state.states, 0, player) if state.table.dealt else ""
