"""The observation of the seat that is asked says all that the answer depends on."""

from collections.abc import Iterator

import numpy as np
import pytest
from the_dwarves.table import Table

from dwarrow.envs.core.kernels import JIT
from dwarrow.envs.core.record import NONE
from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import N_CARDS
from dwarrow.envs.the_dwarves.layout import (
    MAX_SEATS,
    N_SLOTS,
    Ends,
    Purpose,
    Rule,
    Turn,
    Where,
    Why,
)
from dwarrow.envs.the_dwarves.notation import MAX_EFFECTS, MAX_PARTS
from dwarrow.envs.the_dwarves.words import N_ATTRIBUTES, N_EQUIPMENT, N_TROOPS

Change = tuple[str, int]  # a number of a frame, and one more than the highest it may be
STAGES = {Rule.TURN: len(Turn), Rule.REVEAL: 4, Rule.THREAT: 3, Rule.COMPLETE: MAX_EFFECTS + 3}
CHECKS = (Purpose.CHECK, Purpose.HEALTH, Purpose.STRIKE)
TROOPS_TAKEN = (Where.TAKE_FOR_CARD, Where.TAKE_FOR_HEX, Where.REMOVE, Where.REMOVE_UP_TO)
MORE = {
    "both": {"elfar": True, "combined_might": True},
    "all finales": {"elfar": True, "combined_might": True, "finales": "all"},
    "named after": {"combined_might": True, "name_card": "after"},
}


def seen(t: Table, *seats: int) -> bytes:
    """What seats see, by default the one that is asked."""
    return b"".join(
        GAME.observe(t.states, 0, seat).tobytes() for seat in seats or (int(t.s["seat"]),)
    )


def frame(t: Table, rule: Rule):
    """The topmost frame of a rule."""
    frames = t.s["stack"][: t.s["depth"]]
    return frames[np.flatnonzero(frames["rule"] == rule)[-1]]


def meant(s, k: int) -> Iterator[Change]:
    """Numbers of frame `k` that what follows depends on, wherever the frame lies."""
    f, seats = s["stack"][k], int(s["n_seats"])
    rule, a = int(f["rule"]), int(f["a"])
    if rule in STAGES:
        yield "stage", STAGES[rule]
    if rule == Rule.THREAT:
        yield "a", N_SLOTS - 1
    elif rule == Rule.COMPLETE:
        yield "a", N_CARDS
    elif rule == Rule.ROLL and s["purpose"] in CHECKS and a != NONE:
        yield from (("a", N_SLOTS), ("b", MAX_PARTS))
    elif rule == Rule.MOVE:
        yield from (("a", 7), ("b", 2))
    elif rule in (Rule.PENALTY, Rule.SPOIL):
        yield "a", seats
    elif rule in (Rule.FIGHT, Rule.SPLIT):
        yield "a", 7
    elif rule == Rule.TROPHY:
        yield "a", N_TROOPS
    elif rule == Rule.LOSE:
        yield from (("seat", seats), ("a", 3))
    elif rule == Rule.ASSIGN:
        yield "d", N_ATTRIBUTES
    elif rule == Rule.RECRUIT and f["c"] == Ends.TO_HEX:
        yield "c", 2
    elif rule == Rule.HERO:
        extra = {Why.GIVE: N_EQUIPMENT, Why.ATTRIBUTE: N_ATTRIBUTES, Why.ATTACH: N_SLOTS}
        extra[Why.EXCHANGE_WITH] = seats
        if a in extra:
            yield "d", extra[a]
        if k == s["depth"] - 1:
            yield "b", 3
        yield "a", Why.LOSE_TWO
    elif rule == Rule.HEX:
        if a in TROOPS_TAKEN:
            yield from (("b", N_TROOPS), ("c", 5))
        if a in (Where.RELOCATE, Where.TELEPORT):
            yield "b", seats
        if a == Where.TAKE_FOR_CARD:
            yield "d", N_SLOTS
        yield "a", Where.BLIGHT


