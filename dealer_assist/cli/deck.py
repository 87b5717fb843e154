"""`dealer-assist deck`: register a deck's tags card by card, check a deck file, take one over from a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypedDict, Unpack

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from dealer_assist.application.ports import ReaderLost, ReaderOnline, Sighting
from dealer_assist.cli.errors import UnusableInput, told_in_one_line
from dealer_assist.cli.reader import Pick, heard_until_end, is_loss, one_reader, port_options
from dealer_assist.storage.folder import write_owner_only
from hardware.reader.deck import load_deck
from hardware.reader.deck_check import Findings, Other, check_deck
from hardware.reader.deck_file import Certificate, Draft, deck_text, notation_of, read_csv, read_draft
from hardware.reader.reader import Reader
from hardware.reader.registration import ORDERS, NotTaken, Outcome, Registration, Taken, order_of, unregistered
from hardware.reader.uids import ByteOrder, UidForm

SETTLE_S: Final = 2.0  # after a pass's last card, how long one too many may still come

_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Machine output on standard output.")
_FILE: Final = click.Path(path_type=Path)
_OUT: Final = click.option("--out", required=True, type=_FILE, metavar="FILE", help="The deck file to write.")
_FORCE: Final = click.option("--force", is_flag=True, help="Write over a file that is there.")


class _Failed(Exception):
    """A registration that came to nothing; its text says why."""


@click.group()
def deck() -> None:
    """Decks: which tag is which card."""


class _Naming(TypedDict):
    out: Path
    force: bool
    deck_id: str | None
    name: str | None
    back: str


class _Registering(_Naming):
    who: str
    order: str
    tags: int
    in_one_pass: bool
    against: tuple[Path, ...]
    patience: float
    as_json: bool


@deck.command()
@port_options
@_OUT
@_FORCE
@click.option("--id", "deck_id", metavar="ID", help="The deck's id; default: the file's name.")
@click.option("--name", metavar="TEXT", help="The deck's name for people; default: its id.")
@click.option("--back", required=True, metavar="TEXT", help="What its back looks like, such as red.")
@click.option("--who", required=True, metavar="NAME", help="Who registers it, for the certificate.")
@click.option(
    "--order", default="ace-down", metavar="ORDER", help=f"{', '.join(ORDERS)} (spades first), or 52 card codes."
)
@click.option("--tags", type=click.IntRange(1, 2), default=1, help="How many tags each card carries.")
@click.option("--pass", "in_one_pass", is_flag=True, help="The whole deck passes the reader in the order.")
@click.option("--against", multiple=True, type=_FILE, metavar="FILE", help="Another deck, whose tags are refused.")
@click.option(
    "--patience", type=click.FloatRange(0.1), default=120.0, metavar="S", help="Give up after S idle seconds."
)
@_JSON
def register(pick: Pick, **options: Unpack[_Registering]) -> int:
    """Read a deck's tags in a stated order, one card at a time or in one pass, and write its file with a certificate.

    Exit 1, and nothing written, where a tag came twice, belongs to another deck, or the deck did not come out even.
    """
    settings = one_reader(pick)
    _may_write(options["out"], options["force"])
    with told_in_one_line():
        registration = Registration(order_of(options["order"]), options["tags"])
        book = unregistered([load_deck(path) for path in options["against"]])
    heard: SimpleQueue[Sighting] = SimpleQueue()
    running = Reader(settings, book, heard.put)
    running.start()
    try:
        with _guide(registration) as guide:
            _register(registration, running, heard, guide, options)
    except _Failed as failed:
        _tell_failure(registration, str(failed), options["as_json"])
        return 1
    finally:
        running.stop()
    result = f"{len(registration.tags)} cards, {registration.done} tags, {registration.damaged} damaged reads"
    draft = _draft(options, registration.tags)
    certificate = Certificate(draft.id, options["who"], datetime.now(UTC).replace(microsecond=0), settings.name, result)
    _write(options["out"], msgspec.structs.replace(draft, certificate=certificate))
    told = {"file": str(options["out"]), "deck": draft.id, "cards": len(draft.tags), "certificate": certificate}
    click.echo(msgspec.json.encode(told).decode() if options["as_json"] else f"{options['out']}: {result}")
    return 0


def _register(
    registration: Registration, running: Reader, heard: "SimpleQueue[Sighting]", guide: "_Guide", options: _Registering
) -> None:
    """Takes sightings until every card has its tags, and in a pass a while longer. Raises: _Failed."""
    in_one_pass = options["in_one_pass"]
    while registration.due is not None:
        for sighting in heard_until_end([running], heard, options["patience"]):
            outcome = registration.take(sighting)
            if in_one_pass:
                _require_order(sighting, outcome)
            guide.tell(sighting, outcome)
            if isinstance(outcome, Taken):
                break
        else:
            raise _Failed(
                f"{registration.due} did not come: {registration.done} of {registration.wanted} tags are read"
            )
    if in_one_pass:
        for sighting in heard_until_end([running], heard, SETTLE_S):
            _require_order(sighting, registration.take(sighting))


def _require_order(sighting: Sighting, outcome: Outcome) -> None:
    """Raises: _Failed, where a pass has lost its order; its recording's end alone does no harm."""
    ended = isinstance(sighting, ReaderLost) and not is_loss(sighting)
    if isinstance(outcome, NotTaken) and outcome.final and not ended:
        raise _Failed(outcome.reason)


