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
# # What a bidding agent learned
#
# An agent that wins is not yet an agent that is understood. This notebook opens one up: where does it lay its coins, how much could
# a better bid have gained it, and does it fall for the *winner's curse*?
#
# With `FAST=1` everything is tiny, and the numbers mean nothing.

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from dwarrow import agents, envs
from dwarrow.benchmarks.stats import bootstrap_mean
from dwarrow.envs.aquilon.actions import BID_COINS
from dwarrow.envs.aquilon.cards import COIN_VALUE
from dwarrow.envs.aquilon.layout import Phase
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.tables import Tables

FAST = os.environ.get("FAST") == "1"
LORDS = 3
game = envs.game("aquilon")

# %% [markdown]
# ## An agent to look at
#
# PPO on a million decisions, against itself, past selves and the scripted players: the default recipe.

# %%
limit = {"iterations": 4, "batch": 2000, "tables": 64} if FAST else {"iterations": 100}
config = PPOConfig("aquilon", players=(LORDS,), **limit, evaluate_games=0, tensorboard=False)
run = train(config, Path(tempfile.mkdtemp()) / "bidder")
lords = {
    name: agents.make(spec, game)
    for name, spec in (("ppo", f"ppo:{run}"), ("rule", "rule"), ("random", "random"))
}

# %% [markdown]
# ## Watching it bid
#
# Each agent plays against copies of itself. We step all games together and write down every sealed bid: the coins in hand in rising
# order, which of them lies in which tavern, and, for the network, what it expects of the game at that moment (its value, from -1 to
# 1).


# %%
def watch(agent, games, seed):
    """Return a row for each bid of some games, and states in which seat 0 is about to bid."""
    tables = Tables(game, game.blank(1, game.options(players=LORDS)), games)
    everyone = np.arange(games)
    tables.begin(everyone, np.zeros(games, np.int64), seed + everyone)
    rows, openings = [], []
    while len(alive := np.flatnonzero(tables.states["over"] == 0)):
        states = tables.states
        seats = states["seat"][alive]
        decision = agent.act(game, states, alive, tables.words(alive))
        for k in np.flatnonzero(states["phase"][alive] == Phase.BID):
            i, seat = alive[k], seats[k]
            hand = COIN_VALUE[states["players"]["coins"][i, seat]]
            laid = BID_COINS[decision.action[k]]
            row = {"game": i, "seat": seat, "round": states["era"][i] * 10 + states["turn"][i]}
            row |= {f"tavern {t}": hand[laid[t]] for t in range(3)}
            row |= {f"place of coin {c}": int(np.flatnonzero(laid == c)[0]) for c in range(5)}
            rows.append(row | {"value": np.nan if decision.value is None else decision.value[k]})
            if seat == 0:
                openings.append(states[i : i + 1].copy())
        tables.step(alive, decision.action)
    utilities, _ = tables.results(everyone)
    frame = pd.DataFrame(rows)
    frame["utility"] = utilities[frame["game"], frame["seat"]]
    return frame, openings


n_games = 20 if FAST else 800
seen = {name: watch(agent, n_games, 70_000) for name, agent in lords.items()}
bids = {name: frame for name, (frame, _) in seen.items()}
bids["ppo"].head()

# %% [markdown]
# ## Which coin goes where
#
# Coin 0 is the lowest in hand, coin 4 the highest. The lowest is nearly always the `0`, and that one is special: a lord who lays the 0
# may exchange a coin of the purse for one worth as much as the whole purse. So the two coins *not* bid matter too.

# %%
places = ["tavern 0", "tavern 1", "tavern 2", "purse"]
figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), sharey=True)
for axis, (name, frame) in zip(axes, bids.items()):
    where = np.stack([frame[f"place of coin {c}"].clip(upper=3) for c in range(5)])
    share = np.array([[(where[c] == p).mean() for p in range(4)] for c in range(5)])
    axis.imshow(share, vmin=0, vmax=1, cmap="Blues", aspect="auto")
    for c in range(5):
        for p in range(4):
            axis.text(
                p,
                c,
                f"{share[c, p]:.0%}",
                ha="center",
                va="center",
                color="white" if share[c, p] > 0.55 else "black",
            )
    axis.set(xticks=range(4), xticklabels=places, title=name)
