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
# # What a changed component does to the balance
#
# Many values on the cards of these games could not be found in public, and stand-ins take their place (`dwarrow components aquilon`
# marks them). So it matters how much depends on them. And whoever designs games wants to know the same: *if this track were
# steeper, would anybody still buy the other cards?*
#
# Cards, coins and tracks are tables. A **component pack** is a folder with such tables; `DWARROW_PACK_AQUILON=folder` puts it in the
# place of the built-in one. This notebook changes the Shield track of Dwarves of Aquilon, and measures which Orders of dwarfs win
# games.
#
# With `FAST=1` only a few games are played. Each new pack is compiled once, which takes up to a minute.

# %%
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from dwarrow import envs
from dwarrow.benchmarks.stats import wilson
from dwarrow.envs.aquilon.cards import PACK

FAST = os.environ.get("FAST") == "1"
n_games = 60 if FAST else 1500
game = envs.game("aquilon")
built_in = Path(PACK.folder)
sorted(path.name for path in built_in.glob("*.csv"))

# %% [markdown]
# ## The packs
#
# The Shield track turns the ranks of a lord's Shield dwarfs into points. We halve it and make it half as large again. All other
# tables are copied as they are.

# %%
folder = Path(tempfile.mkdtemp())
track = pd.read_csv(built_in / "shield_track.csv")
factors = {"one and a half": 1.5} if FAST else {"half": 0.5, "one and a half": 1.5}
packs = {"as it is": built_in}
for name, factor in factors.items():
    pack = folder / name.replace(" ", "_")
    pack.mkdir()
    for path in built_in.glob("*.csv"):
        (pack / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    changed = track.assign(points=(track["points"] * factor).round().astype(int))
    changed.to_csv(pack / "shield_track.csv", index=False)
    packs[name] = pack

figure, axis = plt.subplots(figsize=(6, 2.8))
for name, pack in packs.items():
    points = pd.read_csv(pack / "shield_track.csv")
    axis.plot(points["ranks"][:13], points["points"][:13], "o-", ms=3, label=name)
axis.set(xlabel="ranks of Shield dwarfs", ylabel="points", title="The Shield track")
axis.legend()
figure.tight_layout()

# %% [markdown]
# A pack is checked against everything that the rulebook fixes (how many cards of which Order, which coins, ...), and a mistake is named
# by file, row and column:

# %%
broken = folder / "broken"
broken.mkdir()
for path in built_in.glob("*.csv"):
    (broken / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
track.assign(points=track["points"].iloc[::-1].values).to_csv(
    broken / "shield_track.csv", index=False
)


def python(code, pack):
    """Run code in a fresh process that uses a pack."""
    variables = {**os.environ}
    if pack != built_in:
        variables["DWARROW_PACK_AQUILON"] = str(pack)
    return subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True
    )


print(
    python("import dwarrow.envs.aquilon", broken)
    .stderr.strip()
    .splitlines()[-1]
    .replace(str(broken), "broken")
)

# %% [markdown]
# ## Playing with each
#
# A pack is read when the game is imported, so each gets a process of its own. It plays games of three `greedy` lords (who take what
# counts most at once, so they notice a changed track) and reports, for every lord, ranks by Order and the share of the win.

# %%
PLAY = """
import json, sys
from dwarrow import agents, envs
from dwarrow.training.evaluation import win_share
from dwarrow.training.match import Lineup, play_matches
game = envs.game("aquilon")
seats = ("greedy",) * 3
lineups = [Lineup(seed, seats) for seed in range({n_games})]
def look(states, i):
    return states["players"]["ranks"][i, :3].tolist(), [lord["points"] for lord in game.breakdown(states, i)["lords"]]
rows = play_matches(game, {{}}, lineups, {{"greedy": agents.make("greedy", game)}}, inspect=look)
json.dump([[row.extra[0], row.extra[1], [win_share(row, k) for k in range(3)]] for row in rows], sys.stdout)
"""
orders = ["Shield", "Temple", "Wanderers", "Forge", "Talion"]
lords = []
for name, pack in packs.items():
    done = python(PLAY.format(n_games=n_games), pack)
    for number, (ranks, points, wins) in enumerate(json.loads(done.stdout)):
        for seat in range(3):
            row = dict(zip(orders, ranks[seat])) | {
                f"points {o}": points[seat][o.lower()] for o in orders
            }
            lords.append({"pack": name, "game": number, "seat": seat, "win": wins[seat], **row})
lords = pd.DataFrame(lords)
print(f"{len(lords) // 3} games")

# %% [markdown]
# ## Who buys what
#
# Mean ranks of a lord's army by Order. The cards are shared out anew, none is added: what one Order gains others lose.

# %%
ranks = lords.groupby("pack", sort=False)[orders].mean()
ranks.round(2)

# %% [markdown]
# ## Which Order wins
#
# A sharper question: the lord who has *more ranks of an Order than both others*, how often does he win? A third would mean that the Order does not
# matter.

# %%
leads = []
for name, part in lords.groupby("pack", sort=False):
    for order in orders:
        best = part.groupby("game")[order].transform("max")
        top = part[part[order] == best]
        top = top[top.groupby("game")["seat"].transform("size") == 1]
        interval = wilson(top["win"].sum(), len(top))
        leads.append(
            {
                "pack": name,
                "Order": order,
                "games": len(top),
                "wins of the leader": top["win"].mean(),
                "low": interval.low,
                "high": interval.high,
            }
        )
leads = pd.DataFrame(leads)
leads.pivot(index="pack", columns="Order", values="wins of the leader").loc[
    list(packs), orders
].round(3)

# %%
figure, axis = plt.subplots(figsize=(9, 3.6))
for k, (name, part) in enumerate(leads.groupby("pack", sort=False)):
    x = [j + 0.25 * (k - (len(packs) - 1) / 2) for j in range(len(orders))]
    share = part["wins of the leader"]
    axis.bar(
        x,
        share,
        0.23,
        yerr=[share - part["low"], part["high"] - share],
        capsize=3,
        label=f"Shield track {name}",
    )
axis.axhline(1 / 3, color="black", lw=0.8, ls=":")
axis.set(
    xticks=range(len(orders)),
    xticklabels=orders,
    ylabel="wins of the lord who leads (95 %)",
    ylim=(0, 1),
)
axis.legend()
figure.tight_layout()

# %% [markdown]
# ## Where the points come from

# %%
points = lords.groupby("pack", sort=False)[[f"points {o}" for o in orders]].mean()
points.columns = orders
figure, axis = plt.subplots(figsize=(8, 2.6))
points.div(points.sum(axis=1), axis=0).plot.barh(stacked=True, ax=axis, width=0.7)
axis.set(xlabel="share of the points of all armies", ylabel="", xlim=(0, 1))
axis.legend(bbox_to_anchor=(1.01, 1), loc="upper left")
figure.tight_layout()

# %% [markdown]
# How to read it: if the bars of one Order tower over the rest, the game has one road to victory; the more level they are, the more roads.
# In the run kept here the Shield track is a strong lever. With half of it the lord who leads in Shield dwarfs loses far more than his
# share, and Temple and Forge win games; with half as much again he wins six games of ten, and little else counts. What a lord *buys* hardly
# changes, less than a rank; what it is worth does. So a stand-in value on this track weighs heavily in any result about the game.
#
# And note what the experiment does *not* say: these lords are greedy and do not outbid one another for what the others want. Whether
# better players would compete the advantage away is a question for trained agents: train one with each pack (notebook 1, in a process with
# the variable set) and look at the same figures again.