class _Guide:
    """Leads a person through the deck on standard error, with a bar where that is a terminal."""

    def __init__(self, registration: Registration, console: Console, bar: Progress) -> None:
        self._registration = registration
        self._console = console
        self._bar = bar
        self._task = bar.add_task(self._next(), total=registration.wanted)
        self._said = ""

    def tell(self, sighting: Sighting, outcome: Outcome) -> None:
        """Show what came of a sighting; what is said again is not repeated."""
        self._bar.update(self._task, completed=self._registration.done, description=self._next())
        match outcome:
            case Taken(card=card, uid=uid):
                self._say(f"{card}  {uid}  ({self._registration.done} of {self._registration.wanted})")
            case NotTaken(reason=reason):
                self._say(f"[bold]not taken:[/bold] {reason}")
            case _ if isinstance(sighting, ReaderOnline):
                self._say(f"the reader is there; {self._next()}")
            case _:
                pass

    def _next(self) -> str:
        due = self._registration.due
        return "all there" if due is None else f"now {due}"

    def _say(self, text: str) -> None:
        if text != self._said:
            self._said = text
            self._console.print(text, highlight=False, soft_wrap=True)


@contextmanager
def _guide(registration: Registration) -> Iterator[_Guide]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield _Guide(registration, console, bar)


def _tell_failure(registration: Registration, reason: str, as_json: bool) -> None:
    if as_json:
        told = {"fault": reason, "read": registration.done, "wanted": registration.wanted}
        click.echo(msgspec.json.encode(told).decode())
    click.echo(f"not registered, nothing written: {reason}", err=True)


# --- checking and taking over ---------------------------------------------------------------------------------------


@deck.command()
@click.argument("file", type=_FILE)
@click.option(
    "--against", multiple=True, type=_FILE, metavar="FILE", help="Other decks, or an earlier file of this one."
)
@_JSON
def check(file: Path, against: tuple[Path, ...], as_json: bool) -> int:
    """Say which cards lack a tag, which tags are foreign, and which stand twice. Exit 1 where there are any."""
    with told_in_one_line():
        findings = check_deck(read_draft(file), [Other(str(other), read_draft(other)) for other in against])
    if as_json:
        click.echo(msgspec.json.encode({"file": str(file), "holds": findings.holds, **_fields(findings)}).decode())
    else:
        _show(file, findings)
    return 0 if findings.holds else 1


def _fields(findings: Findings) -> dict[str, object]:
    return msgspec.structs.asdict(findings)


def _show(file: Path, findings: Findings) -> None:
    click.echo(f"{file}: deck {findings.deck}, {findings.cards} cards, {findings.tags} tags")
    if findings.missing:
        click.echo(f"missing  {' '.join(findings.missing)}")
    for foreign in findings.foreign:
        click.echo(f"foreign  {foreign.uid}, here {foreign.card}: {foreign.why}")
    for doubled in findings.doubled:
        click.echo(f"doubled  {doubled.uid}: {' '.join(doubled.cards)}")
    for fault in findings.faults:
        click.echo(f"fault    {fault}")


class _Importing(_Naming):
    form: UidForm
    byte_order: ByteOrder
    size: int | None
    as_json: bool


@deck.command("import")
@click.argument("file", type=_FILE)
@_OUT
@_FORCE
@click.option("--id", "deck_id", metavar="ID", help="The deck's id; default: the file's name.")
@click.option("--name", metavar="TEXT", help="The deck's name for people; default: its id.")
@click.option("--back", required=True, metavar="TEXT", help="What its back looks like, such as red.")
@click.option("--uid-form", "form", required=True, type=click.Choice(["hex", "decimal"]), help="How UIDs are written.")
@click.option(
    "--byte-order", required=True, type=click.Choice(["as-sent", "reversed"]), help="As the reader sends them, or not."
)
@click.option("--uid-bytes", "size", type=int, metavar="N", help="How many bytes a UID has; needed for decimal.")
@_JSON
def import_(file: Path, **options: Unpack[_Importing]) -> None:
    """Make a deck file of a CSV table with the columns card,uid (and uid2). Nothing about its UIDs is guessed."""
    _may_write(options["out"], options["force"])
    with told_in_one_line():
        notation = notation_of(options["form"], options["byte_order"], options["size"], str(file))
        draft = _draft(options, read_csv(file, notation))
    _write(options["out"], draft)
    told = {"file": str(options["out"]), "deck": draft.id, "cards": len(draft.tags)}
    text = f"{options['out']}: deck {draft.id}, {len(draft.tags)} cards"
    click.echo(msgspec.json.encode(told).decode() if options["as_json"] else text)


def _draft(naming: _Naming, tags: dict[str, tuple[str, ...]]) -> Draft:
    deck_id = naming["deck_id"] or naming["out"].stem
    return Draft(deck_id, naming["name"] or deck_id, naming["back"], tags, ())


def _may_write(out: Path, force: bool) -> None:
    if out.exists() and not force:
        raise UnusableInput(f"--out: expected a new file (or --force), found {out}")
    if not out.parent.is_dir():
        raise UnusableInput(f"--out: expected a file in a folder that is there, found {out}")


def _write(out: Path, draft: Draft) -> None:
    """Whole or not at all, for its owner's eyes: who can read it can tell cards that lie face down."""
    try:
        write_owner_only(out, deck_text(draft).encode())
    except OSError as error:
        raise UnusableInput(f"--out: expected a file that can be written, found {out}: {error.strerror}") from None
