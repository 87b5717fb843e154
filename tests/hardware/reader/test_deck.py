"""Deck files and the deck book."""

import threading
from pathlib import Path

import pytest

from dealer_assist.application.ports import CardSighted, OtherDeckSighted, UnknownTagSighted
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.errors import Malformed
from hardware.reader.deck import Deck, DeckBook, load_deck
from hardware.reader.errors import BadDeck
from hardware.reader.messages import Tag
from tests.hardware.helpers import DECKS, demo_deck

RED = (DECKS / "demo-red.toml").read_text()
ACE = 'As = "04E0AC505706F0"'


def changed(tmp_path: Path, old: str, new: str) -> Path:
    assert old in RED
    path = tmp_path / "deck.toml"
    path.write_text(RED.replace(old, new))
    return path


def fault_of(path: Path) -> BadDeck:
    with pytest.raises(BadDeck) as refused:
        load_deck(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    return refused.value


@pytest.mark.parametrize("back", ["red", "blue"])
def test_a_demo_deck_has_52_cards_with_seven_byte_tags(back: str) -> None:
    deck = demo_deck(back)
    assert tuple(deck.tags) == DECK
    assert deck.back == back
    assert all(len(uid) == 14 and uid.startswith("04") for uids in deck.tags.values() for uid in uids)


def test_a_card_may_carry_two_tags(tmp_path: Path) -> None:
    deck = load_deck(changed(tmp_path, ACE, 'As = ["04E0AC505706F0", "0000"]'))
    assert deck.tags[Card("As")] == ("04E0AC505706F0", "0000")
    assert DeckBook(deck).sighting("r", Tag("0000")) == CardSighted("r", Card("As"), "0000")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (ACE, "", "cards.As: expected a UID for each of the 52 cards, found nothing"),
        (ACE, ACE + '\n1s = "0400"', 'cards.1s: expected a card code like "As" or "Td", found "1s"'),
        (ACE, 'As = "04e0"', 'cards.As: expected a UID in upper-case hex with an even number of digits, found "04e0"'),
        (ACE, 'As = "04E"', 'even number of digits, found "04E"'),
        (ACE, 'As = ""', 'even number of digits, found ""'),
        (ACE, "As = []", "cards.As: expected one to 2 UIDs, found 0"),
        (ACE, 'As = ["01", "02", "03"]', "cards.As: expected one to 2 UIDs, found 3"),
        (ACE, 'As = ["01", "01"]', 'cards.As: expected a UID of its own, found "01", which As has'),
        (ACE, "As = 4", "Expected `str | array`, got `int`"),
        (ACE, ACE + "\n" + ACE, "TOML in UTF-8"),
        ('uid_form = "hex"', "", "uid_form"),
        ('uid_form = "hex"', 'uid_form = "octal"', "octal"),
        ('uid_form = "hex"', 'uid_form = "decimal"', "uid_bytes: expected how many bytes a UID has"),
        ('byte_order = "as-sent"', "", "byte_order"),
        ('byte_order = "as-sent"', 'byte_order = "sorted"', "sorted"),
        ('back = "red"', 'bakc = "red"', "bakc"),
        ("[cards]", "[cards", "TOML in UTF-8"),
    ],
)
def test_a_fault_of_a_deck_file_is_named(tmp_path: Path, old: str, new: str, named: str) -> None:
    assert named in str(fault_of(changed(tmp_path, old, new)))


def test_one_uid_for_two_cards_is_named_with_both(tmp_path: Path) -> None:
    king = load_deck(DECKS / "demo-red.toml").tags[Card("Ks")][0]
    text = str(fault_of(changed(tmp_path, ACE, f'As = "{king}"')))
    assert f'expected a UID of its own, found "{king}", which ' in text
    assert "As" in text
    assert "Ks" in text


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    path = changed(tmp_path, ACE, '1s = "04"\nAx = "x"')
    error = fault_of(path)
    assert len(error.faults) == 3
    assert [fault.place for fault in error.faults] == [f"{path}, cards.{code}" for code in ("1s", "Ax", "As")]


def test_a_bad_deck_is_a_malformed_value() -> None:
    assert issubclass(BadDeck, Malformed)
    assert issubclass(BadDeck, ValueError)


def test_a_missing_file_and_one_that_is_no_text_are_named(tmp_path: Path) -> None:
    assert "No such file" in str(fault_of(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    assert "TOML in UTF-8" in str(fault_of(tmp_path / "bytes.toml"))


def test_a_tag_is_a_card_of_the_deck_in_play_or_of_another_or_unknown() -> None:
    red, blue = demo_deck("red"), demo_deck("blue")
    book = DeckBook(red, [blue])
    red_ace, blue_ace = red.tags[Card("As")][0], blue.tags[Card("As")][0]
    assert book.sighting("shoe", Tag(red_ace)) == CardSighted("shoe", Card("As"), red_ace)
    assert book.sighting("shoe", Tag(blue_ace)) == OtherDeckSighted("shoe", blue_ace, "demo-blue")
    # Ghosts whose checksum is right. Source: protocols sheet, EM4100 readers.
    for ghost in ("0000000000", "000000078F", "F000060007"):
        assert book.sighting("shoe", Tag(ghost)) == UnknownTagSighted("shoe", ghost)


def test_leading_zeros_tell_tags_apart() -> None:
    uid = demo_deck("red").tags[Card("As")][0]
    assert DeckBook(demo_deck("red")).sighting("shoe", Tag("00" + uid)) == UnknownTagSighted("shoe", "00" + uid)


def test_another_deck_can_be_put_into_play() -> None:
    red, blue = demo_deck("red"), demo_deck("blue")
    book = DeckBook(red, [blue])
    book.put_into_play("demo-blue")
    ace = blue.tags[Card("As")][0]
    assert book.in_play == blue
    assert book.sighting("shoe", Tag(ace)) == CardSighted("shoe", Card("As"), ace)
    with pytest.raises(BadDeck, match='deck in play: expected one of demo-red, demo-blue, found "green"'):
        book.put_into_play("green")


def test_a_switch_never_shows_half_a_deck() -> None:
    red, blue = demo_deck("red"), demo_deck("blue")
    book, ace = DeckBook(red, [blue]), red.tags[Card("As")][0]

    def switch() -> None:
        for deck_id in ("demo-blue", "demo-red") * 200:
            book.put_into_play(deck_id)

    switching = threading.Thread(target=switch)
    switching.start()
    while switching.is_alive():
        assert not isinstance(book.sighting("shoe", Tag(ace)), UnknownTagSighted)
    switching.join()


def test_decks_that_claim_the_same_tag_or_id_are_refused() -> None:
    red = demo_deck("red")
    twin = Deck("twin", "Twin", "red", {**demo_deck("blue").tags, Card("2c"): red.tags[Card("As")]})
    with pytest.raises(BadDeck, match=r"deck twin, 2c: expected a UID of its own, found .* As of deck demo-red has"):
        DeckBook(red, [twin])
    with pytest.raises(BadDeck, match='found "demo-red" twice'):
        DeckBook(red, [red])
