"""Equipment: drawing, owning, discarding; and Andokai's spells as cards."""

from __future__ import annotations

from dwarrow.envs.core.kernels import kernel, part
from dwarrow.envs.core.record import NONE, Ints, Stream
from dwarrow.envs.core.rng import shuffle
from dwarrow.envs.the_dwarves.actions import TAKE
from dwarrow.envs.the_dwarves.cards import EQUIPMENT_HEALTH, SPELL_AMOUNT
from dwarrow.envs.the_dwarves.layout import HAND_LIMIT, NIL, Phase, Rule, State, Why
from dwarrow.envs.the_dwarves.rules.choices import choose_hero
from dwarrow.envs.the_dwarves.rules.lookup import max_health
from dwarrow.envs.the_dwarves.rules.stack import ask, pop, push, seats, wide
from dwarrow.envs.the_dwarves.words import N_EQUIPMENT, N_SPELLS, Equipment, Spell


@kernel
def owns(s: State, seat: int, title: int) -> bool:
    """Return whether a hero owns an Equipment card."""
    return bool(s.players[seat].equipment[title] == 1)


@kernel
def heroes_without(s: State, title: int) -> int:
    """Return the set of heroes who may be given a title: no hero owns two of one.

    Rule: equipment_cards (p. 15).
    """
    found = 0
    for p in range(seats(s)):
        if not owns(s, p, title):
            found |= 1 << p
    return found


@kernel
def equip(s: State, seat: int, title: int) -> None:
    """Give an Equipment card to a hero; hearts it shows come full."""
    s.players[seat].equipment[title] = 1
    s.players[seat].health += EQUIPMENT_HEALTH[title]


@kernel
def put_under(cards: Ints, n: int, card: int) -> None:
    """Put a card under the `n` cards of a deck, written in place."""
    for k in range(n, 0, -1):
        cards[k] = cards[k - 1]
    cards[0] = card


@kernel
def spend(s: State, seat: int, title: int) -> None:
    """Discard an Equipment card; the Spell Book goes under the spells, and hearts are adjusted.

    Rule: attribute_tiles (p. 16).
    """
    s.players[seat].equipment[title] = 0
    if title == Equipment.SPELL_BOOK:
        return_spell(s, wide(Spell.SPELL_BOOK.value))
        trim_hand(s, seat)
        return
    s.equipment_discard[s.n_spent] = title
    s.n_spent += 1
    s.players[seat].health = min(s.players[seat].health, max_health(s, seat))


@kernel
def reshuffle_equipment(s: State) -> None:
    """Make the discarded Equipment the new deck if the deck has run out.

    Rule: equipment_deck (p. 5).
    """
    if s.n_equipment == 0 and s.n_spent > 0:
        for k in range(s.n_spent):
            s.equipment_deck[k] = s.equipment_discard[k]
            s.equipment_discard[k] = NONE
        s.n_equipment = s.n_spent
        s.n_spent = 0
        shuffle_equipment(s)


@kernel
def shuffle_equipment(s: State) -> None:
    """Shuffle the Equipment deck: nobody knows its order any more."""
    shuffle(s, Stream.DECK, s.equipment_deck[:], wide(s.n_equipment))
    s.equipment_unseen = s.n_equipment


@kernel
def draw_title(s: State) -> int:
    """Draw the top Equipment card; NONE if there is none."""
    reshuffle_equipment(s)
    if s.n_equipment == 0:
        return NONE
    s.n_equipment -= 1
    s.equipment_unseen = max(0, s.equipment_unseen - 1)
    title = wide(s.equipment_deck[s.n_equipment])
    s.equipment_deck[s.n_equipment] = NONE
    return title


@kernel
def put_title_under(s: State, title: int) -> None:
    """Put an Equipment card face down under its deck."""
    put_under(s.equipment_deck[:], wide(s.n_equipment), title)
    s.n_equipment += 1


@kernel
def draw_equipment(s: State, heroes: int) -> None:
    """Draw Equipment for one of `heroes`; a card that none of them may have goes under the deck.

    Rule: equipment_cards (p. 15). Ruling: R48.
    """
    reshuffle_equipment(s)
    for _ in range(wide(s.n_equipment)):
        title = draw_title(s)
        takers = heroes & heroes_without(s, title)
        if takers:
            choose_hero(s, Why.GIVE, NIL, takers, title)
            return
        put_title_under(s, title)


@kernel
def run_equip(s: State) -> None:
    """Draw Equipment for one of the heroes in c of the frame."""
    heroes = wide(s.stack[s.depth - 1].c)
    pop(s)
    draw_equipment(s, heroes)


@part
def draw_to_pick(s: State, number: int) -> None:
    """Draw several Equipment cards to keep one of them.

    Rule: pick_equipment (p. 5).
    """
    for _ in range(number):
        title = draw_title(s)
        if title != NONE:
            s.drawn[s.n_drawn] = title
            s.n_drawn += 1
    push(s, Rule.PICK, s.active)


