"""A real table with a virtual shoe, and the felt in front of it: which cards really lie where."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dealer_assist.application.service import Request
from dealer_assist.bootstrap import RunningTable
from dealer_assist.game import commands as cmd
from dealer_assist.game.cards import DECK, Card
from dealer_assist.game.dealing import Place
from dealer_assist.game.round import Round
from dealer_assist.game.table import Table
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.profiles import load_profile
from dealer_assist.storage.tables import load_table
from hardware.simulated.client import VirtualShoe
from hardware.simulated.devices import make_device, protocol_of
from tests.hardware.simulated.decks import deck_file, uid_of

SCRIPT: Final = Path(__file__).with_name("faults.toml")
READER: Final = "shoe"
PATIENCE_S: Final = 10.0
SILENCE_S: Final = 0.1
UNKNOWN: Final = 99  # the number of a tag that is in no deck

TABLE: Final = """
id = "T7"
profile = "{profile}"
procedure = "felt"
currency = "{currency}"
bet_entry = "amounts"
chips = ["0.50", "5.00", "100.00"]
decks = ["{deck}"]
{meter}
[[readers]]
name = "{reader}"
url = "{port}"
protocol = "{protocol}"
silence_s = {silence}
{poll}
"""


def asked(device: str) -> bool:
    """Whether this device says nothing unless it is asked."""
    return make_device(device).hears and not make_device(device).talks


def shuffled() -> tuple[Card, ...]:
    """The order in which the cards leave the shoe; the same in every test."""
    order = list(DECK)
    random.Random(7).shuffle(order)
    return tuple(order)


def faulty_shoe(folder: Path, device: str) -> VirtualShoe:
    """A shoe that follows the fault script, told of each card once."""
    protocol = protocol_of(device)
    script = folder / "faults.toml"
    script.write_text(SCRIPT.read_text("utf-8").replace("{unknown}", uid_of(protocol, UNKNOWN)))
    return VirtualShoe(folder / "port", [deck_file(folder, protocol)], 1, protocol=device, script=script)


class Felt:
    """What really happens: cards slide out of the shoe and lie on the felt, whatever the reader makes of it."""

    def __init__(self, table: RunningTable, shoe: VirtualShoe) -> None:
        self.running = table
        self.shoe = shoe
        self.order = shuffled()
        self.out = 0  # cards dealt

    @property
    def table(self) -> Table:
        """The table as last committed."""
        return self.running.service.snapshot.table

    @property
    def now(self) -> Round:
        """The round as last committed; before the first an empty one, which is over."""
        return self.table.round or Round(number="", opened_at="")

    @property
    def bad_reads(self) -> int:
        """Damaged frames and noise, as counted."""
        return self.running.intake.bad_reads.get(READER, 0)

    def press(self, command: cmd.Command) -> None:
        """A dealer's key."""
        self.running.service.do(Request(command, actor="dealer"))

    def card_at(self, place: Place) -> Card:
        """The card that really lies at a place."""
        at = self.now.index_of(place)
        assert at is not None
        return self.order[at]

    def wrong_places(self) -> list[Place]:
        """Where the table names a card that does not lie there."""
        placed = zip(self.now.placed, self.now.order, self.order, strict=False)
        return [place for draw, place, card in placed if draw.card not in (None, card)]

    def replug(self) -> None:
        """The plug is pulled, unless it is out, and put back; the table has seen both."""
        self.shoe.unplug()
        wait_until(lambda: self.table.readers[READER] is not None)
        self.shoe.replug()
        wait_until(lambda: self.table.readers[READER] is None)

    def settle_down(self) -> None:
        """Wait until all that was sent so far has been taken into account: a damaged frame comes behind it all."""
        before = self.bad_reads
        self.shoe.send_bad_frame()
        wait_until(lambda: self.bad_reads > before)
        self.press(cmd.ReportReaderBack(READER))  # tells nothing new, and is taken behind what the reader told


@contextmanager
def felt_with(
    shoe: VirtualShoe,
    folder: Path,
    device: str = "line",
    *,
    profile: str = "four-seat-fi",
    silence_s: float = SILENCE_S,
) -> Iterator[Felt]:
    """A table with this shoe, running, its reader online."""
    protocol, rules = protocol_of(device), load_profile(profile)
    path = folder / "table.toml"
    path.write_text(
        TABLE.format(
            profile=profile,
            currency=rules.currency,
            meter='[jackpot]\nseed = "20000.00"\n' if rules.jackpot is not None else "",
            deck=deck_file(folder, protocol),
            reader=READER,
            port=shoe.port_link,
            protocol=protocol,
            silence=silence_s,
            poll="poll_s = 0.02" if asked(device) else "",
        )
    )
    table = RunningTable(load_table(str(path)), DataFolder(folder / "data"))
    table.start()
    felt = Felt(table, shoe)
    try:
        wait_until(lambda: felt.table.readers.get(READER, "") is None)
        yield felt
    finally:
        table.stop()


def wait_until(holds: Callable[[], bool]) -> None:
    """Returns as soon as it holds."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.001)
