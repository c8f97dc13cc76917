"""A position as text; why an action is illegal; why a game ended."""

from __future__ import annotations

from typing import Any

from dwarrow.envs.core.kernels import States
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves import actions as act
from dwarrow.envs.the_dwarves.board import DIRECTIONS, GATES, ICONS, LOCATIONS, N_HEXES
from dwarrow.envs.the_dwarves.cards import (
    BOXES,
    CARD_TITLES,
    COUNCIL_STEP,
    EQUIPMENT_TITLES,
    HERO_NAMES,
    LEVELS,
    MAP,
    SPELL_NAMES,
    TRACK,
)
from dwarrow.envs.the_dwarves.layout import N_SLOTS, End, Phase, Purpose
from dwarrow.envs.the_dwarves.rules.army import tile_direction
from dwarrow.envs.the_dwarves.rules.lookup import attribute, is_held, max_health
from dwarrow.envs.the_dwarves.words import Attribute, Box, Troop

END_REASONS = {
    End.NOT_YET: "",
    End.WON: "a level C Scenario was completed: the heroes win",
    End.MARKERS_MET: "the Hero and the Doom marker met: the heroes lose",
    End.HERO_DIED: "a hero died: the heroes lose",
    End.NO_FINALE: "no level C Scenario could be revealed: the heroes lose",
}

QUESTIONS = {
    Phase.ACTION: "an action is to be chosen",
    Phase.STEP: "the next step of a move is to be chosen",
    Phase.PENALTY: "the price of entering Perished Land is to be paid",
    Phase.PREPARE: "dice may be added to a roll",
    Phase.DICE: "a roll may be changed",
    Phase.SELECT: "dice are being picked to be re-rolled",
    Phase.ASSIGN: "a card for the successes is to be named",
    Phase.ALLOCATE: "a hit is to be allocated",
    Phase.EXTRA_TROOP: "Narmora may remove one more troop",
    Phase.TROPHY: "a card for the defeated troop is to be chosen",
    Phase.WINDOW: "cards may be played",
    Phase.DRUMS: "a Recruitment die may be set to its lowest face",
    Phase.HERO: "a hero is to be chosen",
    Phase.HEX: "a hex is to be chosen",
    Phase.TROOP: "a Recruitment die is to be chosen",
    Phase.THREAT: "the Threat to be resolved next is to be chosen",
    Phase.DISCARD_THREAT: "a Threat may be discarded",
    Phase.EQUIPMENT: "an Equipment card is to be chosen",
    Phase.SHIELD: "damage may be taken with the Protective Shield",
    Phase.DISGUISE: "a Threat may be cancelled with the Deceptive Disguise",
    Phase.SPELLS: "spells are to be returned",
    Phase.OVER: "the game is over",
}


def breakdown(states: States, i: int) -> dict[str, Any]:
    """Return what was achieved and why the game ended, JSON-ready."""
    s: Any = states[i]
    cards = [CARD_TITLES[c] for c in s["completed"][: s["n_completed"]]]
    fallen = int(s["fallen"])
    reason = END_REASONS[End(int(s["end"]))]
    return {
        "end": End(int(s["end"])).name.lower(),
        "end_reason": reason,
        "fallen_hero": None if fallen == NONE else hero_name(s, fallen),
        "scenarios_completed": len(cards),
        "scenarios": cards,
        "scenarios_left": int(s["n_scenario"]),
        "turns": int(s["turn"]),
        "spaces_between_the_markers": int(s["doom_marker"] - s["hero_marker"]),
        "perished_hexes": int((s["tile"] != NONE).sum()),
        "tie_break": None,
    }


def hero_name(s: Any, seat: int) -> str:
    """Return the name of the hero in a seat."""
    return str(HERO_NAMES[s["players"][seat]["hero"]])


def hex_name(h: int) -> str:
    """Return a hex by its coordinates and what is printed there."""
    q, r = MAP.axial[h].tolist()
    name = f"({q}, {r})"
    if MAP.location[h] != NONE:
        name += f" {LOCATIONS[MAP.location[h]]}"
    if MAP.gate_at[h] != NONE:
        name += f" gate {GATES[MAP.gate_at[h]]}"
    return name


def troop_text(troops: Any) -> str:
    """Return troops as ``2 orc 1 elfar``."""
    return " ".join(f"{n} {t.name.lower()}" for t, n in zip(Troop, troops, strict=True) if n)


def text(states: States, i: int, seat: int | None) -> str:
    """Return the position as text; deck orders only to the omniscient."""
    s: Any = states[i]
    lines = [headline(s), _track_line(s), _council_line(s)]
    lines += [_hero_line(s, p) for p in range(s["n_seats"])]
    lines += [_slot_line(s, j) for j in range(N_SLOTS) if s["slots"][j]["card"] != NONE]
    lines += _map_lines(s)
    lines.append(f"supply: {troop_text(s['supply']) or 'empty'}")
    lines.append(
        f"decks: {s['n_scenario']} scenario, {s['n_adventure']} adventure, {s['n_threat']} threat, "
        f"{s['n_equipment']} equipment; {s['n_pile']} tiles"
    )
    if s["hand"].any():
        spells = [name for name, n in zip(SPELL_NAMES, s["hand"], strict=True) if n]
        lines.append(f"spells in hand: {', '.join(spells)}")
    if seat is None:
        for deck, n in (("scenario", "n_scenario"), ("adventure", "n_adventure")):
            cards = [CARD_TITLES[c] for c in s[f"{deck}_deck"][: s[n]][::-1]]
            lines.append(f"{deck} deck from the top: {'; '.join(cards)}")
    lines.append(question_line(s))
    return "\n".join(lines)


