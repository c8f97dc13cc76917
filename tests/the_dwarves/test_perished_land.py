"""Cascades of Perished Land against a slow model in plain Python, over thousands of positions."""

import numpy as np
from the_dwarves.table import at

from dwarrow.envs.core.kernels import kernel
from dwarrow.envs.core.record import NONE, as_records
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import MAP, TILES
from dwarrow.envs.the_dwarves.rules.army import perish_all, place_troops, settle

N_POSITIONS = 3000
CENTRE = (0, 0)
STEPS = {"N": (0, -1), "NE": (1, -1), "SE": (1, 0), "S": (0, 1), "SW": (-1, 1), "NW": (-1, 0)}
CLOCK = list(STEPS)
HEXES = [tuple(h) for h in MAP.axial.tolist()]


class Model:
    """The rule as the rulebook tells it: dicts by coordinates, one troop at a time."""

    def __init__(self, troops, tiles, pile, supply, doom):
        self.troops = {h: list(map(int, troops[k])) for k, h in enumerate(HEXES)}
        self.tiles = {h: int(t) for h, t in zip(HEXES, tiles, strict=True) if t != NONE}
        self.pile, self.supply, self.doom = list(map(int, pile)), list(map(int, supply)), doom

    def arrow(self, h):
        return CLOCK[MAP.arrow[HEXES.index(h)][TILES.arrow[self.tiles[h]]]]

    def step(self, h, direction):
        return h[0] + STEPS[direction][0], h[1] + STEPS[direction][1]

    def rest(self, h):
        while h in self.tiles:
            h = self.step(h, self.arrow(h))
        return h

    def send(self, h, troop, n):
        if n > 0:
            self.troops[self.rest(h)][troop] += n

    def move_out(self, h):
        clock = CLOCK.index(self.arrow(h))
        squares = TILES.square[self.tiles[h]].tolist()
        ahead = self.step(h, self.arrow(h))
        left_over = list(self.troops[h])
        self.troops[h] = [0, 0, 0]
        for turn, pair in ((-1, squares[:2]), (1, squares[2:])):
            side = self.step(h, CLOCK[(clock + turn) % 6])
            for troop in pair:
                if left_over[troop]:
                    left_over[troop] -= 1
                    blocked = side not in HEXES or side in self.tiles
                    self.send(ahead if blocked else side, troop, 1)
        for troop in range(3):
            self.send(ahead, troop, left_over[troop])

    def order(self, hexes):
        def key(h):
            return -max(abs(h[0]), abs(h[1]), abs(h[0] + h[1])), *h

        return sorted(hexes, key=key)

    def settle(self):
        while self.pile:
            full = [
                h for h in HEXES if h != CENTRE and h not in self.tiles and sum(self.troops[h]) >= 5
            ]
            if not full:
                break
            h = self.order(full)[0]
            self.tiles[h] = self.pile.pop()
            self.move_out(h)
        if sum(self.troops[CENTRE]) >= 5:
            self.supply = [a + b for a, b in zip(self.supply, self.troops[CENTRE], strict=True)]
            self.troops[CENTRE] = [0, 0, 0]
            self.doom -= 1

    def wave(self, marked):
        laid = []
        for h in self.order(h for h in marked if h != CENTRE and h not in self.tiles):
            if self.pile:
                self.tiles[h] = self.pile.pop()
                laid.append(h)
        for h in laid:
            self.move_out(h)
        self.settle()


@kernel
def place_and_settle(states, h, orcs, trolls, elfar):
    s = states[0]
    place_troops(s, h, 0, orcs)
    place_troops(s, h, 1, trolls)
    place_troops(s, h, 2, elfar)
    settle(s)


@kernel
def wave(states, marked):
    perish_all(states[0], marked)