axes[0].set(yticks=range(5), yticklabels=[f"coin {c}" for c in range(5)])
figure.suptitle("Where each coin of the hand is laid (the purse holds two)")
figure.tight_layout()

# %% [markdown]
# `random` lays every coin everywhere alike: 20 % at each of the five places. Whatever the other two tables show beyond that is
# opinion. Look at the row of coin 0 first: an agent that has understood the exchange never leaves it in the purse.
#
# The amounts, tavern by tavern, early and late in the game:

# %%
figure, axes = plt.subplots(2, 3, figsize=(11, 4.6), sharex=True, sharey=True)
for row, (label, late) in enumerate((("Era 1", False), ("Era 2", True))):
    for t in range(3):
        for name, colour in (("ppo", "tab:blue"), ("rule", "tab:red")):
            frame = bids[name]
            values = frame.loc[(frame["round"] >= 10) == late, f"tavern {t}"]
            axes[row, t].hist(
                values, bins=np.arange(-0.5, 26), density=True, alpha=0.5, color=colour, label=name
            )
        axes[row, t].set_title(f"{label}, tavern {t}", fontsize=9)
axes[0, 0].legend()
for axis in axes[1]:
    axis.set_xlabel("value of the coin laid")
figure.tight_layout()

# %% [markdown]
# ## Regret: what would the best bid have gained?
#
# Take a position in which seat 0 is about to bid, and hold everything else fixed: the others bid and play on as they do. Each
# possible bid has an expected result, which we estimate by playing on many times from worlds that seat 0 cannot tell apart
# (`game.resample` redraws all that it does not know). The **regret** is the result of the best bid minus the agent's own average:
# zero for a best response, positive otherwise.
#
# One trap: the best of sixty noisy estimates looks better than it is. So the best bid is *chosen* on one half of the worlds and
# *judged* on the other. That makes the number a lower bound of the true regret, but an honest one.


# %%
def play_on(states, agent):
    """Play copies of positions to their end; return the utility of seat 0 in each."""
    tables = Tables(game, game.blank(1, game.options(players=LORDS)), len(states))
    tables.states[:] = states
    tables.seeds[:] = 900_000 + np.arange(len(states))
    while len(alive := np.flatnonzero(tables.states["over"] == 0)):
        tables.step(alive, agent.act(game, tables.states, alive, tables.words(alive)).action)
    return tables.results(np.arange(len(states)))[0][:, 0]


def results_of_bids(position, agent, worlds):
    """Return the legal bids and their results [n_bids, worlds], the same worlds for each."""
    legal = game.legal(position, 0)
    drawn = np.concatenate([game.resample(position, 0, 0, seed) for seed in range(worlds)])
    states = np.tile(drawn, len(legal))
    for k, action in enumerate(np.repeat(legal, worlds)):
        game.kernels.step(states, k, int(action))
    return legal, play_on(states, agent).reshape(len(legal), worlds)


def own_bids(position, agent, n):
    """Return how often the agent makes each bid, of `n` draws."""
    states, rows = np.repeat(position, n), np.arange(n)
    drawn = agent.act(game, states, rows, agents.words(np.random.default_rng(0), n)).action
    return np.bincount(drawn, minlength=game.n_actions) / n


