"""The turn: council boxes, actions, moving, fighting, dispatches, checks."""

from the_dwarves.table import Table, at

from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import BOOK_OF, CARD_TITLES, DECK_OF, N_CARDS
from dwarrow.envs.the_dwarves.layout import Phase
from dwarrow.envs.the_dwarves.words import Book, Deck

# Council


def test_on_the_leftmost_box_doom_advances_at_the_beginning_of_each_turn():
    t = Table().set(council=0, hero_marker=5)
    t.end_turn()
    assert t.s["doom_marker"] == 41


def test_blank_recruitment_dice_are_rolled_again_on_the_second_box():
    t = Table().set(council=1, hero_marker=3)
    t.recruit(0, 1, 0).recruit(3, None, 0)
    t.end_turn()
    assert t.troops("gate V") == [3, 1, 0]
    assert t.used_up


def test_the_highest_number_die_is_rolled_again_on_the_third_box():
    t = Table().set(council=2).roll(6, 2, 3, 1, 2)  # four craft dice, the 6 becomes a 2
    t.act("send dispatches")
    assert t.council == -2
    assert t.used_up


def test_one_die_may_be_rolled_again_on_the_eighth_box():
    t = Table().set(council=7).roll(1, 1, 2, 3).roll(6)
    t.act("send dispatches")
    assert "re-roll die 1" in t.legal()
    t.act("re-roll die 1")
    assert t.council == 4
    assert t.used_up


def test_the_reroll_may_be_declined():
    t = Table().set(council=7).roll(1, 1, 2, 3)
    t.act("send dispatches", "pass")
    assert t.council == 3


def test_revealing_a_threat_costs_or_brings_a_heart_next_to_the_axe():
    for box, health in ((3, 2), (5, 4)):
        t = Table().set(council=box, hero_marker=7).health(3, 4).recruit(0, 0, 0)
        t.show("display 1", "Sealed Letter").show("display 2", "Elven Healers")
        t.on_top("adventure", "Black Omen")
        t.act("pass", "pass")
        if box == 3:
            assert "hero bavragor" in t.legal()
            t.act("hero bavragor")
        assert t.hero(0)["health"] == health
        assert t.shown("display 3") == "Black Omen"


def test_completing_an_adventure_may_discard_a_threat_on_the_seventh_box():
    t = (
        Table("gandogar", "bavragor")
        .set(council=6)
        .stand(0, (-2, 2))
        .show("display 1", "Backstage Supplies")
    )
    t.show("display 2", "Black Omen").show("display 3", "Creeping Blight")
    t.next_equipment("War Axe").roll(1, 2, 3)
    t.act("move").walk("Mifurdania").act("hero gandogar")
    assert t.legal() == ["pass", "choose display 2", "choose display 3"]
    t.act("choose display 3")
    assert t.shown("display 3") is None
    assert "Creeping Blight" in t.discarded


def test_the_rightmost_box_allows_a_craft_check_for_equipment():
    t = Table().set(council=8).next_equipment("Comfortable Boots").roll(4, 4, 4, 1)
    t.act("check for equipment", "hero gandogar")
    assert t.owned(1) == ["Comfortable Boots"]
    assert t.owned(0) == []
    assert "send dispatches" not in t.legal()


def test_a_failed_craft_check_for_equipment_brings_nothing():
    t = Table().set(council=8).roll(3, 3, 2, 1)
    t.act("check for equipment")
    assert t.owned(0) == t.owned(1) == []


# Dispatches: the rulebook's example


def test_dispatches_need_the_number_right_of_the_marker_and_move_one_step_only():
    t = Table().roll(6, 5, 2, 1)
    t.act("send dispatches")
    assert t.council == 1
    assert t.s["actions_left"] == 1


def test_dispatches_fail_below_the_number():
    t = Table().roll(4, 4, 2, 1)
    t.act("send dispatches")
    assert t.council == 0


# Moving: the rulebook's example of Perished Land


def test_a_move_ends_at_troops_and_each_perished_hex_has_its_price():
    t = (
        Table("gandogar", "bavragor")
        .stand(0, (0, 3))
        .perish((0, 2), (0, 1))
        .put("orc 1", "Blacksaddle")
    )
    t.roll(5, 2, 1).act("move").walk((0, 2))
    assert t.legal() == ["lose health", "advance doom"]
    t.act("lose health").walk((0, 1)).act("advance doom").walk((0, 0))
    assert t.hero(0)["health"] == 3
    assert t.s["doom_marker"] == 41
    assert t.s["phase"] == 1  # the move has ended: three of five points used
    t.roll(1, 1, 2).act("move").walk((0, -1))  # leaving the hex later is free
    assert t.where(0) == (0, -1)