def changed(t: Table) -> Iterator[str]:
    """Change what the seat that is asked must know, one thing after another; say what it is."""
    s = t.s
    for k in range(int(s["depth"])):
        for name, n in meant(s, k):
            f = s["stack"][k]
            before = int(f[name])
            f[name] = (before + 1) % max(n, before + 1)
            if f[name] != before:
                yield f"{Rule(int(f['rule'])).name} {name}"
            f[name] = before
    for p in range(int(s["n_seats"])):
        s["pledged"][p] += 1
        yield "pledged"
        s["pledged"][p] -= 1
        for q in range(p):
            a, b = s["players"][p], s["players"][q]
            if a["hex"] != b["hex"]:
                a["hex"], b["hex"] = int(b["hex"]), int(a["hex"])
                yield "where each hero stands"
                a["hex"], b["hex"] = int(b["hex"]), int(a["hex"])
    asks = int(s["stack"][s["depth"] - 1]["rule"])
    if asks in (Rule.FIGHT, Rule.SELECT):
        s["chosen"][0] ^= 1
        yield "chosen"
        s["chosen"][0] ^= 1
    if asks in (Rule.FIGHT, Rule.SELECT, Rule.ROLL):
        s["crossbow"] ^= 1
        yield "crossbow"
        s["crossbow"] ^= 1
    if asks == Rule.ROLL:
        s["n_dice"] += 1
        yield "n_dice"
        s["n_dice"] -= 1
    for h in np.flatnonzero(s["tile"] != NONE)[:1]:
        tile, drawn = int(s["tile"][h]), int(s["tile_pile"][0])
        if s["n_pile"]:
            s["tile"][h], s["tile_pile"][0] = drawn, tile
            yield "tile"
            s["tile"][h], s["tile_pile"][0] = tile, drawn
    if s["n_spent"]:
        s["n_spent"] -= 1
        yield "equipment_discard"
        s["n_spent"] += 1
    for deck, unseen in (("equipment", "equipment_unseen"), ("spell", "spells_unseen")):
        n = int(s["n_equipment" if deck == "equipment" else "n_spells"] - s[unseen])
        cards = s[f"{deck}_deck"]
        if n > 1 and cards[0] != cards[n - 1]:
            cards[0], cards[n - 1] = int(cards[n - 1]), int(cards[0])
            yield f"{deck}_deck"
            cards[0], cards[n - 1] = int(cards[n - 1]), int(cards[0])


RARE = (Rule.SPLIT, Rule.SPOIL, Rule.TROPHY)
"""Rules that random play hardly ever sets to work."""

UNSEEN = (Rule.WINDOW, Rule.TROOP, Rule.EQUIP, Rule.PICK, Rule.SPELLS, Rule.SELECT)
"""Rules with no number of their own beside the seat that is asked, or what the action mask says."""


def test_nothing_that_a_rule_at_work_depends_on_is_hidden_from_the_seat_that_is_asked():
    met, hidden = set(), set()
    rng = np.random.default_rng(1)
    for seed in range(60 if JIT else 1):
        options = list(MORE.values())[seed % len(MORE)]
        t = Table.__new__(Table)
        t.states = GAME.new(1, seed=seed, players=2 + seed % (MAX_SEATS - 1), **options)
        t.s = t.states[0]
        while not t.s["over"]:
            before = seen(t)
            for what in changed(t):
                met.add(what)
                if seen(t) == before:
                    hidden.add(what)
            assert seen(t) == before
            GAME.step(t.states, 0, int(rng.choice(GAME.legal(t.states, 0))))
    assert hidden == set()
    if JIT:
        assert {what.split(" ")[0] for what in met} >= {
            *(rule.name for rule in Rule if rule not in (*RARE, *UNSEEN)),
            *("pledged", "where", "chosen", "crossbow", "n_dice", "tile"),
            *("equipment_discard", "spell_deck"),
        }


