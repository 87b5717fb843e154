"""Each simulated device in its process, read over a pty by the real reader of its format."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dealer_assist.application.ports import (
    BadRead,
    CardLifted,
    CardSighted,
    CollisionSighted,
    ReaderLost,
    ReaderOnline,
    UnknownTagSighted,
)
from dealer_assist.game.cards import DECK, Card
from hardware.reader.deck import DeckBook, load_deck
from hardware.reader.places import Role
from hardware.reader.reader import Reader, ReaderSettings
from hardware.simulated.client import ShoeError, VirtualShoe
from hardware.simulated.devices import DEVICES, protocol_of
from tests.hardware.helpers import Sightings, wait_until
from tests.hardware.simulated.decks import deck_file, uid_of

pytestmark = pytest.mark.timeout(30)

TALKING = ("line", "em4100", "em4100-id12la", "uhfreader18-active")
ASKED = tuple(name for name in DEVICES if name not in TALKING)
GHOST = 99

SCRIPT = """
faults = [
    {{ at = "missed", kind = "missed_card" }},
    {{ at = "swapped", kind = "swapped_cards" }},
    {{ at = "unknown", kind = "unknown_tag", uid = "{ghost}" }},
    {{ at = "ghost", kind = "ghost", uid = "{ghost}" }},
    {{ at = "doubled", kind = "double_read", after = 1 }},
    {{ at = "trickling", kind = "byte_at_a_time" }},
    {{ at = "cut", kind = "cut_frame" }},
    {{ at = "noise", kind = "noise", data = "FFA55A00FE" }},
    {{ at = "speed", kind = "wrong_speed", read = 19200 }},
    {{ at = "death", kind = "silent_death" }},
]
"""

Shoes = Callable[[str], VirtualShoe]
Wire = Callable[..., tuple[VirtualShoe, Sightings]]


@pytest.fixture(scope="module")
def shoe_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shoes]:
    """One process a device, started when it is first wanted. A card that passes is told of twice."""
    started: dict[str, VirtualShoe] = {}

    def shoe_of(device: str) -> VirtualShoe:
        if device not in started:
            folder, protocol = tmp_path_factory.mktemp(device), protocol_of(device)
            script = folder / "faults.toml"
            script.write_text(SCRIPT.format(ghost=uid_of(protocol, GHOST)))
            deck = deck_file(folder, protocol)
            started[device] = VirtualShoe(folder / "port", [deck], 2, protocol=device, script=script)
        return started[device]

    yield shoe_of
    for shoe in started.values():
        shoe.close()


@pytest.fixture
def wire(shoe_of: Shoes, tmp_path: Path) -> Iterator[Wire]:
    """A device, plugged in anew, and a reader at its port."""
    readers: list[Reader] = []

    def start(device: str, seat: int | None = None) -> tuple[VirtualShoe, Sightings]:
        shoe, seen, protocol = shoe_of(device), Sightings(), protocol_of(device)
        shoe.unplug()
        shoe.replug()
        settings = ReaderSettings(
            name="shoe",
            url=str(shoe.port_link),
            protocol=protocol,
            silence_s=0.05,
            poll_s=0.05 if device in ASKED else None,
            role=Role.shoe if seat is None else Role.seat,
            seat=seat,
        )
        reader = Reader(settings, DeckBook(load_deck(deck_file(tmp_path, protocol))), seen)
        readers.append(reader)
        reader.start()
        seen.wait_for(ReaderOnline("shoe"))
        return shoe, seen

    yield start
    for reader in readers:
        reader.stop()


def read(device: str, card: Card, seat: int | None = None) -> CardSighted:
    return CardSighted("shoe", card, uid_of(protocol_of(device), DECK.index(card)), seat)


@pytest.mark.parametrize("device", DEVICES)
def test_every_card_that_passes_is_read_as_often_as_it_is_told_of(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    for card in DECK[:5]:
        shoe.present(card)
    seen.wait_for(read(device, DECK[4]), times=2)
    assert seen.of(CardSighted) == [read(device, card) for card in DECK[:5] for _ in range(2)]
    assert not seen.of(BadRead, ReaderLost, UnknownTagSighted)


@pytest.mark.parametrize("device", DEVICES)
def test_a_card_that_lies_there_is_told_of_until_it_is_lifted(wire: Wire, device: str) -> None:
    shoe, seen = wire(device, seat=3)
    shoe.lay(DECK[0])
    seen.wait_for(read(device, DECK[0], 3), times=3)
    shoe.lift(DECK[0])
    if device in ASKED:
        seen.wait_for(CardLifted("shoe", DECK[0], 3))
    shoe.lay(DECK[1])
    seen.wait_for(read(device, DECK[1], 3), times=2)
    with pytest.raises(ShoeError, match="does not lie there"):
        shoe.lift(DECK[0])
    with pytest.raises(ShoeError, match="lies there already"):
        shoe.lay(DECK[1])
    shoe.lift(DECK[1])


@pytest.mark.parametrize("device", ["line", "r200", "uhfreader18", "uhfreader18-active"])
def test_two_cards_are_both_told_of_by_readers_that_keep_tags_apart(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    shoe.lay(DECK[0])
    shoe.lay(DECK[1])
    seen.wait_for(read(device, DECK[1]), times=3)
    assert not seen.of(CollisionSighted, BadRead)
    assert len(seen.of(CardSighted)) - seen.all.count(read(device, DECK[1])) >= 3
    shoe.lift(DECK[0])
    shoe.lift(DECK[1])


def test_two_cards_on_a_pn532_are_a_collision(wire: Wire) -> None:
    shoe, seen = wire("pn532")
    shoe.lay(DECK[0])
    seen.wait_for(read("pn532", DECK[0]))
    shoe.lay(DECK[1])
    seen.wait_for(CollisionSighted("shoe"))
    shoe.lift(DECK[0])
    seen.wait_for(read("pn532", DECK[1]))
    shoe.lift(DECK[1])


@pytest.mark.parametrize("device", ["em4100", "em4100-id12la"])
def test_two_cards_on_a_reader_of_125_khz_tags_are_silence(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    shoe.lay(DECK[0])
    seen.wait_for(read(device, DECK[0]))
    shoe.lay(DECK[1])
    heard = len(seen.all)
    shoe.present(DECK[2])
    shoe.lift(DECK[0])
    seen.wait_for(read(device, DECK[1]))
    shoe.lift(DECK[1])
    assert read(device, DECK[2]) not in seen.all
    assert seen.all[heard:].count(read(device, DECK[0])) <= 1  # what was under way
    assert not seen.of(BadRead)


@pytest.mark.parametrize("device", DEVICES)
def test_a_pulled_plug_is_one_loss_and_a_new_one_brings_the_cards_back(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    shoe.present(DECK[0])
    shoe.unplug()
    seen.wait_for_kind(ReaderLost)
    shoe.replug()
    seen.wait_for(ReaderOnline("shoe"), times=2)
    shoe.present(DECK[1])
    seen.wait_for(read(device, DECK[1]), times=2)
    assert [type(sighting) for sighting in seen.of(ReaderOnline, ReaderLost)] == [
        ReaderOnline,
        ReaderLost,
        ReaderOnline,
    ]


@pytest.mark.parametrize("device", DEVICES)
def test_a_damaged_frame_is_told_and_no_card(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    shoe.send_bad_frame()
    seen.wait_for_kind(BadRead)
    shoe.present(DECK[0])
    seen.wait_for(read(device, DECK[0]), times=2)
    assert len(seen.of(CardSighted)) == 2


@pytest.mark.parametrize("device", DEVICES)
def test_a_script_makes_tags_go_wrong_and_the_next_one_is_read(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    points = ["missed", "swapped", None, "unknown", "ghost", "doubled", None, "trickling"]
    for card, point in zip(DECK, points, strict=False):
        if point is not None:
            shoe.reach(point)
        shoe.present(card)
    seen.wait_for(read(device, DECK[7]), times=2)
    ghost = UnknownTagSighted("shoe", uid_of(protocol_of(device), GHOST))
    cards = {at: read(device, card) for at, card in enumerate(DECK[:8])}
    expected = [cards[2], cards[1], ghost, ghost, cards[4], cards[5], cards[6], cards[5], cards[7]]
    assert seen.of(CardSighted, UnknownTagSighted) == [sighting for sighting in expected for _ in range(2)]
    assert not seen.of(BadRead, ReaderLost)
    with pytest.raises(ShoeError, match="no point 'there'; known: cut, death, "):
        shoe.reach("there")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("point", ["cut", "noise", "speed"])
def test_damage_on_the_way_is_told_and_never_another_card(wire: Wire, device: str, point: str) -> None:
    shoe, seen = wire(device)
    shoe.present(DECK[0])
    shoe.reach(point)
    shoe.present(DECK[1])
    seen.wait_for_kind(BadRead)
    shoe.present(DECK[2])
    seen.wait_for(read(device, DECK[2]), times=2)
    assert {read(device, DECK[0]), read(device, DECK[2])} <= set(seen.of(CardSighted))
    assert set(seen.of(CardSighted)) <= {read(device, card) for card in DECK[:3]}


SLOW_TO_MISS = pytest.param("uhfreader18", marks=pytest.mark.torture)  # its inventories may take a second each


@pytest.mark.parametrize("device", [*(name for name in ASKED if name != "uhfreader18"), SLOW_TO_MISS])
def test_a_reader_that_is_asked_and_dies_silently_is_lost_until_it_is_plugged_in_again(wire: Wire, device: str) -> None:
    shoe, seen = wire(device)
    shoe.reach("death")
    shoe.present(DECK[0])
    wait_until(lambda: bool(seen.of(ReaderLost)), within_s=10)
    shoe.unplug()
    shoe.replug()
    shoe.present(DECK[1])
    seen.wait_for(read(device, DECK[1]))
    assert not [sighting for sighting in seen.of(CardSighted) if sighting != read(device, DECK[1])]


def test_a_script_that_can_not_be_followed_is_no_shoe(tmp_path: Path) -> None:
    script = tmp_path / "faults.toml"
    script.write_text('[[faults]]\nat = 1\nkind = "cut_frame"\nkeeep = 1')
    with pytest.raises(ShoeError, match="has ended"):
        VirtualShoe(tmp_path / "port", script=script)
