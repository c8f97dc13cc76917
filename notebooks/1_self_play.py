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
# # Self-play from scratch
#
# Three lords bid for dwarfs in three taverns. All bids are sealed: a lord lays one coin face down in each tavern, and the
# highest coin there chooses first. What a dwarf is worth depends on the army it joins, so what to bid depends on what the others
# will bid. Nobody tells the network any of this. It plays against itself, and keeps what won.
#
# This notebook trains such a network with PPO for a few minutes, measures it while it learns, and then lets it meet agents that it
# has never seen. Set `FAST=1` in the environment for a run of a few seconds, which shows the mechanics and learns next to nothing.

# %%
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import dwarrow
from dwarrow import agents, envs
from dwarrow.training.algorithms import train
from dwarrow.training.config import PPOConfig
from dwarrow.training.logging import read_metrics
from dwarrow.training.match import Lineup, play_matches

FAST = os.environ.get("FAST") == "1"
game = envs.game("aquilon")
print(f"{game.title}: {game.n_actions} actions, {game.observation.size} features")

# %% [markdown]
# ## Where it starts
#
# Before learning, a yardstick: three agents that need no training. `random` plays anything legal, `greedy` takes the most points at
# once, `rule` follows the advice of a good player. At a table of three, an agent as good as the others wins a third of the games, so
# every share below is to be read against 33 %.

# %%
games = 60 if FAST else 600
yard = {}
for name in ("random", "greedy"):
    yard[name] = dwarrow.duel("rule", name, game="aquilon", players=3, games=games).loc["rule"]
pd.DataFrame(yard).T[
    ["games", "share", "low", "high", "margin", "margin low", "margin high"]
].round(3)

# %% [markdown]
# `rule` alone among two copies of the other wins that share; `low` to `high` is Wilson's 95 % interval, `margin` the points over the
# best other.
#
# ## Learning
#
# `scripted_share=0` takes the scripted players out of the training: all games are the network against itself, but for one in ten
# against one of its own past selves, so that it does not forget how to beat them. `random`, `greedy` and `rule` only measure. (The outputs
# kept here come from a busy machine; an idle laptop goes through several times as many decisions in these four minutes.)

# %%
config = PPOConfig(
    "aquilon",
    players=(3,),
    **({"iterations": 4, "batch": 2000, "tables": 64} if FAST else {"minutes": 4}),
    scripted_share=0.0,
    past_share=0.1,
    evaluate=("random", "greedy", "rule"),
    evaluate_games=30 if FAST else 300,
    evaluations=3 if FAST else 16,
    tensorboard=False,
)
run = train(config, Path(tempfile.mkdtemp()) / "self-play")

# %%
log = pd.DataFrame(read_metrics(run)).set_index("total_decisions")
print(
    f"{log.index[-1]:,.0f} decisions in {log['games'].iloc[-1]:,.0f} games, {log['seconds'].iloc[-1]:.0f} s"
)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8))
for name, colour in (("random", "tab:grey"), ("greedy", "tab:orange"), ("rule", "tab:red")):
    curve = log[f"win/{name}"].dropna()
    left.plot(curve.index / 1e6, curve, "o-", ms=3, color=colour, label=f"against two {name}")
left.axhline(1 / 3, color="black", lw=0.8, ls=":")
left.annotate("fair share", (0, 1 / 3), xytext=(2, 3), textcoords="offset points", fontsize=8)
left.set(
    xlabel="million decisions learned from", ylabel="share of wins", ylim=(0, 1), title="Strength"
)
left.legend(loc="lower right")
right.plot(log.index / 1e6, log["entropy"], label="entropy of its choices, 1 = uniform")
right.plot(
    log.index / 1e6, log["explained_variance"].clip(0), label="result foreseen by its critic"
)
right.set(xlabel="million decisions learned from", ylim=(0, 1), title="What goes on inside")
right.legend()
figure.tight_layout()

# %% [markdown]
# Two things to look for. The curve against `random` rises at once and the one against `rule` last: the first lesson is to take
# cards that count at all, the last is what *others* want. And the entropy falls but does not reach zero: against equals, a bid that is
# always the same can be outbid by one, so some of it has to stay random.
#
# ## Does it hold?
#
# The measurements in the curve guided nothing, but they are few games each. The final word is a duel on fresh deals, every deal
# played once from every seat.

# %%
rows = {}
for name in ("random", "greedy", "rule"):
    rows[name] = dwarrow.duel(
        f"ppo:{run}", name, game="aquilon", players=3, games=games, seed=50_000
    ).iloc[0]
final = pd.DataFrame(rows).T
final[
    [
        "games",
        "share",
        "low",
        "high",
        "margin",
        "margin low",
        "margin high",
        "seat 0",
        "seat 1",
        "seat 2",
    ]
].round(3)

# %%
figure, axis = plt.subplots(figsize=(6, 2.4))
errors = [final["share"] - final["low"], final["high"] - final["share"]]
axis.barh(
    final.index,
    final["share"],
    xerr=[e.astype(float) for e in errors],
    color="tab:blue",
    height=0.6,
    capsize=3,
)
axis.axvline(1 / 3, color="black", lw=0.8, ls=":")
axis.set(xlim=(0, 1), xlabel="share of wins of the network, alone against two others (95 %)")
figure.tight_layout()

# %% [markdown]
# The columns `seat 0` to `seat 2` are a control: the seats are rotated and bids are sealed, so a large difference between them
# would be a sign of a mistake somewhere.
#
# ## A look at a game
#
# Numbers hide blunders; pictures do not. One game of the network (seat 0) against two `rule` players, as it ended.

# %%
kept = []
seats = ("ppo", "rule", "rule")
table = {"ppo": agents.make(f"ppo:{run}", game), "rule": agents.make("rule", game)}
play_matches(game, {}, [Lineup(123, seats)], table, on_replay=lambda _, replay: kept.append(replay))
[replay] = kept
end = replay.position_at(len(replay.moves))
game.svg(end, 0)

# %%
pd.DataFrame(
    [lord["points"] for lord in game.breakdown(end, 0)["lords"]],
    index=[f"seat {k} ({s})" for k, s in enumerate(seats)],
)

# %% [markdown]
# `replay.save("game.jsonl")` keeps the game, and `dwarrow replay game.jsonl -o game.html` makes a page of it. To go on from here:
#
# * `dwarrow train aquilon --players 3 --minutes 10` also plays against `greedy` and `rule` while it learns, which makes it
#   stronger against them in the same time;
# * notebook 2 looks into what such an agent has learned about bidding.