def test_starting_on_perished_land_costs_nothing():
    t = Table("gandogar", "bavragor").stand(0, (0, 3)).perish((0, 3)).roll(2, 1, 1)
    t.act("move").walk((0, 2), (0, 1))
    assert t.hero(0)["health"] == 4
    assert t.s["doom_marker"] == 42


def test_a_move_may_stop_early():
    t = Table().stand(0, (0, 3)).roll(6, 1).act("move").walk((0, 2)).act("pass")
    assert t.where(0) == (0, 2)
    assert t.s["phase"] == 1


def test_dying_ends_the_game():
    t = Table("gandogar", "bavragor").stand(0, (0, 3)).perish((0, 2)).health(1, 4).roll(3, 1, 1)
    t.act("move").walk((0, 2)).act("lose health")
    assert t.s["over"] == 1
    assert t.s["end"] == 3
    assert t.s["fallen"] == 0


def test_tunnels_lead_from_entrance_to_entrance_for_one_point_each():
    t = Table().stand(0, (-3, 0)).roll(3, 1).act("move").walk((-3, -1), (4, -2), (4, -1))
    assert t.where(0) == (4, -1)
    assert t.s["phase"] == 1


def test_a_perished_entrance_gives_no_access():
    t = Table().stand(0, (-3, -1)).perish((4, -2)).roll(3, 1).act("move")
    assert "hex 4 -2" not in t.legal()
    assert "hex 1 -4" in t.legal()
    t = Table().stand(0, (-3, -1)).perish((-3, -1)).roll(3, 1).act("move")
    assert "hex 1 -4" not in t.legal()


def test_the_tunnel_tile_is_an_entrance():
    t = Table().set(tunnel=at((0, 2))).stand(0, (-3, -1)).roll(3, 1).act("move").walk((0, 2))
    assert t.where(0) == (0, 2)


def test_troops_at_the_other_entrance_end_the_move():
    t = Table().stand(0, (-3, -1)).put("orc 1", (4, -2)).roll(3, 1).act("move").walk((4, -2))
    assert t.s["phase"] == 1


# Fighting: the rulebook's example


def test_a_six_hits_any_troop_a_five_no_elf_a_four_orcs_only():
    t = Table("narmora", "bavragor").stand(0, (0, 2)).put("orc 1, elfar 1, troll 1", (0, 2))
    t.roll(6, 4, 4, 2).act("fight")
    assert t.legal() == ["defeat orc here", "defeat troll here", "defeat elfar here"]
    t.act("defeat elfar here")  # the first 4 hits the only orc, the second has no target
    assert t.troops((0, 2)) == [0, 1, 0]
    t.act("choose troll")  # Narmora's own
    assert t.troops((0, 2)) == [0, 0, 0]
    assert t.hero(0)["health"] == 3


def test_who_defeats_nobody_loses_a_heart():
    t = Table().stand(0, (0, 2)).put("elfar 1", (0, 2)).roll(5, 5, 3).act("fight")
    assert t.hero(0)["health"] == 3
    assert t.troops((0, 2)) == [0, 0, 1]


def test_without_troops_there_is_nothing_to_fight():
    assert "fight" not in Table().stand(0, (0, 2)).legal()


def test_troops_on_a_card_and_in_its_hex_are_fought_together():
    t = Table().stand(0, "Roodacre").show("display 1", "Marauders at Roodacre")
    t.put("troll 1", "Roodacre").next_equipment("War Axe").roll(5, 5, 4).act("fight")
    assert t.legal() == [
        "defeat troll here",
        "defeat orc on display 1",
        "defeat troll on display 1",
    ]
    t.act("defeat troll here")
    assert t.legal() == ["defeat orc on display 1", "defeat troll on display 1"]
    t.act("defeat troll on display 1")  # the four then takes one of the orcs
    assert t.card("display 1")["troops"].tolist() == [1, 0, 0]
    t.set(actions_left=2).roll(1, 1, 4).act("fight", "hero bavragor")
    assert t.shown("display 1") is None
    assert t.owned(0) == ["War Axe"]


def test_troops_on_cards_do_not_end_a_move():
    t = Table().stand(0, (2, -2)).show("display 1", "Marauders at Roodacre").roll(3, 1)
    t.act("move").walk("Roodacre", (2, -4))
    assert t.where(0) == (2, -4)


# Checks: the rulebook's example


