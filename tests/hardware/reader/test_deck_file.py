"""How deck files write UIDs, what is wrong with one, and decks taken over from tables."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import pytest

from dealer_assist.game.cards import DECK, Card
from hardware.reader.deck import load_deck
from hardware.reader.deck_check import Doubled, Foreign, Other, check_deck
from hardware.reader.deck_file import Certificate, Draft, deck_text, notation_of, read_csv, read_draft
from hardware.reader.errors import BadDeck
from hardware.reader.uids import UidNotation
from tests.hardware.helpers import DECKS, demo_deck

RED: Final = (DECKS / "demo-red.toml").read_text()
TAGS: Final = {card.value: (f"{0x04000000 + at:08X}",) for at, card in enumerate(DECK)}
CERTIFICATE: Final = Certificate("d", "R. Keller", datetime(2026, 11, 30, 20, 14, 3, tzinfo=UTC), "shoe", "52 cards")
DRAFT: Final = Draft("d", "Deck", "red", TAGS, (), CERTIFICATE)


def written(tmp_path: Path, draft: Draft, name: str = "deck.toml") -> Path:
    path = tmp_path / name
    path.write_text(deck_text(draft))
    return path


@pytest.mark.parametrize(
    ("notation", "text", "sent"),
    [
        (UidNotation("hex", "as-sent"), "0406B9020A5481", "0406B9020A5481"),
        (UidNotation("hex", "reversed"), "81540A02B90604", "0406B9020A5481"),
        (UidNotation("hex", "as-sent", 4), "00001A5E", "00001A5E"),
        (UidNotation("decimal", "as-sent", 4), "0442383958", "1A5E3E56"),
        (UidNotation("decimal", "as-sent", 4), "442383958", "1A5E3E56"),
        (UidNotation("decimal", "reversed", 4), "1446927898", "1A5E3E56"),
        (UidNotation("decimal", "as-sent", 5), "6750", "0000001A5E"),
        (UidNotation("decimal", "as-sent", 2), "0", "0000"),
    ],
)
def test_a_uid_is_what_the_reader_sends_with_its_leading_zeros(notation: UidNotation, text: str, sent: str) -> None:
    assert notation.sent(text) == sent


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        (UidNotation("hex", "as-sent"), "04a1"),
        (UidNotation("hex", "as-sent"), "4.06E+13"),
        (UidNotation("hex", "as-sent"), "04A"),
        (UidNotation("hex", "as-sent", 4), "04A1B2"),
        (UidNotation("decimal", "as-sent", 4), "4294967296"),
        (UidNotation("decimal", "as-sent", 4), "-1"),
        (UidNotation("decimal", "as-sent", 4), "1A"),
        (UidNotation("decimal", "as-sent", 4), "٣"),
        (UidNotation("decimal", "as-sent", 4), ""),
        (UidNotation("decimal", "as-sent", 4), "9" * 10_000),
    ],
)
def test_text_that_is_no_uid_is_none(notation: UidNotation, text: str) -> None:
    assert notation.sent(text) is None


def test_decimal_without_a_width_is_ambiguous_and_refused() -> None:
    with pytest.raises(
        BadDeck, match=r"d\.toml, uid_bytes: expected how many bytes a UID has, since uid_form is decimal"
    ):
        notation_of("decimal", "as-sent", None, "d.toml")
    with pytest.raises(BadDeck, match="uid_bytes: expected 1 to 32 bytes, found 0"):
        UidNotation("hex", "as-sent", 0)


@pytest.mark.parametrize(
    ("order", "form"), [("as-sent", "hex"), ("reversed", "hex"), ("as-sent", "decimal"), ("reversed", "decimal")]
)
def test_a_deck_file_may_write_the_same_tags_in_each_form_and_order(tmp_path: Path, order: str, form: str) -> None:
    def in_form(uid: str) -> str:
        turned = bytes.fromhex(uid)[:: 1 if order == "as-sent" else -1]
        return turned.hex().upper() if form == "hex" else str(int.from_bytes(turned))

    text = RED.replace('uid_form = "hex"', f'uid_form = "{form}"\nuid_bytes = 7').replace("as-sent", order)
    for uid in (uid for uids in demo_deck("red").tags.values() for uid in uids):
        text = text.replace(uid, in_form(uid))
    path = tmp_path / "deck.toml"
    path.write_text(text)
    assert load_deck(path) == demo_deck("red")


def test_a_deck_file_in_decimal_without_a_width_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(RED.replace('"hex"', '"decimal"'))
    with pytest.raises(BadDeck, match=r"deck.toml, uid_bytes: expected how many bytes"):
        load_deck(path)


def test_a_written_deck_is_read_back_with_its_certificate(tmp_path: Path) -> None:
    two_tags = {**TAGS, "As": ("0000", "0001")}
    path = written(tmp_path, Draft("d", 'Deck "é"', "red", two_tags, (), CERTIFICATE))
    assert load_deck(path).tags[Card("As")] == ("0000", "0001")
    draft = read_draft(path)
    assert (draft.name, draft.certificate, draft.faults) == ('Deck "é"', CERTIFICATE, ())


def test_a_certificate_of_another_deck_is_a_fault(tmp_path: Path) -> None:
    path = written(tmp_path, Draft("other", "Deck", "red", TAGS, (), CERTIFICATE))
    with pytest.raises(BadDeck, match=r'certificate\.deck: expected "other", whose file this is, found "d"'):
        load_deck(path)


# --- checking -------------------------------------------------------------------------------------------------------


def test_a_deck_that_is_whole_holds(tmp_path: Path) -> None:
    findings = check_deck(read_draft(written(tmp_path, DRAFT)))
    assert findings.holds
    assert (findings.deck, findings.cards, findings.tags) == ("d", 52, 52)


def test_missing_doubled_and_foreign_are_told_apart(tmp_path: Path) -> None:
    tags = {code: uids for code, uids in TAGS.items() if code not in ("2c", "3c")} | {"Ah": TAGS["As"]}
    draft = read_draft(written(tmp_path, Draft("d", "Deck", "red", tags, (), CERTIFICATE)))
    other = read_draft(written(tmp_path, Draft("e", "Other", "blue", {"Kd": TAGS["Kh"]}, ()), "other.toml"))
    findings = check_deck(draft, [Other("other.toml", other)])
    assert findings.missing == ("2c", "3c")
    assert findings.doubled == (Doubled(TAGS["As"][0], ("Ah", "As")),)
    assert findings.foreign == (Foreign(TAGS["Kh"][0], "Kh", "Kd of deck e in other.toml"),)
    assert findings.faults == ()
    assert not findings.holds


def test_a_tag_that_changed_since_the_deck_was_registered_is_foreign(tmp_path: Path) -> None:
    before = read_draft(written(tmp_path, DRAFT))
    swapped = {**TAGS, "As": ("0000",), "Kd": TAGS["Kh"], "Kh": TAGS["Kd"]}
    now = read_draft(written(tmp_path, Draft("d", "Deck", "red", swapped, ()), "now.toml"))
    findings = check_deck(now, [Other("deck.toml", before)])
    assert {(found.card, found.why) for found in findings.foreign} == {
        ("As", "not there in deck.toml"), ("Kd", "Kh in deck.toml"), ("Kh", "Kd in deck.toml"),
    }  # fmt: skip


def test_a_card_of_no_deck_and_what_is_no_uid_are_told(tmp_path: Path) -> None:
    path = written(tmp_path, DRAFT)
    text = path.read_text().replace("[cards]", '[cards]\nJoker = "0102"').replace(TAGS["Ts"][0], "xyz")
    path.write_text(text)
    findings = check_deck(read_draft(path))
    assert findings.foreign == (Foreign("0102", "Joker", "no card of the 52"),)
    assert findings.missing == ("Ts",)
    assert any("xyz" in fault for fault in findings.faults)


# --- taking over ----------------------------------------------------------------------------------------------------

HEX: Final = UidNotation("hex", "as-sent")


def table(tmp_path: Path, *lines: str, header: str = "card,uid") -> Path:
    path = tmp_path / "deck.csv"
    path.write_text("\n".join((header, *lines)) + "\n")
    return path


def rows(**changed: str) -> list[str]:
    tags = {card: uids[0] for card, uids in TAGS.items()} | changed
    return [f"{card},{uid}" for card, uid in tags.items() if uid != "gone"]


def test_a_table_is_read_with_separators_small_letters_and_a_second_tag(tmp_path: Path) -> None:
    lines = [line + "," for line in rows(As="04:0a:1b-2c")]
    lines[0] += "04 0A 1B 2D" if lines[0].startswith("As") else ""
    path = table(tmp_path, *lines, "", header="\ufeffcard,uid,uid2")
    assert read_csv(path, HEX)["As"][0] == "040A1B2C"
    assert len(read_csv(path, HEX)) == 52


def test_a_table_in_decimal_and_reversed_is_what_the_reader_sends(tmp_path: Path) -> None:
    decimal = {card: str(int.from_bytes(bytes.fromhex(uids[0])[::-1])) for card, uids in TAGS.items()}
    assert read_csv(table(tmp_path, *rows(**decimal)), UidNotation("decimal", "reversed", 4)) == TAGS


@pytest.mark.parametrize(
    ("lines", "header", "named"),
    [
        (rows(), "Card;UID", "line 1: expected the columns card,uid and maybe uid2, found Card;UID"),
        (rows(As="gone"), "card,uid", "cards.As: expected a UID for each of the 52 cards, found nothing"),
        (rows(As="04000001"), "card,uid", "expected a UID of its own"),
        (rows(As="4.06E+13"), "card,uid", 'cards.As: expected a UID in upper-case hex'),
        (rows(As="000001"), "card,uid", "expected UIDs of one length, found some of 3 and 4 bytes"),
        ([*rows(), "As,0102"], "card,uid", 'line 54: expected each card on one line, found "As" again'),
        ([*rows(), "Joker,01020304"], "card,uid", 'cards.Joker: expected a card code like "As" or "Td"'),
        (['As,"04'], "card,uid", "expected CSV in UTF-8"),
    ],
)  # fmt: skip
def test_a_table_that_leaves_something_open_is_refused(
    tmp_path: Path, lines: list[str], header: str, named: str
) -> None:
    with pytest.raises(BadDeck) as refused:
        read_csv(table(tmp_path, *lines, header=header), HEX)
    assert named in str(refused.value)
    assert "deck.csv" in str(refused.value)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadDeck, match="No such file"):
        read_csv(tmp_path / "none.csv", HEX)
