# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # A position, analysed
#
# A tree search does not only choose, it also says what it thinks: how often it looked at each choice, and what it expects of it. This
# notebook sets a position up, draws it, and asks. It shows three things that are easy to get wrong: how long to search, what to do
# where several answers are right, and what the search must not know.
#
# With `FAST=1` the searches are short.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from dwarrow import agents, envs

FAST = os.environ.get("FAST") == "1"
game = envs.game("aquilon")


def table(thought, n=8):
    """Return a visit table as a frame."""
    rows = [
        {"choice": c.name, "visits": c.visits, "value": c.value, "would play": c.share}
        for c in thought.candidates[:n]
    ]
    return pd.DataFrame(rows).set_index("choice").round(3)


# %% [markdown]
# ## The position
#
# Three `rule` lords play into the second Era; then seat 0 is to take a dwarf.

# %%
rule, luck = agents.make("rule", game), np.random.default_rng(5)
states = game.new(seed=21, players=3)
while not (
    states["era"][0] == 1
    and states["seat"][0] == 0
    and game.action_name(int(game.legal(states, 0)[0])).startswith("take")
    and len(game.legal(states, 0)) >= 3
):
    action = rule.act(game, states, np.zeros(1, np.int64), agents.words(luck, 1)).action[0]
    game.step(states, 0, int(action))
game.svg(states, 0, seat=0)

# %% [markdown]
# This is what seat 0 sees: the coins that others laid in later taverns are face down.
#
# ## Asking
#
# `think` searches and returns the visit table. Values are utilities from -1 (last) to +1 (first) for the seat to move.

# %%
sims = 300 if FAST else 20_000
search = agents.make(f"mcts:sims={sims}", game)
thought = search.think(game, states, 0, word=1)
print(f"expects {thought.value:+.2f}")
table(thought)

# %%
tavern = int(states["tavern"][0])
from dwarrow.envs.aquilon.cards import DWARFS

for choice in thought.candidates:
    card = int(states["taverns"][0, tavern, int(choice.name.split()[1])])
    print(
        f"{choice.name}: {DWARFS[card]:<24} {'█' * round(40 * choice.visits / thought.sims)} {choice.visits / thought.sims:.0%}"
    )

# %% [markdown]
# ## How long is long enough?
#
# One search is one sample. The way to find out is to search again with other luck: the spread between searches of the same length
# says how far to trust one of them.

# %%
lengths = [30, 100, 300] if FAST else [100, 300, 1000, 3000, 10_000, 30_000]
repeats = 3 if FAST else 16
curve = []
for n in lengths:
    agent = agents.make(f"mcts:sims={n}", game)
    for word in range(repeats):
        curve += [
            {"sims": n, "choice": c.name, "value": c.value, "first": c.share}
            for c in agent.think(game, states, 0, word).candidates
        ]
curve = pd.DataFrame(curve)
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.6))
for name, part in curve.groupby("choice"):
    by = part.groupby("sims")["value"]
    left.errorbar(by.mean().index, by.mean(), yerr=by.std(), fmt="o-", capsize=3, label=name)
    right.plot(part.groupby("sims")["first"].mean(), "o-", label=name)
left.set(
    xscale="log",
    xlabel="simulations",
    ylabel="value for seat 0",
    title="Value: mean and spread of repeated searches",
)
right.set(
    xscale="log",
    xlabel="simulations",
    ylabel="share of searches",
    ylim=(-0.03, 1.03),
    title="Which choice it would play",
)
left.legend()
figure.tight_layout()

# %% [markdown]
# Left, short searches are biased as well as noisy: with few simulations a choice is judged by nearly random continuations, and only
# longer ones find the good answers, of the seat itself and of the others. Read a value where its curve has become flat. Right, when two
# choices are equally good, searches agree on the *value* long before they agree on the *choice*, and that is as it should be.
#
# ## Sealed bids have no best answer
#
# Where all lords bid at once, whatever one does surely can be answered. Searches that use regret matching at such decisions
# (`selection=regret`) return a *mixture*. Here, the bid at the start of the next round:

# %%
bidding = states.copy()
while not game.action_name(int(game.legal(bidding, 0)[0])).startswith("bid"):
    action = rule.act(game, bidding, np.zeros(1, np.int64), agents.words(luck, 1)).action[0]
    game.step(bidding, 0, int(action))
mixed = agents.make(f"mcts:sims={sims},selection=regret", game).think(game, bidding, 0, word=1)
top = sorted(mixed.candidates, key=lambda c: -c.share)[:10]
figure, axis = plt.subplots(figsize=(8, 3.2))
axis.barh([c.name for c in top][::-1], [c.share for c in top][::-1])
axis.set(
    xlabel="probability with which it would bid so",
    title=f"Seat {mixed.seat}: the ten likeliest of {len(mixed.candidates)} bids",
)
figure.tight_layout()

# %% [markdown]
# ## What would change its mind?
#
# A position is a plain dict in the rulebook's words, so a question such as *and if I held another gem?* is an edit. The edited
# position is checked against the rules when it is loaded.

# %%
position = game.position(states, 0)
mine = position["players"][0]
print("seat 0 laid and keeps:", mine["coins"], "with gem", mine["gem"])

# %%
answers = {}
for gem in sorted({player["gem"] for player in position["players"]}):
    changed = game.position(states, 0)
    other = next(k for k, player in enumerate(changed["players"]) if player["gem"] == gem)
    changed["players"][0]["gem"], changed["players"][other]["gem"] = (
        gem,
        changed["players"][0]["gem"],
    )
    answers[f"gem {gem}"] = {
        c.name: c.value for c in search.think(game, game.load(changed), 0, word=1).candidates
    }
pd.DataFrame(answers).T.round(3)

# %% [markdown]
# Gems break ties between equal coins, and the lord who won by a gem trades it for the loser's. The rows show what the same army and
# the same coins are worth with another gem: differences smaller than the spread in the plot above mean nothing.
#
# ## What the search must not know
#
# The search never looks at hidden cards: before each simulation it redraws all that its seat does not know. So two worlds that seat 0
# cannot tell apart give the same table, to the last visit:

# %%
tables = []
for seed in range(3):
    world = game.resample(states, 0, 0, seed)
    tables.append([(c.name, c.visits) for c in search.think(game, world, 0, word=1).candidates])
print("three worlds, one table:", tables[0] == tables[1] == tables[2])

# %% [markdown]
# `oracle_mcts` is the exception: it searches the true world, coming cards included, and serves as an upper bound. In a single world it
# may well expect *less*, as it knows of the bad luck to come; only averaged over many worlds is the difference the worth of knowing
# everything. And where its values lie close together, the choice matters less than chance does.

# %%
oracle = agents.make(f"oracle_mcts:sims={sims}", game)
pd.DataFrame(
    {
        "knows what seat 0 knows": {c.name: c.value for c in thought.candidates},
        "knows everything": {
            c.name: c.value for c in oracle.think(game, states, 0, word=1).candidates
        },
    }
).round(3)

# %% [markdown]
# From the command line: `dwarrow analyse aquilon position.json --agent mcts:sims=20000`, with the position saved as JSON; and
# `dwarrow play aquilon` answers `?` with such a table at any decision.
