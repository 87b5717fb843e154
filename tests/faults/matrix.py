"""Every fault at every moment of a round: played, checked, and told in words."""

from pathlib import Path
from typing import Final

import msgspec

from dealer_assist.game.evolve import fold
from dealer_assist.game.round import Phase, Round
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import logged, open_to_read, rows
from hardware.simulated.client import VirtualShoe
from tests.faults.dealer import CARDS, DEALT_AS, Dealer, Fault, Moment, Shows
from tests.faults.felt import Felt, asked, felt_with

FAULTS: Final = (
    Fault("double read", Shows.card, again=True),
    Fault("read again behind the next card", Shows.card, cards=2),
    Fault("missed card", Shows.nothing),
    Fault("swapped cards", Shows.nothing, cards=2, misleads=True),
    Fault("unknown tag", Shows.notice),
    Fault("ghost beside the card", Shows.card),
    Fault("noise", Shows.card, damages=True),
    Fault("cut frame", Shows.damage),
    Fault("two frames in one piece", Shows.nothing, cards=2),
    Fault("byte at a time", Shows.card),
    Fault("wrong speed", Shows.damage),
    Fault("slow frame", Shows.card),
    Fault("unplugged before the frame", Shows.loss),
    Fault("unplugged within the frame", Shows.loss),
    Fault("unplugged behind the frame", Shows.loss),
    Fault("silent death", Shows.nothing, kills=True),
)


def faults_of(device: str) -> tuple[Fault, ...]:
    """The faults as they show at a device: one that is asked can't die silently, for its silence is heard."""
    if not asked(device):
        return FAULTS
    return tuple(
        msgspec.structs.replace(fault, shows=Shows.loss, kills=False) if fault.kills else fault for fault in FAULTS
    )


class Outcome(msgspec.Struct, frozen=True):
    """How one round ended. `did`: what the dealer had to do. `wrong`, `unknown`: places at its end. `noted`: in its log."""

    phase: Phase
    did: tuple[str, ...]
    misled: bool
    wrong: int
    unknown: int
    noted: tuple[str, ...]
    unverified: bool

    @property
    def is_right(self) -> bool:
        """Whether the round closed with every card where it lay."""
        return self.phase is Phase.closed and not self.wrong and not self.unknown


def played(shoe: VirtualShoe, folder: Path, fault: Fault, moment: Moment, device: str = "line") -> Outcome:
    """A round on a fresh table, with one fault at one moment."""
    folder.mkdir(parents=True)
    shoe.unplug()
    shoe.replug()
    with felt_with(shoe, folder, device) as felt:
        dealer = Dealer(felt, fault, moment)
        dealer.play()
        outcome = outcome_of(felt, dealer)
        live = felt.now
    assert logged_round(folder / "data") == live, "what the log tells is what the table was"
    return outcome


def outcome_of(felt: Felt, dealer: Dealer) -> Outcome:
    """How the round on this felt ended."""
    now = felt.now
    assert len(now.placed) == CARDS
    return Outcome(
        phase=now.phase,
        did=tuple(dealer.did),
        misled=dealer.misled,
        wrong=len(felt.wrong_places()),
        unknown=sum(draw.card is None for draw in now.placed),
        noted=tuple(dict.fromkeys(notice.kind.value.replace("_", " ") for notice in now.notices)),
        unverified=now.unverified,
    )


def logged_round(data: Path) -> Round | None:
    """The round as the log of a table that has ended tells it."""
    connection = open_to_read(data / "log.sqlite")
    try:
        events = [each.event for each in logged(rows(connection), Seal((data / "seal.key").read_bytes()))]
    finally:
        connection.close()
    table = fold(events)
    return table.round


def in_words(outcome: Outcome, moment: Moment) -> str:
    """An outcome for a person."""
    said = list(outcome.did)
    if not said and outcome.noted:
        said.append(f"*{', '.join(outcome.noted)}* is noted, the round goes on")
    if not said:
        said.append("read right" if moment in DEALT_AS else "nothing is due, nothing is taken")
    if outcome.unverified:
        said.append("the round is marked unverified")
    return "; ".join(said)


HEAD: Final = """# What a fault comes to

Each cell is a whole round at a real table, whose simulated reader did this at that moment, played by a dealer who answers
what the screen asks by what lies on the felt. Every one of these rounds closed with each card where it lay. Where no card
is due, a card passes the reader by mistake and goes back to the shoe (*double read*: one that was dealt is read again).

The faults are those of a reader that sends lines of text; `hardware/simulated/script.py` says what each does.

"""


def page(outcomes: dict[tuple[str, Moment], Outcome]) -> str:
    """The page of all outcomes, as a table fault × moment; outcomes that are alike at several moments stand together."""
    text = HEAD
    for fault in FAULTS:
        told: dict[str, list[str]] = {}
        for moment in Moment:
            told.setdefault(in_words(outcomes[fault.name, moment], moment), []).append(moment.value)
        text += f"## {fault.name.capitalize()}\n\n| when | what comes of it, and what the dealer does |\n|---|---|\n"
        text += "".join(f"| {', '.join(moments)} | {words} |\n" for words, moments in told.items()) + "\n"
    return text.rstrip("\n") + "\n"