@pytest.mark.nojit
def test_the_points_left_of_a_move_are_seen():
    t = Table().stand(0, (0, 2)).roll(6, 1).act("move")
    before = seen(t, 0, 1)
    frame(t, Rule.MOVE)["a"] = 1
    assert seen(t, 0) != before[: len(before) // 2]
    assert seen(t, 1) != before[len(before) // 2 :]


def revealed(t: Table) -> Table:
    """Let a Scenario be revealed, so that the Threats of the display happen."""
    t._take_off(3)
    t.on_top("scenario", "Sway the Council")
    t.on_top("adventure", "Lost Siding", "Sealed Letter", "Elven Healers")
    return t.set(hero_marker=5, council=5)


THREE = ("bavragor", "gandogar", "tungdil")
ASSASSINATION = "Sinthoras' Assassination"


@pytest.mark.nojit
def test_a_window_before_a_loss_is_seen_with_who_loses_how_much():
    t = revealed(Table(*THREE).show("display 1", ASSASSINATION, attached=0).health(3, 3, 3))
    t.give(1, "Healing Herbs").end_turn().act("pass")  # the window at the start of the turn
    assert t.legal() == ["pass", "use Healing Herbs"]
    before = seen(t)
    lost = frame(t, Rule.LOSE)
    for name, value in (("seat", 1), ("a", 1)):
        kept = int(lost[name])
        lost[name] = value
        assert seen(t) != before
        lost[name] = kept


@pytest.mark.nojit
def test_a_shield_sees_for_whom():
    t = revealed(Table(*THREE).show("display 1", ASSASSINATION, attached=0))
    t.give(1, "Protective Shield").end_turn()
    assert t.legal() == ["pass", "take 1 damage", "take 2 damage"]
    before = seen(t)
    frame(t, Rule.LOSE)["seat"] = 2
    assert seen(t) != before


@pytest.mark.nojit
def test_points_pledged_and_left_are_seen():
    t = revealed(Table(*THREE).show("display 1", "Midnight Assault by the Elfar")).end_turn()
    before = seen(t)
    t.act("hero bavragor")
    assert seen(t) != before
    before = seen(t)
    t.s["pledged"][:3] = (0, 1, 0)
    assert seen(t) != before


@pytest.mark.nojit
def test_a_roll_shows_its_card_and_the_die_of_the_crossbow():
    t = Table().show("display 1", "Peddler's Commission").show("display 2", "War of Words")
    t.set(council=7).roll(1, 1, 1, 1).act("quest display 1 part 1")
    before = seen(t)
    frame(t, Rule.ROLL)["a"] = 1
    assert seen(t) != before
    t = Table("gandogar", "bavragor", combined_might=True).give(0, "Crossbow").set(council=7)
    t.put("elfar 1", "gate IV").put("orc 1", (4, -2)).act("fight")
    t.roll(1, 1, 1, 1, 6).act("use Crossbow")
    before = seen(t)
    t.s["crossbow"] = 0
    assert seen(t) != before


@pytest.mark.nojit
def test_the_card_of_a_disguise_is_seen():
    t = revealed(Table().show("display 1", "Black Omen").show("display 2", "Bislipur's Intrigue"))
    t.give(1, "Deceptive Disguise").end_turn().act("choose display 1")
    assert "use Deceptive Disguise" in t.legal()
    before = seen(t)
    frame(t, Rule.THREAT)["a"] = 1
    assert seen(t) != before


@pytest.mark.nojit
def test_three_heroes_are_told_apart_on_the_board():
    t = Table(*THREE).stand(1, (0, 2)).stand(2, (0, 3))
    before = seen(t)
    t.stand(1, (0, 3)).stand(2, (0, 2))
    assert seen(t) != before


@pytest.mark.nojit
def test_the_tunnel_tile_is_seen_where_it_has_perished():
    t = Table().set(tunnel=5)
    t.s["tile"][5], t.s["tile"][6] = t.s["tile_pile"][34:36]
    t.s["n_pile"] = 34
    before = seen(t)
    t.s["tunnel"] = 6
    assert seen(t) != before


@pytest.mark.nojit
def test_discarded_equipment_is_seen():
    t = Table()
    deck = t.s["equipment_deck"][: t.s["n_equipment"]].tolist()
    t._write("equipment_discard", "n_spent", [deck[0]])
    t._write("equipment_deck", "n_equipment", deck[1:])
    before = seen(t)
    other = next(k for k, title in enumerate(deck) if title != deck[0])
    t._write("equipment_discard", "n_spent", [deck[other]])
    t._write("equipment_deck", "n_equipment", [*deck[:other], *deck[other + 1 :]])
    assert seen(t) != before


@pytest.mark.nojit
def test_cards_known_to_lie_under_the_equipment_deck_are_seen_in_their_order():
    t = Table().set(equipment_unseen=3)
    deck = t.s["equipment_deck"]
    known = int(t.s["n_equipment"]) - 3
    assert deck[known - 1] != deck[0]
    before = seen(t)
    deck[known - 1], deck[0] = int(deck[0]), int(deck[known - 1])
    assert seen(t) != before
    before = seen(t)
    other = next(k for k in range(known, known + 3) if deck[k] != deck[known])
    deck[known], deck[other] = int(deck[other]), int(deck[known])
    assert seen(t) == before  # nobody knows the order of those above
