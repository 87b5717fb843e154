"""The virtual shoe as a process of its own, and a reader at its port."""

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from dealer_assist.application.ports import BadRead, CardSighted, OtherDeckSighted, ReaderLost, ReaderOnline
from dealer_assist.game.cards import DECK, Card
from hardware.reader.deck import DeckBook
from hardware.reader.reader import Reader, ReaderSettings
from hardware.simulated.client import ShoeError, VirtualShoe
from hardware.simulated.shoe import line_frame
from tests.hardware.helpers import DECKS, Sightings, demo_deck, wait_until

pytestmark = pytest.mark.timeout(30)

RED, BLUE = demo_deck("red"), demo_deck("blue")
FILES = [DECKS / "demo-red.toml", DECKS / "demo-blue.toml"]


@pytest.fixture(scope="module")
def shoe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualShoe]:
    with VirtualShoe(tmp_path_factory.mktemp("shoe") / "port", FILES) as shoe:
        yield shoe


@pytest.fixture
def seen(shoe: VirtualShoe) -> Iterator[Sightings]:
    seen = Sightings()
    reader = Reader(ReaderSettings(name="shoe", url=str(shoe.port_link)), DeckBook(RED, [BLUE]), seen)
    reader.start()
    seen.wait_for(ReaderOnline("shoe"))
    yield seen
    reader.stop()


def red(code: str) -> CardSighted:
    return CardSighted("shoe", Card(code), RED.tags[Card(code)][0])


def test_a_frame_is_spaced_hex_and_a_line_feed() -> None:
    assert line_frame(bytes.fromhex("0406B9020A5481")) == b"04 06 B9 02 0A 54 81\n"


def test_a_presented_card_is_read_as_often_as_it_lies_there(shoe: VirtualShoe, seen: Sightings) -> None:
    shoe.present(Card("As"))
    seen.wait_for(red("As"), times=3)
    shoe.present(Card("Kd"))
    seen.wait_for(red("Kd"), times=3)
    assert seen.all == [ReaderOnline("shoe"), *[red("As")] * 3, *[red("Kd")] * 3]


def test_a_card_of_another_deck_and_a_bare_uid_are_presented(shoe: VirtualShoe, seen: Sightings) -> None:
    shoe.present(Card("As"), "demo-blue")
    shoe.present_uid(RED.tags[Card("2c")][0])
    seen.wait_for(red("2c"), times=3)
    assert seen.all.count(OtherDeckSighted("shoe", BLUE.tags[Card("As")][0], "demo-blue")) == 3


def test_raw_bytes_and_a_bad_frame_are_sent_once(shoe: VirtualShoe, seen: Sightings) -> None:
    shoe.send_bytes(b"\x02" + line_frame(bytes.fromhex(RED.tags[Card("Td")][0])))
    shoe.send_bad_frame()
    seen.wait_for_kind(BadRead)
    assert seen.all[1] == red("Td")
    assert len(seen.all) == 3


def test_a_pulled_plug_is_one_loss_and_a_new_one_brings_the_cards_back(shoe: VirtualShoe, seen: Sightings) -> None:
    shoe.unplug()
    seen.wait_for_kind(ReaderLost)
    with pytest.raises(ShoeError, match="unplugged"):
        shoe.present(Card("As"))
    shoe.replug()
    shoe.present(Card("As"))  # waits for the reader to come back
    seen.wait_for(red("As"), times=3)
    assert [type(sighting) for sighting in seen.all] == [ReaderOnline, ReaderLost, ReaderOnline, *[CardSighted] * 3]


def test_a_card_presented_at_the_very_start_is_not_lost(shoe: VirtualShoe) -> None:
    seen = Sightings()
    reader = Reader(ReaderSettings(name="shoe", url=str(shoe.port_link)), DeckBook(RED), seen)
    presenting = threading.Thread(target=shoe.present, args=(Card("As"),))
    presenting.start()
    reader.start()
    presenting.join()
    seen.wait_for(red("As"), times=3)
    reader.stop()


def test_commands_from_several_threads_are_all_carried_out(shoe: VirtualShoe, seen: Sightings) -> None:
    def present(cards: Sequence[Card]) -> None:
        for card in cards:
            shoe.present(card)

    hands = [threading.Thread(target=present, args=(DECK[start:20:5],)) for start in range(5)]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    for card in DECK[:20]:
        seen.wait_for(red(card), times=3)
    assert len(seen.of(CardSighted)) == 60


@pytest.mark.parametrize("uid", ["xyz", "04A"])
def test_what_the_shoe_can_not_do_is_refused_and_it_goes_on(shoe: VirtualShoe, seen: Sightings, uid: str) -> None:
    with pytest.raises(ShoeError):
        shoe.present_uid(uid)
    with pytest.raises(ShoeError, match="no deck 'green'; known: demo-red, demo-blue"):
        shoe.present(Card("As"), "green")
    shoe.present(Card("As"))
    seen.wait_for(red("As"))


def start_process(link: Path, *options: str) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-m", "hardware.simulated.shoe", "--port-link", str(link), *options]
    return subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_the_process_ends_and_takes_its_port_away_when_its_input_closes(tmp_path: Path) -> None:
    process = start_process(tmp_path / "port")
    assert process.stdin
    assert process.stdout
    assert msgspec.json.decode(process.stdout.readline()) == {"type": "ready", "port": str(tmp_path / "port")}
    assert (tmp_path / "port").is_char_device()
    process.send_signal(signal.SIGINT)  # Ctrl-C is the owner's business
    process.stdin.write(b"rubbish\n")
    process.stdin.flush()
    assert msgspec.json.decode(process.stdout.readline())["type"] == "refused"
    process.stdin.close()
    assert process.wait(5) == 0
    assert process.stdout.read() == b""
    process.stdout.close()
    assert list(tmp_path.iterdir()) == []


def test_the_process_ends_when_it_is_told_to(tmp_path: Path) -> None:
    process = start_process(tmp_path / "port")
    out, _ = process.communicate(b'{"type":"quit"}\n', timeout=10)
    assert [msgspec.json.decode(line)["type"] for line in out.splitlines()] == ["ready", "done"]
    assert process.returncode == 0


OWNER = """
import sys, time
from pathlib import Path
from hardware.simulated.client import VirtualShoe
shoe = VirtualShoe(Path(sys.argv[1]))
print("ready", flush=True)
time.sleep(60)
"""


def test_the_process_does_not_outlive_an_owner_that_is_killed(tmp_path: Path) -> None:
    link = tmp_path / "port"
    with subprocess.Popen([sys.executable, "-c", OWNER, str(link)], stdout=subprocess.PIPE) as owner:
        assert owner.stdout
        assert owner.stdout.readline() == b"ready\n"
        assert link.is_char_device()
        owner.kill()
    wait_until(lambda: not link.is_symlink())


def test_a_shoe_that_can_not_start_or_is_closed_says_so(tmp_path: Path) -> None:
    with pytest.raises(ShoeError, match="has ended"):
        VirtualShoe(tmp_path / "port", [tmp_path / "none.toml"])
    shoe = VirtualShoe(tmp_path / "port")
    shoe.close()
    shoe.close()
    with pytest.raises(ShoeError, match="gone"):
        shoe.unplug()
