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
# # How hard is *The Dwarves*?
#
# In The Dwarves all heroes win or lose together, and the rulebook knows five levels of difficulty. A co-operative game has no
# opponent to be measured against, so its natural yardstick is the win rate by level. This notebook measures it for two scripted
# teams, with intervals, and asks how many games such a statement needs.
#
# With `FAST=1` only a few games are played.

# %%
import os
from collections import Counter
from itertools import pairwise

import matplotlib.pyplot as plt
import pandas as pd

import dwarrow
from dwarrow import agents, envs
from dwarrow.benchmarks.stats import games_for_width, games_needed, paired_bootstrap
from dwarrow.training.match import Lineup, play_matches

FAST = os.environ.get("FAST") == "1"
game = envs.game("the_dwarves")
levels = ["easy", "normal", "challenging", "brave", "heroic"]
n_games = 6 if FAST else 100

# %% [markdown]
# ## How many games?
#
# Decide that first: looking at the result and playing on until one likes it makes every interval a lie.

# %%
print("games until a win rate near 50 % is known to ± 5 points:", games_for_width(0.5, 0.1))
print(
    "games to tell 60 % from 50 %, 80 times in 100, both measured:",
    games_needed(0.5, 0.6, both=True),
)
print("games in each cell below:", n_games)

# %% [markdown]
# ## Win rates by level
#
# A hundred games a cell are a matter of minutes. They tell apart only what lies far apart, as the two numbers above say; the intervals
# will show it.
#
# `dwarrow.duel` lets two agents meet. In a co-operative game they do not sit at one table: each takes all heroes in turn, on the same
# deals. `rule` follows rules of thumb written by a player; `greedy` does what helps a scenario at once.

# %%
cells = []
for players in (2, 4):
    for level in levels:
        frame = dwarrow.duel(
            "rule",
            "greedy",
            game="the_dwarves",
            players=players,
            difficulty=level,
            games=n_games,
            progress=False,
        )
        cells.append(frame.reset_index().assign(heroes=players, level=level))
cells = pd.concat(cells)
cells.pivot_table(index=["agent", "heroes"], columns="level", values="share", sort=False)[
    levels
].round(2)

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 3.6), sharey=True)
for axis, players in zip(axes, (2, 4)):
    for agent, colour in (("rule", "tab:blue"), ("greedy", "tab:orange")):
        part = cells[(cells["agent"] == agent) & (cells["heroes"] == players)]
        errors = [(part["share"] - part["low"]).clip(0), (part["high"] - part["share"]).clip(0)]
        axis.errorbar(
            part["level"],
            part["share"],
            yerr=errors,
            fmt="o-",
            capsize=3,
            color=colour,
            label=agent,
        )
    axis.set(title=f"{players} heroes", ylim=(-0.03, 1.03))
axes[0].set_ylabel("share of games won (95 %)")
axes[0].legend()
figure.tight_layout()

# %% [markdown]
# An interval that reaches from 0 to a few percent is what "never won" is worth after so many games: it does not say
# *impossible*. And two intervals that overlap do not say *no difference*: the levels were played on the same seeds, so they can be
# compared deal by deal, which is sharper. For `rule` with two heroes:


# %%
def games_of(level, players, agent):
    frame = dwarrow.duel(
        agent,
        agent,
        game="the_dwarves",
        players=players,
        difficulty=level,
        games=n_games,
        per_game=True,
        progress=False,
    )
    return frame[frame["agent"] == f"{agent} (a)"]


played = {level: games_of(level, 2, "rule") for level in levels}
steps = []
for easier, harder in pairwise(levels):
    a, b = played[easier], played[harder]
    fall = paired_bootstrap(a["win"], b["win"], a["deal"], b["deal"])
    steps.append(
        {
            "from": easier,
            "to": harder,
            "win rate falls by": fall.estimate.value,
            "low": fall.estimate.interval.low,
            "high": fall.estimate.interval.high,
        }
    )
pd.DataFrame(steps).round(3)

# %% [markdown]
# ## Why games are lost
#
# A win rate says how often; the breakdown of each game says how.

# %%
short = {
    "won": "won",
    "markers_met": "doom caught up",
    "hero_died": "a hero died",
    "no_finale": "no last scenario left",
}
rule = {"rule": agents.make("rule", game)}
endings = {}
for level in levels:
    lineups = [Lineup(seed, ("rule", "rule")) for seed in range(n_games)]
    rows = play_matches(
        game,
        {"difficulty": level},
        lineups,
        rule,
        inspect=lambda states, i: game.breakdown(states, i)["end"],
    )
    endings[level] = Counter(short.get(row.extra, row.extra) for row in rows)
endings = pd.DataFrame(endings).T.fillna(0) / n_games

figure, axis = plt.subplots(figsize=(8, 3))
endings.plot.barh(stacked=True, ax=axis, width=0.7)
axis.invert_yaxis()
axis.set(xlabel="share of games", xlim=(0, 1), title="How games of two rule heroes end")
axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
figure.tight_layout()
endings.round(2)

# %% [markdown]
# If most losses are the doom track, a better agent has to be *faster*; if heroes die, more *careful*. That is a better hint for the
# next agent than the win rate alone.
#
# ## One position
#
# The last thing to look at before believing any of it: a game. Two heroes after forty decisions.

# %%
states = game.new(seed=3, players=2, difficulty="normal")
for word in range(40):
    if game.is_over(states, 0):
        break
    choice = rule["rule"].act(
        game, states, pd.Series([0]).to_numpy(), pd.Series([word], dtype="uint64").to_numpy()
    )
    game.step(states, 0, int(choice.action[0]))
game.svg(states, 0)

# %% [markdown]
# `dwarrow coop the_dwarves --agents greedy rule --players 2 4 --games 400` does the same at size: it keeps every game in a file, goes
# on where it was interrupted, uses several processes and frozen lists of seeds.
