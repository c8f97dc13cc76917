"""Positions as text, reasons for illegal actions, and the final count rule by rule."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.aquilon import actions, scoring
from dwarrow.envs.aquilon.actions import BID_COINS
from dwarrow.envs.aquilon.cards import (
    ANY_COLUMN,
    COGNAR_COLUMN,
    COGNAR_POINTS,
    COGNARS,
    COINS,
    COMMAND,
    DWARF_ORDER,
    DWARFS,
    FIRST_GOLD,
    FIRST_MERCENARY,
    N_COGNARS,
    N_GOLD,
    N_MERCENARIES,
    N_RECRUITS,
    ORDERS,
)
from dwarrow.envs.aquilon.layout import N_PLACES, N_TAVERNS, PURSE, Phase
from dwarrow.envs.aquilon.rules.cognars import is_mercenary, mercenaries_left, svara_cards
from dwarrow.envs.aquilon.rules.coins import sort_coins
from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE

_QUESTION = {
    Phase.BID: "which coins to bid",
    Phase.TAKE: "which dwarf to take",
    Phase.UPGRADE: "which purse coin the Talion dwarf upgrades",
    Phase.DISCARD: "which dwarf to discard",
    Phase.RECRUIT: "which Cognar to recruit",
    Phase.PLACE: "in which column to place {chosen}",
    Phase.SVARA: "which of the cards Svara looks at to take",
    Phase.DERDHR: "which coin Derdhr upgrades",
    Phase.EXCHANGE: "which of two equal purse coins to discard",
    Phase.ORDO: "which of two equal coins Ordo discards",
}
TAVERN_NAMES = ("Yjdad's Tankard", "the Roasted Hog", "the Tasty Halberd")
_KINDS = (
    (actions.BID, Phase.BID),
    (actions.TAKE, Phase.TAKE),
    (actions.DISCARD, Phase.DISCARD),
    (actions.PICK, Phase.SVARA),
    (actions.RECRUIT, Phase.RECRUIT),
    (actions.PLACE, Phase.PLACE),
    (actions.UPGRADE, Phase.UPGRADE),
    (actions.GIVE_UP, Phase.EXCHANGE),
)


def _question(s: Any) -> str:
    chosen = COGNARS[int(s["chosen"])] if s["chosen"] != NONE else "the Cognar"
    return _QUESTION[Phase(int(s["phase"]))].format(chosen=chosen)


def why(states: States, i: int, action: int) -> str:
    """Return a sentence why an action is illegal in a game that is not over."""
    s = states[i]
    phase, seat = Phase(int(s["phase"])), int(s["seat"])
    asked = next(kind for first, kind in reversed(_KINDS) if action >= first)
    same = {Phase.DERDHR: Phase.UPGRADE, Phase.ORDO: Phase.EXCHANGE}.get(phase, phase)
    if asked != same:
        return f"seat {seat} decides {_question(s)}."
    if phase == Phase.BID:
        hand = s["players"][seat]["coins"]
        names = [COINS[int(hand[c])] for c in BID_COINS[action - actions.BID][:N_TAVERNS]]
        return (
            f"it lays {', '.join(names)} as another bid does; of equal coins the one listed "
            "first in hand goes to the earlier tavern."
        )
    if phase in (Phase.TAKE, Phase.DISCARD):
        return "there is no card in that slot of the tavern."
    if phase == Phase.SVARA:
        return f"Svara looks at {int(svara_cards(s))} cards."
    if phase == Phase.RECRUIT:
        return _why_not_recruit(s, action - actions.RECRUIT)
    if phase in (Phase.UPGRADE, Phase.DERDHR):
        if phase == Phase.UPGRADE and action - actions.UPGRADE < PURSE:
            return "a Talion dwarf taken with a coin that cannot rise upgrades a purse coin."
        return "the 0 is never upgraded, nor Kardum's coin unless the option allows it."
    return "there is no such choice."


def _why_not_recruit(s: Any, cognar: int) -> str:
    name, holder = COGNARS[cognar], int(s["holder"][cognar])
    if holder != NONE:
        return f"seat {holder} has {name}."
    if not is_mercenary(cognar):
        return "the partner of the mercenary just placed is due: it must be a mercenary."
    if mercenaries_left(s) < 2:
        return f"{name} is the last mercenary left."
    return f"no column lets {name} complete a line, as the first mercenary of a pair must."


# The count


def breakdown(states: States, i: int) -> dict[str, Any]:
    """Return points by rule for every seat, why the game ended, and the tie-break used."""
    s = states[i]
    n = int(s["n_seats"])
    lords = []
    for seat in range(n):
        parts = {
            "shield": scoring.shield(s, seat),
            "temple": scoring.temple(s, seat),
            "wanderers": scoring.wanderers(s, seat),
            "forge": scoring.forge(s, seat),
            "talion": scoring.talion(s, seat),
            "command": scoring.command(s, seat),
            "malts": scoring.malt(s, seat),
            "coins": scoring.coin_total(s, seat),
        }
        points = {key: int(value) for key, value in parts.items()}
        for k in range(N_MERCENARIES):
            if s["holder"][FIRST_MERCENARY + k] == seat:
                column = ORDERS[int(s["column"][k])].lower()
                points[column] += int(COGNAR_POINTS[FIRST_MERCENARY + k])
        total = sum(points.values())
        lords.append({"points": points, "total": total, "elites": int(scoring.elites(s, seat))})
    return {
        "lords": lords,
        "winners": _winners(lords) if s["over"] else [],
        "tie_break": _tie_break(lords) if s["over"] else "",
        "end_reason": "the Era 2 deck is down to its last card" if s["over"] else "",
    }


def _winners(lords: list[dict[str, Any]]) -> list[int]:
    keys = [(lord["total"], lord["elites"]) for lord in lords]
    return [seat for seat, key in enumerate(keys) if key == max(keys)]


def _tie_break(lords: list[dict[str, Any]]) -> str:
    best = max(lord["total"] for lord in lords)
    if sum(lord["total"] == best for lord in lords) == 1:
        return "none needed"
    return "most Elites" if len(_winners(lords)) == 1 else "victory shared"


# Text


def text(states: States, i: int, seat: int | None) -> str:
    """Return the position as text; with a seat, only what that seat may see.

    Coins in brackets are known to their lord alone.
    """
    s = states[i]
    n = int(s["n_seats"])
    lines = [headline(s)]
    if not s["over"]:
        lines += _taverns(s)
        looked_at = svara_seen(s, seat)
        if looked_at:
            lines.append("Svara looks at: " + _listed([DWARFS[c] for c in looked_at]))
        lines.append(_treasury(s))
        left = [COGNARS[c] for c in range(N_RECRUITS) if s["holder"][c] == NONE]
        lines.append("Cognars: " + (", ".join(left) or "none left"))
        lines.append(
            f"decks: Era 1 {int(s['decks'][0]['left'])}, Era 2 {int(s['decks'][1]['left'])}"
        )
    for other in range(n):
        lines += _lord(s, other, seat)
    return "\n".join(lines)


def svara_seen(s: Any, seat: int | None) -> list[int]:
    """Return the cards that Svara looks at now, if `seat` may see them."""
    if s["phase"] != Phase.SVARA or seat not in (None, int(s["seat"])):
        return []
    deck = s["decks"][1]
    top = int(deck["left"])
    return [int(deck["cards"][top - 1 - k]) for k in range(int(svara_cards(s)))]


def headline(s: Any) -> str:
    """Return when it is, and who decides what."""
    if s["over"]:
        return "Dwarves of Aquilon: the game is over"
    where = f"Dwarves of Aquilon: Era {int(s['era']) + 1}, turn {int(s['turn']) + 1}"
    if s["phase"] not in (Phase.BID, Phase.ORDO):
        where += f", {TAVERN_NAMES[int(s['tavern'])]}"
        order = " ".join(str(int(k)) for k in s["order"][: int(s["n_seats"])])
        where += f", order {order}"
    return f"{where}; seat {int(s['seat'])} decides {_question(s)}"


def _listed(names: list[str]) -> str:
    return "  ".join(f"[{k}] {name}" for k, name in enumerate(names)) or "empty"


def _taverns(s: Any) -> list[str]:
    lines = []
    for tavern in range(N_TAVERNS):
        cards = [
            f"[{slot}] {DWARFS[int(card)]}"
            for slot, card in enumerate(s["taverns"][tavern])
            if card != NONE
        ]
        lines.append(f"tavern {tavern}: " + ("  ".join(cards) or "empty"))
    return lines


def _treasury(s: Any) -> str:
    stock = [
        COINS[FIRST_GOLD + k].removeprefix("gold ")
        + (f"x{int(s['treasury'][k])}" if s["treasury"][k] > 1 else "")
        for k in range(N_GOLD)
        if s["treasury"][k]
    ]
    return "treasury: " + " ".join(stock)


def coins_seen(s: Any, other: int, seat: int | None) -> tuple[list[str], list[str]]:
    """Return a lord's coins: all of them, rising, and, once laid, what `seat` knows lies where.

    A coin that lies face down is "?", or stands in brackets if only its lord knows it.
    """
    me = s["players"][other]
    hand = me["coins"].copy()
    sort_coins(hand)
    held = [COINS[int(c)] for c in hand]
    if s["phase"] in (Phase.OVER, Phase.ORDO) or (s["phase"] == Phase.BID and other >= s["seat"]):
        return held, []
    laid = []
    for place in range(N_PLACES):
        known = bool(me["known"][place])
        coin = COINS[int(me["coins"][place])] if known or seat in (None, other) else "?"
        laid.append(coin if known or coin == "?" else f"({coin})")
    return held, laid


def _coins(s: Any, other: int, seat: int | None) -> str:
    held, laid = coins_seen(s, other, seat)
    if not laid:
        return f"coins {' '.join(held)}"
    return f"coins {' '.join(held)}; laid {' '.join(laid[:PURSE])}, purse {' '.join(laid[PURSE:])}"


def _lord(s: Any, other: int, seat: int | None) -> list[str]:
    me = s["players"][other]
    lines = [
        f"seat {other}: gem {int(me['gem'])}, {_coins(s, other, seat)}, "
        f"Bravery {int(scoring.bravery(s, other))}"
    ]
    cognars = [c for c in range(N_COGNARS) if s["holder"][c] == other]
    for order in range(len(ORDERS)):
        names = [DWARFS[int(c)] for c in me["army"][: int(me["n_army"])] if DWARF_ORDER[c] == order]
        names += [COGNARS[c] for c in cognars if column_of(s, c) == order]
        if names:
            lines.append(f"  {ORDERS[order]} {int(me['ranks'][order])}: {', '.join(names)}")
    zone = [COGNARS[c] for c in cognars if column_of(s, c) == COMMAND]
    if zone:
        lines.append(f"  Command zone: {', '.join(zone)}")
    if me["n_covered"]:
        covered = ", ".join(str(int(v)) for v in me["covered"][: int(me["n_covered"])])
        lines.append(f"  covered by Pariah tokens: {covered}")
    return lines


def column_of(s: Any, cognar: int) -> int:
    """Return the column in which a recruited Cognar stands; `COMMAND` is the Command zone."""
    if COGNAR_COLUMN[cognar] == ANY_COLUMN:
        return int(s["column"][cognar - FIRST_MERCENARY])
    return int(COGNAR_COLUMN[cognar])