def test_partial_checks_count_within_a_turn_and_excess_is_lost():
    t = Table().show("display 1", "Peddler's Commission").next_equipment("War Axe")
    t.roll(4, 6, 1, 2).act("quest display 1 part 1")
    assert t.card("display 1")["hits"][0] == 2
    t.roll(5, 5, 6, 1).act("quest display 1 part 1", "hero bavragor")
    assert t.owned(0) == ["War Axe"]
    assert t.discarded[-1] == "Peddler's Commission"


def test_partial_checks_are_forgotten_at_the_end_of_the_turn():
    t = Table().set(hero_marker=5).show("display 1", "Peddler's Commission")
    t.roll(4, 6, 1, 2).act("quest display 1 part 1")
    t.roll(1, 1, 1, 1).act("send dispatches")
    assert t.s["active"] == 1
    assert t.card("display 1")["hits"][0] == 0


def test_the_successes_of_one_action_go_to_one_card():
    t = Table().show("display 1", "Peddler's Commission").show("display 2", "A Masterpiece")
    t.roll(6, 6, 1, 1).act("quest display 1 part 1")
    assert t.shown("display 2") == "A Masterpiece"
    assert t.card("display 2")["hits"][0] == 0


def test_the_card_may_be_named_after_the_roll_by_option():
    t = Table(name_card="after").show("display 1", "Peddler's Commission")
    t.show("display 2", "A Masterpiece").roll(6, 6, 1, 1).act("check craft")
    assert t.legal() == ["quest display 1 part 1", "quest display 2 part 1"]
    t.act("quest display 2 part 1")
    assert t.hero(0)["bonus"].tolist() == [0, 1, 0]


def test_passing_gives_up_one_action_and_the_next_hero_follows():
    t = Table().set(hero_marker=5).act("pass")
    assert (t.s["active"], t.s["actions_left"]) == (0, 1)
    t.act("pass")
    assert (t.s["active"], t.s["actions_left"], t.s["seat"]) == (1, 2, 1)
    assert t.s["hero_marker"] == 6


def test_a_move_of_a_held_hero_is_illegal_and_explained():
    t = Table().show("display 1", "Elfar Ambush", attached=0)
    assert "move" not in t.legal()
    said = GAME.explain(t.states, 0, GAME.action_id("move"))
    assert "a Threat holds this hero" in said


def test_an_exhausted_adventure_deck_is_made_of_the_discards():
    t = Table().set(hero_marker=5)
    cards = t.s["adventure_deck"][: t.s["n_adventure"]].tolist()
    adventures = [c for c in cards if DECK_OF[c] == Deck.ADVENTURE]
    t._write("adventure_deck", "n_adventure", [])
    t._write("discard", "n_discard", adventures)
    t._write("threat_deck", "n_threat", [c for c in range(N_CARDS) if is_base_threat(c)])
    t.act("pass", "pass")
    assert t.s["n_discard"] == 0
    assert t.s["n_adventure"] == len(adventures) - 3


def is_base_threat(card):
    return DECK_OF[card] == Deck.THREAT and BOOK_OF[card] == Book.BASE


def test_a_threat_icon_on_an_exhausted_adventure_deck_shuffles_the_discards_in():
    t = Table().set(hero_marker=2)
    discards = t.s["adventure_deck"][: t.s["n_adventure"]].tolist()
    t._write("adventure_deck", "n_adventure", [])
    t._write("discard", "n_discard", discards)
    threats = t.s["threat_deck"][: t.s["n_threat"]].tolist()
    for j in range(3):
        t.show(f"display {j + 1}", ("Forced March", "Prize Fight", "Lost Siding")[j])
    left = [
        c for c in discards if CARD_TITLES[c] not in ("Forced March", "Prize Fight", "Lost Siding")
    ]
    t.act("pass", "pass")
    assert sorted(t.s["adventure_deck"][: t.s["n_adventure"]]) == sorted([*left, *threats[-2:]])
    assert t.s["n_discard"] == 0


def test_a_visit_counts_where_the_hero_stepped_though_a_spell_takes_him_away_before_the_price():
    t = Table("gandogar", "andokai").spell("Step Through").health(3, 3)
    t.show("display 1", "Elven Healers").show("display 2", "Backstage Supplies")
    t.stand(0, (-1, -1)).perish("Alandur").roll(1, 3).act("move").walk("Alandur")
    t.act("lose health", "cast Step Through", "hero gandogar").walk("Mifurdania")
    assert t.where(0) == (-3, 2)
    while t.s["phase"] != Phase.ACTION:  # hearts of the reward
        t.act(t.legal()[-1])
    assert "Elven Healers" in t.discarded
    assert t.shown("display 2") == "Backstage Supplies"