@kernel
def may_pick(s: State, title: int, searching: bool) -> bool:
    """Return whether this title can be kept: it is there, and some hero lacks it."""
    if heroes_without(s, title) == 0 or title == Equipment.SPELL_BOOK:
        return False
    if searching:
        for k in range(s.n_equipment):
            if s.equipment_deck[k] == title:
                return True
    for k in range(s.n_drawn):  # noqa: SIM110
        if s.drawn[k] == title:
            return True
    return False


@kernel
def run_pick(s: State) -> None:
    """Ask which of the drawn cards (or, a = 1, of the whole deck) to keep, if any can be."""
    f = s.stack[s.depth - 1]
    if f.a == 1:
        reshuffle_equipment(s)
    for title in range(N_EQUIPMENT):
        if may_pick(s, title, f.a == 1):
            ask(s, Phase.EQUIPMENT, f.seat)
            return
    end_pick(s, NONE)


@kernel
def end_pick(s: State, title: int) -> None:
    """Keep one card and give it away; the others go under the deck, or it is shuffled.

    Rule: pick_equipment (p. 5).
    """
    searching = s.stack[s.depth - 1].a == 1
    pop(s)
    taken = title == NONE
    if searching:
        for k in range(s.n_equipment):
            if not taken and s.equipment_deck[k] == title:
                taken = True
                s.n_equipment -= 1
                s.equipment_deck[k] = s.equipment_deck[s.n_equipment]
                s.equipment_deck[s.n_equipment] = NONE
        shuffle_equipment(s)
    for k in range(s.n_drawn):
        if not taken and s.drawn[k] == title:
            taken = True
        else:
            put_title_under(s, wide(s.drawn[k]))
        s.drawn[k] = NONE
    s.n_drawn = 0
    if title != NONE:
        choose_hero(s, Why.GIVE, NIL, heroes_without(s, title), title)


@part
def heroes_with_equipment(s: State) -> int:
    """Return the set of heroes who own any Equipment."""
    found = 0
    for p in range(seats(s)):
        for title in range(N_EQUIPMENT):
            if owns(s, p, title):
                found |= 1 << p
    return found


@kernel
def run_spoil(s: State) -> None:
    """Ask which Equipment of the chosen hero (frame: a) is discarded; one alone goes at once."""
    f = s.stack[s.depth - 1]
    only = NONE
    for title in range(N_EQUIPMENT):
        if owns(s, wide(f.a), title):
            if only != NONE:
                ask(s, Phase.EQUIPMENT, f.seat)
                return
            only = title
    end_spoil(s, only)


@kernel
def end_spoil(s: State, title: int) -> None:
    """Discard the chosen Equipment."""
    seat = wide(s.stack[s.depth - 1].a)
    pop(s)
    spend(s, seat, title)


@kernel
def answer_equipment(s: State, action: int) -> None:
    """Take the answer to "which Equipment card": one to keep, or one to discard."""
    if s.stack[s.depth - 1].rule == Rule.PICK:
        end_pick(s, action - TAKE)
    else:
        end_spoil(s, action - TAKE)


# Spells


@kernel
def hand_size(s: State) -> int:
    """Return the number of spells in Andokai's hand."""
    count = 0
    for spell in range(N_SPELLS):
        count += s.hand[spell]
    return count


@kernel
def hand_limit(s: State, seat: int) -> int:
    """Return how many spells Andokai may hold.

    Rule: spells (p. 15).
    """
    if owns(s, seat, Equipment.SPELL_BOOK):
        return wide(SPELL_AMOUNT[Spell.SPELL_BOOK])
    return HAND_LIMIT


@kernel
def return_spell(s: State, spell: int) -> None:
    """Put a spell face down under the spell deck, from where it can be drawn again."""
    s.hand[spell] = 0
    put_under(s.spell_deck[:], wide(s.n_spells), spell)
    s.n_spells += 1


@part
def draw_spell(s: State, seat: int) -> None:
    """Draw a spell; the Spell Book is laid out as equipment, the hand is kept to its limit.

    Rule: spells (p. 15).
    """
    s.n_spells -= 1
    s.spells_unseen = max(0, s.spells_unseen - 1)
    spell = wide(s.spell_deck[s.n_spells])
    s.spell_deck[s.n_spells] = NONE
    if spell == Spell.SPELL_BOOK:
        equip(s, seat, Equipment.SPELL_BOOK)
    else:
        s.hand[spell] = 1
        trim_hand(s, seat)


@kernel
def trim_hand(s: State, seat: int) -> None:
    """Let Andokai return spells if there are too many in hand."""
    if hand_size(s) > hand_limit(s, seat):
        push(s, Rule.SPELLS, seat)


@kernel
def run_spells(s: State) -> None:
    """Ask for spells to return until the hand fits."""
    f = s.stack[s.depth - 1]
    if hand_size(s) > hand_limit(s, wide(f.seat)):
        ask(s, Phase.SPELLS, f.seat)
    else:
        pop(s)
