"""Linking, paying and advantages: where rewards go, and which value stands for which."""

import numpy as np
import pytest
import toys.known  # noqa: F401
from hypothesis import given, settings
from hypothesis import strategies as st

from dwarrow.agents.neural.network import Network, Shape
from dwarrow.envs import game
from dwarrow.training.matchmaking import LEARNER, League
from dwarrow.training.rollout import RolloutWorker, WorkerJob
from dwarrow.training.trajectory import END, OPEN, Chunk, Episode, advantages

TOY = game("goofspiel")
OWN = slice(TOY.observation.at("spent"), TOY.observation.at("spent") + 3)
MIXED = League(0.4, ("random", "rule"), (2.0, 1.0), ("random", "rule"))


def worker(**more) -> RolloutWorker:
    job = {"options": ({"players": 2}, {"players": 3}), "tables": 16, "shape": Shape(16), **more}
    found = RolloutWorker(WorkerJob(TOY, **job))
    found.set_weights(Network(TOY.observation, TOY.n_actions, Shape(16), 1))
    return found


def by_hand(chunk: Chunk, gamma: float, lam: float) -> list[float]:
    """Sum the discounted surprises of each row's own future, the definition written out."""
    found = []
    for t in range(len(chunk)):
        total, factor, now = 0.0, 1.0, t
        while chunk.next_index[now] != OPEN:
            following = chunk.next_index[now]
            ahead = 0.0 if following == END else gamma * chunk.value[following]
            total += factor * (chunk.reward[now] + ahead - chunk.value[now])
            if following == END:
                break
            factor *= gamma * lam
            now = following
        found.append(total)
    return found


