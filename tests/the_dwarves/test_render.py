"""The table as text, explanations and the account of a finished game."""

import json

from the_dwarves.table import Table

from dwarrow.envs.the_dwarves import GAME
from dwarrow.envs.the_dwarves.cards import CARD_TITLES


def test_the_text_shows_heroes_cards_land_and_the_question():
    t = Table().stand(0, "Porista").put("orc 2, elfar 1", (0, 2)).perish((3, 0), tile=1)
    t.show("display 1", "Elfar Ambush", attached=1)
    said = GAME.text(t.states, 0, 0)
    assert "Bavragor Hammerfist *: (0, -2) Porista, health 4/4, battle/craft/speed 3/4/2" in said
    assert "display 1: Elfar Ambush: 1 orc 1 elfar; with Gandogar Silverbeard" in said
    assert "(0, 2): 2 orc 1 elfar" in said
    assert "(3, 0): perished, arrow NW" in said
    assert "council: axe (+0); next step 5+" in said
    assert said.endswith("Bavragor Hammerfist: an action is to be chosen")


def test_a_seat_does_not_see_the_order_of_the_decks():
    t = Table()
    hidden = CARD_TITLES[t.s["adventure_deck"][t.s["n_adventure"] - 1]]
    assert hidden in GAME.text(t.states, 0)
    for seat in (0, 1):
        assert hidden not in GAME.text(t.states, 0, seat)


def test_dice_are_shown_while_a_roll_may_be_changed():
    t = Table().set(council=7).roll(1, 1, 2, 3).act("send dispatches")
    assert GAME.text(t.states, 0).endswith("a roll may be changed; dispatches dice [1, 1, 2, 3]")


def test_illegal_actions_are_explained():
    t = Table()
    for name, said in (
        ("fight", "there are no troops this hero could fight"),
        ("draw a spell", "this hero casts no spells"),
        ("check craft", "name_card decides how it is named"),
        ("hex 0 0", "an action is to be chosen"),
    ):
        assert said in GAME.explain(t.states, 0, GAME.action_id(name))


def test_the_breakdown_says_why_a_game_was_lost():
    t = Table("gandogar", "bavragor").stand(0, (0, 3)).perish((0, 2)).health(1, 4).roll(3, 1, 1)
    t.act("move").walk((0, 2)).act("lose health")
    account = GAME.breakdown(t.states, 0)
    assert account["end"] == "hero_died"
    assert account["fallen_hero"] == "Gandogar Silverbeard"
    assert account["scenarios_completed"] == 0
    assert account["perished_hexes"] == 1
    json.dumps(account)
    assert GAME.returns(t.states, 0).tolist() == [-1, -1]


def test_winning_gives_all_heroes_the_same():
    t = Table(combined_might=True)
    t.set(council=8).show("scenario", "Crown the True King").roll(6, 1, 1, 1)
    t.act("quest scenario part 2")
    assert GAME.breakdown(t.states, 0)["end"] == "won"
    assert GAME.returns(t.states, 0).tolist() == [1, 1]
    assert GAME.scores(t.states, 0).tolist() == [1, 1]
