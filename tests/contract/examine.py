"""One kernel that plays games at random and checks, at every decision, what all games promise."""

import numpy as np

from dwarrow.envs.core.kernels import (
    kernel,
    legal,
    observe,
    returns,
    seen,
    step,
    violations,
)
from dwarrow.envs.core.record import NONE
from dwarrow.envs.core.rng import mix, word_below
from dwarrow.envs.core.seats import BOUND
from dwarrow.envs.core.table import begin, pick, resample_into

FAULTS = (
    "sound",
    "violations",
    "mask is not its own count of zeros and ones, or empty",
    "looking changed the state",
    "an observation leaves its bounds",
    "the game does not end",
    "the header does not say that the game is over",
    "returns are not of this kind of game",
    "a resampled state has violations",
    "a resampled state differs in what everybody sees",
    "a resampled state differs in what its seat sees",
    "a resampled state differs in the actions of its seat",
    "an own action is no event to its seat by `seen`",
    "a seat to which `seen` says nothing happened sees a difference",
    "the decision count did not rise by one",
    "two states of one information set are resampled differently from one seed",
)
CHANGED = len(FAULTS)  # not a fault: counts resampled states that differ from the true one


@kernel
def bytes_differ(a, i, b, j):
    left, right = a[i : i + 1].view(np.uint8), b[j : j + 1].view(np.uint8)
    for k in range(len(left)):  # noqa: SIM110
        if left[k] != right[k]:
            return True
    return False


@kernel
def mask_is_wrong(mask, n_legal):
    ones = 0
    for a in range(len(mask)):
        if mask[a] not in (0, 1):
            return True
        ones += mask[a]
    return ones != n_legal or n_legal < 1


@kernel
def returns_are_wrong(values, n_seats, cooperative):
    total = 0.0
    for p in range(n_seats):
        total += values[p]
        if abs(values[p]) > 1:
            return True
        if cooperative and (values[p] != values[0] or abs(values[p]) != 1):
            return True
    return not cooperative and abs(total) > 1e-5


@kernel
def check_views(states, i, twin, mask, view):
    """Look at game `i` from all seats; `twin` is scratch."""
    twin[0] = states[i]
    n_legal = legal(states, i, mask)
    if mask_is_wrong(mask, n_legal):
        return 2
    for seat in range(states[i].n_seats):
        view[:] = 0
        observe(states, i, seat, view)
        for x in view:
            if not -BOUND <= x <= BOUND:
                return 4
    return 3 if bytes_differ(states, i, twin, 0) else 0


@kernel
def differ_to(seat, twins, view, view_2):
    """Return whether `seat` sees a difference between the two states of `twins`."""
    view[:] = 0
    view_2[:] = 0
    observe(twins, 0, seat, view)
    observe(twins, 1, seat, view_2)
    for k in range(len(view)):  # noqa: SIM110
        if view[k] != view_2[k]:
            return True
    return False


@kernel
def check_resample(states, i, seat, seed, twins, mask, mask_2, view, view_2, report):
    """Resample game `i` for `seat` and compare what the seat may see; `twins` is scratch."""
    resample_into(states, i, seat, seed, twins, 0)
    resample_into(twins, 0, seat, seed, twins, 1)
    if bytes_differ(twins, 0, twins, 1):
        return 15
    s, t = states[i], twins[0]
    if violations(twins, 0) != 0:
        return 8
    if (
        s.seat != t.seat
        or s.phase != t.phase
        or s.decision != t.decision
        or s.over != t.over
        or s.n_seats != t.n_seats
    ):
        return 9
    twins[1] = states[i]
    if differ_to(seat, twins, view, view_2):
        return 10
    if s.seat == seat:
        legal(twins, 0, mask_2)
        for a in range(len(mask)):
            if mask[a] != mask_2[a]:
                return 11
    for k in range(len(t.rng)):  # streams differ always: not counted as a change
        t.rng[k] = s.rng[k]
    if bytes_differ(states, i, twins, 0):
        report[CHANGED] += 1
    return 0


@kernel
def check_own_seen(states, i, mask):
    """Every own action is an event to the seat that plays it."""
    seat = states[i].seat
    for a in range(len(mask)):
        if mask[a] and seen(states, i, a, seat, seat) < 1:
            return 12
    return 0


@kernel
def check_unnoticed(states, i, action, bystander, twins, view, view_2):
    """Play `action` on a copy; a bystander who notices nothing sees no difference."""
    if seen(states, i, action, states[i].seat, bystander) != -1:
        return 0
    twins[0], twins[1] = states[i], states[i]
    step(twins, 0, action)
    return 13 if differ_to(bystander, twins, view, view_2) else 0


@kernel
def examine_game(states, i, seed, limit, every, cooperative, work, report):
    twins, mask, mask_2, view, view_2, values = work
    begin(states, i, seed)
    word = np.zeros(1, np.uint64)
    word[0] = mix(np.uint64(seed))
    for _ in range(limit):
        report[1], report[2] = states[i].decision, states[i].seat
        if violations(states, i) != 0:
            return 1
        fault = check_views(states, i, twins, mask, view)
        if fault:
            return fault
        n_legal = 0
        for a in range(len(mask)):
            n_legal += mask[a]
        action = pick(mask, word_below(word, n_legal))
        if word_below(word, every) == 0:
            seat = word_below(word, states[i].n_seats)
            again = word_below(word, 1 << 30)
            fault = check_resample(
                states, i, seat, again, twins, mask, mask_2, view, view_2, report
            )
            if not fault:
                fault = check_own_seen(states, i, mask)
            if not fault and seat != states[i].seat:
                fault = check_unnoticed(states, i, action, seat, twins, view, view_2)
            if fault:
                return fault
        decision = states[i].decision
        over = step(states, i, action)
        report[3] += 1
        if states[i].decision != decision + 1:
            return 14
        if over:
            if states[i].over != 1 or states[i].seat != NONE or legal(states, i, mask) != 0:
                return 6
            if violations(states, i) != 0:
                return 1
            values[:] = 0
            returns(states, i, values)
            return 7 if returns_are_wrong(values, states[i].n_seats, cooperative) else 0
    return 5


@kernel
def examine(states, first_seed, limit, every, cooperative, work, report):
    """Play and check a game of every state; return the first fault.

    Writes report: [game, decision, seat, decisions in all, ..., states changed by resampling].
    """
    for i in range(len(states)):
        report[0] = i
        fault = examine_game(states, i, first_seed + i, limit, every, cooperative, work, report)
        if fault:
            return fault
    return 0


def workspace(g):
    """Return the scratch arrays that `examine` wants."""
    from dwarrow.envs.core.record import empty

    return (
        empty(g.dtype, 2),
        np.zeros(g.n_actions, np.int8),
        np.zeros(g.n_actions, np.int8),
        np.zeros(g.observation.size, np.float32),
        np.zeros(g.observation.size, np.float32),
        np.zeros(g.max_seats, np.float32),
    )