def random_position(rng):
    """A sound position with many crowds, some Perished Land, and sometimes few tiles."""
    states = GAME.new(1, seed=int(rng.integers(1000)))
    s = states[0]
    s["troops"][:] = 0
    tiles = rng.permutation(36)
    perished = [int(h) for h in rng.permutation(61)[: rng.integers(0, 25)] if HEXES[h] != CENTRE]
    s["tile"][:] = NONE
    for h, tile in zip(perished, tiles, strict=False):
        s["tile"][h] = tile
    rest = tiles[len(perished) :]
    if rng.integers(4) == 0:
        rest = rest[: rng.integers(0, 4)]
    s["tile_pile"][:] = NONE
    s["tile_pile"][: len(rest)], s["n_pile"] = rest, len(rest)
    supply = np.array([30, 25, 20], np.int16)
    for h in rng.permutation(61):
        if s["tile"][h] == NONE:
            for troop in rng.permutation(3):
                room = 4 - int(s["troops"][h].sum())
                n = min(int(rng.integers(0, room + 1)), int(supply[troop]) // 3)
                s["troops"][h][troop] = n
                supply[troop] -= n
    s["supply"][:] = supply
    return states


def assert_same(s, model):
    for k, h in enumerate(HEXES):
        assert s["troops"][k].tolist() == model.troops[h], h
        assert s["tile"][k] == model.tiles.get(h, NONE), h
    assert s["supply"].tolist() == model.supply
    assert s["n_pile"] == len(model.pile)
    assert s["doom_marker"] == model.doom


def model_of(s):
    pile = s["tile_pile"][: s["n_pile"]]
    return Model(s["troops"], s["tile"], pile, s["supply"], int(s["doom_marker"]))


def test_cascades_go_as_in_the_slow_model():
    rng = np.random.default_rng(7)
    conversions = 0
    for _ in range(N_POSITIONS):
        states = random_position(rng)
        s = states[0]
        model = model_of(s)
        h = at(["gate I", "gate II", "gate IV", "gate V"][rng.integers(4)])
        before = len(model.pile)
        n = [int(k) for k in rng.integers(0, 4, 3)]
        for troop in range(3):
            placed = min(n[troop], model.supply[troop])
            model.supply[troop] -= placed
            model.send(HEXES[h], troop, placed)
        model.settle()
        place_and_settle(as_records(states), h, *n)
        assert_same(s, model)
        conversions += before - len(model.pile)
    assert conversions > N_POSITIONS / 3


def test_waves_go_as_in_the_slow_model():
    rng = np.random.default_rng(8)
    for _ in range(N_POSITIONS // 3):
        states = random_position(rng)
        s = states[0]
        model = model_of(s)
        marked = (s["troops"][:, rng.integers(3)] > 0).astype(np.int16)
        marked[HEXES.index(CENTRE)] = 0
        model.wave([h for k, h in enumerate(HEXES) if marked[k]])
        wave(as_records(states), marked)
        assert_same(s, model)


def test_every_arrow_path_ends_at_blacksaddle_in_as_many_steps_as_rings():
    for k, h in enumerate(HEXES):
        frontier = {h}
        for _ in range(MAP.ring[k]):
            frontier = {
                (q + STEPS[CLOCK[d]][0], r + STEPS[CLOCK[d]][1])
                for q, r in frontier
                for d in MAP.arrow[HEXES.index((q, r))]
            }
        assert frontier == {CENTRE}


def test_the_reconstruction_keeps_what_is_known_of_the_map():
    kingdoms = {int(k) for k in MAP.kingdom}
    assert kingdoms == set(range(7))
    neighbours = {
        (int(MAP.kingdom[h]), int(MAP.kingdom[n]))
        for h in range(61)
        for n in MAP.neighbour[h]
        if n != NONE
    }
    assert all((0, k) in neighbours for k in range(1, 7))  # Gauragar touches all others
    assert MAP.axial[MAP.portal].tolist() == [-4, 3]  # three hexes south of gate I
    assert MAP.axial[at("gate I")].tolist() == [-4, 0]
    assert MAP.entrance.sum() == 4