@pytest.mark.nojit
@given(st.integers(0, 10**6), st.floats(0, 1), st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_advantages_equal_a_hand_written_sum(seed: int, gamma: float, lam: float):
    rng = np.random.default_rng(seed)
    n = 30
    chunk = Chunk.allocate(n, 1, 2)
    chunk.value[:], chunk.reward[:] = rng.standard_normal(n), rng.standard_normal(n)
    for t in range(n):
        chunk.next_index[t] = rng.choice([END, OPEN, *range(t + 1, n)])
    advantage, target, rows = advantages(chunk, gamma, lam)
    assert advantage == pytest.approx(by_hand(chunk, gamma, lam), abs=1e-4)
    assert target == pytest.approx(advantage + chunk.value)
    assert rows.tolist() == [t for t in range(n) if chunk.next_index[t] != OPEN]


def test_a_known_game_has_the_advantages_worked_out_on_paper():
    """One seat, three decisions, paid 1 at the end; gamma 1, lambda 0.5."""
    chunk = Chunk.allocate(3, 1, 2)
    chunk.value[:] = [0.0, 0.5, 0.2]
    chunk.reward[:] = [0, 0, 1]
    chunk.next_index[:] = [1, 2, END]
    # surprises: 0.5, -0.3, 0.8; summed from the end with factor 0.5: 0.8, 0.1, 0.55
    assert advantages(chunk, 1.0, 0.5)[0] == pytest.approx([0.55, 0.1, 0.8])


@pytest.mark.parametrize("league", [League(), MIXED])
@pytest.mark.parametrize("utility", ["rank", "win"])
def test_every_seat_is_paid_once_and_next_rows_are_its_own(league: League, utility):
    plays = worker(utility=utility)
    finished: list[Episode] = []
    learned = 0
    for _ in range(40):
        chunk = plays.collect(league, 50)
        finished += chunk.episodes
        linked = np.flatnonzero(chunk.next_index >= 0)
        following = chunk.next_index[linked]
        assert (following > linked).all()
        assert len(set(following.tolist())) == len(following)
        assert (chunk.reward[chunk.next_index != END] == 0).all()
        for now, then in zip(linked, following, strict=True):
            # the same seat: the coin it bids now is the one that it has spent then
            spent = chunk.obs[now, OWN].copy()
            spent[chunk.action[now]] = 1
            assert np.array_equal(chunk.obs[then, OWN], spent)
        ends = np.flatnonzero(chunk.next_index == END)
        utilities = sorted(
            round(float(u), 5)
            for e in chunk.episodes
            for u, owner in zip(e.utilities, e.owners, strict=True)
            if owner == LEARNER
        )
        assert utilities == sorted(round(float(r), 5) for r in chunk.reward[ends])
        learned += int((chunk.next_index != OPEN).sum())
    assert len({e.number for e in finished}) == len(finished)
    assert all(sum(e.utilities) == pytest.approx(0, abs=1e-6) for e in finished)
    # a seat bids twice, its third coin is forced; what is over or under is still in play
    bids = 2 * sum(e.owners.count(LEARNER) for e in finished)
    assert bids <= learned <= bids + 16 * 3


def test_an_open_row_comes_again_unchanged_at_the_front_of_the_next_chunk():
    plays = worker()
    chunk = plays.collect(MIXED, 100)
    open_rows = np.flatnonzero(chunk.next_index == OPEN)
    assert len(open_rows)
    kept = {
        name: array[open_rows].copy()
        for name, array in chunk.arrays().items()
        if name not in ("next_index", "reward")
    }
    order = np.lexsort(kept["obs"].T)
    again = plays.collect(MIXED, 100)
    for name, array in kept.items():
        front = again.arrays()[name][: len(open_rows)]
        other = np.lexsort(again.obs[: len(open_rows)].T)
        if name == "obs":
            assert np.array_equal(front[other], array[order])
        else:
            assert np.allclose(np.sort(front, axis=0), np.sort(array, axis=0))


def test_mixed_player_counts_and_opponents_share_the_tables():
    plays = worker()
    episodes = [e for _ in range(30) for e in plays.collect(MIXED, 100).episodes]
    counts = {len(e.owners) for e in episodes}
    owners = {owner for e in episodes for owner in e.owners}
    assert counts == {2, 3}
    assert owners == {LEARNER, "random", "rule"}
    assert all(LEARNER in e.owners for e in episodes)
    alone = np.mean([set(e.owners) == {LEARNER} for e in episodes])
    assert 0.3 < alone < 0.5
    heads = [e.owners.index(LEARNER) for e in episodes if e.owners.count(LEARNER) == 1]
    assert set(heads) == {0, 1, 2}


def test_a_game_has_the_same_deal_and_seats_on_any_worker():
    def seen(first: int, stride: int) -> dict[int, tuple]:
        plays = worker(first=first, stride=stride)
        found = [e for _ in range(20) for e in plays.collect(MIXED, 60).episodes]
        return {e.number: (e.owners, e.utilities) for e in found}

    one = seen(0, 1)
    two = {**seen(0, 2), **seen(1, 2)}
    both = one.keys() & two.keys()
    assert len(both) > 200
    assert [one[n][0] for n in sorted(both)] == [two[n][0] for n in sorted(both)]


def test_memory_stays_flat_over_300_collects():
    resource = pytest.importorskip("resource")
    plays = worker()

    def peak() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    for _ in range(50):
        plays.collect(MIXED, 100)
    before = peak()
    for _ in range(300):
        plays.collect(MIXED, 100)
    assert peak() - before < 1024  # KiB


def test_opponents_that_no_game_needs_are_let_go():
    plays = worker()
    for k in range(5):
        plays.collect(League(0.0, (f"no-{k}",), (1.0,), ("random",)), 300)
        assert len(plays.agents) <= 2


def test_a_chunk_in_given_memory_says_the_same():
    job = WorkerJob(TOY, ({"players": 2},), tables=8, decisions=64, shape=Shape(16))
    memory = np.full(Chunk.size(3 * job.room, *job.widths) + 64, 7, np.uint8)
    whole = Chunk.allocate(3 * job.room, *job.widths, memory)
    given = whole.rows(slice(job.room, 2 * job.room))
    mine, theirs = RolloutWorker(job), RolloutWorker(job)
    for _ in range(5):
        chunk, wanted = mine.collect(MIXED, 60, given), theirs.collect(MIXED, 60)
        assert len(chunk) == len(wanted) > 0
        for name, array in chunk.arrays().items():
            assert np.shares_memory(array, memory) or not array.size
            assert array.tobytes() == wanted.arrays()[name].tobytes()
        assert chunk.episodes == wanted.episodes
        for array in chunk.arrays().values():
            array[:] = 1  # the caller may do as it likes
    for rows in (slice(0, job.room), slice(2 * job.room, None)):
        beside = whole.rows(rows)
        assert (beside.mask == 7).all()
        assert (beside.obs.view(np.uint8) == 7).all()