def headline(s: Any) -> str:
    """Return difficulty, books, turn and progress."""
    options = s["options"]
    books = [name for name in ("elfar", "combined_might") if options[name]]
    with_books = f", with {' and '.join(books)}" if books else ""
    return (
        f"The Dwarves, {LEVELS[options['difficulty']]}{with_books}: turn {s['turn']}, "
        f"{s['n_completed']} scenarios completed"
    )


def _track_line(s: Any) -> str:
    hero, doom = int(s["hero_marker"]), int(s["doom_marker"])
    ahead = [ICONS[TRACK[k]] for k in range(hero + 1, min(hero + 5, doom, len(TRACK)))]
    return f"doom track: hero {hero}, doom {doom}; ahead: {', '.join(ahead) or 'nothing'}"


def _council_line(s: Any) -> str:
    box = int(s["council"])
    step = f"; next step {COUNCIL_STEP[box]}+" if box != Box.EQUIPMENT else ""
    return f"council: {BOXES[box]} ({box - Box.AXE:+d}){step}"


def _hero_line(s: Any, p: int) -> str:
    player = s["players"][p]
    values = "/".join(str(attribute(s, p, a.value)) for a in Attribute)
    owned = [t for t, n in zip(EQUIPMENT_TITLES, player["equipment"], strict=True) if n]
    notes = [*owned]
    if player["carries"]:
        notes.append("carries a marker")
    if is_held(s, p):
        notes.append("held")
    turn = " *" if p == s["active"] else ""
    extra = f"; {', '.join(notes)}" if notes else ""
    return (
        f"{hero_name(s, p)}{turn}: {hex_name(player['hex'])}, health {player['health']}/"
        f"{max_health(s, p)}, battle/craft/speed {values}{extra}"
    )


def _slot_line(s: Any, j: int) -> str:
    slot = s["slots"][j]
    notes = []
    if slot["troops"].any():
        notes.append(troop_text(slot["troops"]))
    counts = ("trophies", "markers", "carried_over")
    notes += [f"{slot[name]} {name.replace('_', ' ')}" for name in counts if slot[name]]
    if slot["hits"].any():
        notes.append(f"successes {slot['hits'].tolist()}")
    if slot["done"].any():
        notes.append(f"done {slot['done'].tolist()}")
    if slot["attached"] != NONE:
        notes.append(f"with {hero_name(s, slot['attached'])}")
    extra = f": {'; '.join(notes)}" if notes else ""
    return f"{act.SLOT_NAMES[j]}: {CARD_TITLES[slot['card']]}{extra}"


def _map_lines(s: Any) -> list[str]:
    lines = []
    for h in range(N_HEXES):
        notes = []
        if s["tile"][h] != NONE:
            notes.append(f"perished, arrow {DIRECTIONS[tile_direction(s, h)]}")
        if s["troops"][h].any():
            notes.append(troop_text(s["troops"][h]))
        if s["tunnel"] == h:
            notes.append("portal" if s["options"]["elfar"] else "tunnel tile")
        markers = int((s["marker_hex"] == h).sum())
        if markers:
            notes.append(f"{markers} markers")
        if notes:
            lines.append(f"  {hex_name(h)}: {', '.join(notes)}")
    return lines


def question_line(s: Any) -> str:
    """Return what is asked of which hero, with the dice if it is about dice, or how it ended."""
    if s["over"]:
        return END_REASONS[End(int(s["end"]))]
    asked = f"{hero_name(s, s['seat'])}: {QUESTIONS[Phase(int(s['phase']))]}"
    if s["phase"] in (Phase.DICE, Phase.SELECT, Phase.ALLOCATE):
        dice = s["dice"][: s["n_dice"]].tolist()
        asked += f"; {Purpose(int(s['purpose'])).name.lower()} dice {dice}"
    return asked


def why(states: States, i: int, action: int) -> str:
    """Return in a sentence why an action is illegal now."""
    s: Any = states[i]
    question = f"{QUESTIONS[Phase(int(s['phase']))]}."
    if s["phase"] != Phase.ACTION:
        return question
    return _ACTION_REASONS.get(_family(action), question)


_FAMILIES = (
    (act.PASS, "pass"),
    (act.MOVE, "move"),
    (act.FIGHT, "fight"),
    (act.DISPATCHES, "dispatches"),
    (act.DRAW_EQUIPMENT, "equipment"),
    (act.DRAW_SPELL, "spell"),
    (act.QUEST, "quest"),
    (act.CHECK, "check"),
    (act.HEX, "hex"),
)
_ACTION_REASONS = {
    "move": "no action is left, or a Threat holds this hero.",
    "fight": "no action is left, or there are no troops this hero could fight.",
    "dispatches": "no action is left, or the Council marker is on its rightmost box.",
    "equipment": "no action is left, or neither the council's box nor an ability allows it.",
    "spell": "no action is left, this hero casts no spells, or none is left.",
    "quest": "no action is left, or no part of that card can be rolled for by this hero here.",
    "check": "no action is left, or no card here asks for that; name_card decides how it is named.",
}


def _family(action: int) -> str:
    found = ""
    for first, name in _FAMILIES:
        if action >= first:
            found = name
    return found