def regret(position, agent, worlds):
    legal, result = results_of_bids(position, agent, worlds)
    judge = result[:, worlds // 2 :].mean(1)
    best = result[:, : worlds // 2].mean(1).argmax()
    return judge[best] - own_bids(position, agent, 256)[legal] @ judge


# %%
n_positions, worlds = (2, 4) if FAST else (16, 32)
regrets = []
for name, agent in lords.items():
    _, openings = seen[name]
    chosen = np.random.default_rng(1).choice(len(openings), n_positions, replace=False)
    regrets += [{"agent": name, "regret": regret(openings[k], agent, worlds)} for k in chosen]
regrets = pd.DataFrame(regrets)
summary = []
for name, part in regrets.groupby("agent", sort=False):
    mean = bootstrap_mean(part["regret"], np.arange(len(part)))
    summary.append(
        {
            "agent": name,
            "regret of a bid": mean.value,
            "low": mean.interval.low,
            "high": mean.interval.high,
            "positions": mean.n,
        }
    )
summary = pd.DataFrame(summary).set_index("agent")
summary.round(3)

# %%
figure, axis = plt.subplots(figsize=(6, 2.6))
axis.barh(
    summary.index,
    summary["regret of a bid"],
    xerr=[
        summary["regret of a bid"] - summary["low"],
        summary["high"] - summary["regret of a bid"],
    ],
    capsize=3,
    color=["tab:blue", "tab:red", "tab:grey"],
)
axis.axvline(0, color="black", lw=0.8)
axis.set(xlabel="utility lost by not making the best single bid (95 %)")
figure.tight_layout()

# %% [markdown]
# The unit is utility: from -1 (last) to +1 (first), so 0.1 is a tenth of the way from second to first. This is the regret of *one*
# bid, everything after it unchanged; seven or eight bids make a game. An interval around zero means that these games do not show a bid
# that would have been better, not that there is none.
#
# In the run kept here the network leaves little on the table, `rule` a lot: it knows good bids, but against others who bid as it does
# there are better ones, and it does not look for them. That `random` comes out near zero is no praise: where everybody goes on at random
# for the rest of the game, no single bid can matter much. Regret says how good a choice is *among these players*, not how good the
# player is.
#
# ## The winner's curse
#
# In a sealed-bid auction for something whose worth nobody knows exactly, whoever wins is probably the one who overrated it:
# *that the others bid less is bad news*. Here the network tells us what it expects when it bids (its value). If it is right on the
# average, then the result minus the expectation is zero over all bids. The curse would show as a negative gap among the bids that
# won.

# %%
frame = bids["ppo"]
taverns = [f"tavern {t}" for t in range(3)]
best = frame.groupby(["game", "round"])[taverns].transform("max")
alone = frame.groupby(["game", "round"])[taverns].transform(lambda v: (v == v.max()).sum() == 1)
won = ((frame[taverns] == best) & alone.astype(bool)).sum(axis=1)
frame["won"] = won.clip(upper=2)  # all three at once are too rare to say anything of
frame["gap"] = frame["utility"] - frame["value"]
curse = []
for won, part in frame.groupby("won"):
    mean = bootstrap_mean(part["gap"], part["game"])
    curse.append(
        {
            "taverns won": won,
            "bids": len(part),
            "expected": part["value"].mean(),
            "result": part["utility"].mean(),
            "gap": mean.value,
            "low": mean.interval.low,
            "high": mean.interval.high,
        }
    )
curse = pd.DataFrame(curse).set_index("taverns won")
curse.round(3)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.2))
left.errorbar(
    curse.index,
    curse["gap"],
    yerr=[curse["gap"] - curse["low"], curse["high"] - curse["gap"]],
    fmt="o",
    capsize=3,
)
left.axhline(0, color="black", lw=0.8)
left.set(
    xticks=curse.index,
    xlabel="taverns in which its coin was the highest, at most two counted",
    ylabel="result minus expectation",
    title="Is winning bad news?",
)
for name, colour in (("ppo", "tab:blue"), ("rule", "tab:red"), ("random", "tab:grey")):
    ordered = np.sort(
        np.stack(
            [
                bids[name].groupby(["game", "round"])[t].apply(lambda v: np.sort(v)[-2:]).to_list()
                for t in taverns
            ]
        ),
        axis=-1,
    )
    spare = (ordered[..., 1] - ordered[..., 0]).ravel()
    right.hist(
        spare,
        bins=np.arange(-0.5, 16),
        density=True,
        histtype="step",
        color=colour,
        label=f"{name}: {spare.mean():.1f} on the average",
    )
right.set(xlabel="value of the highest coin above the second", title="Coins laid in vain")
right.legend()
figure.tight_layout()

# %% [markdown]
# Intervals are drawn by whole games, since the bids of a game share its result. On the left, a point below zero is the curse, a point
# above it the opposite. In the run kept here there is no curse: with one or two taverns won the result is what the critic expected, and
# what brings bad news is winning *none*. That makes sense: a coin laid in this game is not lost, it comes back to the hand, so overpaying
# costs only what the coin could have done elsewhere. In an auction for money the same picture would look different.
#
# On the right is how much higher than needed the winning coin was; zero is a tie, which the gems decide. Here the good bidders waste *more*
# than `random` does, for they own higher coins by then, and the more so the more their coins have grown. To compare bidders by such a
# figure one would have to compare equal hands.
