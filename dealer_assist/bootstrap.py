"""Wiring: the one place that knows everybody. A plan and a folder become a running table."""

import threading
from datetime import UTC, datetime
from typing import Final

import msgspec
import structlog

from dealer_assist.analysis.laboratory import Computing
from dealer_assist.application.intake import Intake
from dealer_assist.application.ports import Figures, TableTerms
from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import Request, Snapshot, TableService
from dealer_assist.game.commands import ReportReaderLost
from dealer_assist.game.errors import BadSetting, GameError
from dealer_assist.game.round import Phase
from dealer_assist.game.settings import Raw, require, shaped
from dealer_assist.game.setup import TableSetup
from dealer_assist.storage import acts
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.profiles import find, names, read_toml
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from dealer_assist.storage.tables import TablePlan
from hardware.reader.deck import DeckBook, load_deck
from hardware.reader.reader import Reader, ReaderSettings

_say = structlog.get_logger(__name__)

_ACTS_EVERY_S: Final = 1.0


def utc_now() -> str:
    """The time, ISO 8601 in UTC with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


class RulesLaboratory:
    """The shipped rule sheets, and the process that computes what they are worth."""

    def __init__(self) -> None:
        self._computing = Computing()

    def names(self) -> tuple[str, ...]:
        """The ids of the sheets."""
        return names("rules")

    def sheet(self, name: str) -> Raw:
        """A shipped sheet's document. Raises: KeyError, also for a path; BadSetting."""
        if name not in names("rules"):
            raise KeyError(name)
        return read_toml(find("rules", name))

    def figures(self, document: Raw, terms: TableTerms | None) -> Figures:
        """Raises: NoFigures, BadSetting."""
        return self._computing.figures(document, terms)

    def close(self) -> None:
        """End the process."""
        self._computing.close()


class RunningTable:
    """A table with its log, its readers, what they feed, and its laboratory. `stop` ends all of it."""

    def __init__(self, plan: TablePlan, folder: DataFolder) -> None:
        folder.lock()
        self.folder = folder
        self.publisher = Publisher()
        self._log = SqliteLog(folder.log, Seal(folder.key("seal")))
        self._decks = _decks(plan)
        self.service = TableService(self._log, _with_decks(plan.setup, self._decks), utc_now, self._published)
        self.intake = Intake(lambda: self.service.snapshot, self.service.submit)
        self.readers = _readers(plan, self._decks, self.intake)
        self.laboratory = RulesLaboratory()
        self._stopped = threading.Event()
        self._acts = threading.Thread(target=self._take_acts, name="acts", daemon=True)

    def start(self) -> None:
        """Take commands, then let the readers speak."""
        self.service.start()
        self._ask_for_the_count()
        self._acts.start()
        for reader in self.readers:
            reader.start()

    def _published(self, snapshot: Snapshot) -> None:
        """What was committed goes to the screens; a deck that was changed, to the readers too, before the next card."""
        in_play = snapshot.table.deck_in_play
        if self._decks is not None and in_play is not None and in_play != self._decks.in_play.id:
            self._decks.put_into_play(in_play)
        self.publisher.publish(snapshot)

    def _ask_for_the_count(self) -> None:
        """What left the shoe while the table was down, no reader saw: a deal goes on when the cards are counted."""
        now = self.service.snapshot.table.round
        if now is not None and now.phase is Phase.dealing:
            for reader in self.readers:
                lost = ReportReaderLost(reader.name, "the table was started again")
                self.service.do(Request(lost, actor="system"))

    def stop(self) -> None:
        """End the readers, then what is queued, then the log."""
        self._stopped.set()
        self.publisher.close()
        self.laboratory.close()
        for reader in self.readers:
            reader.stop()
        self._acts.join(timeout=2)
        self.service.stop()
        self._log.close()
        self.folder.unlock()

    def _take_acts(self) -> None:
        """Take into the log what was done beside the table, such as an export."""
        while not self._stopped.wait(_ACTS_EVERY_S):
            for path, act in acts.left(self.folder.acts):
                try:
                    self.service.do(Request(act.command, act.actor, key=path.name))
                except GameError:
                    _say.exception("an act was refused", act=path.name)
                    path.replace(path.with_suffix(".refused"))
                else:
                    path.unlink()


def _decks(plan: TablePlan) -> DeckBook | None:
    if not plan.decks:
        return None
    in_play, *resting = (load_deck(path) for path in plan.decks)
    return DeckBook(in_play, resting)


def _with_decks(setup: TableSetup, decks: DeckBook | None) -> TableSetup:
    return setup if decks is None else msgspec.structs.replace(setup, decks=decks.ids)


def _readers(plan: TablePlan, decks: DeckBook | None, intake: Intake) -> list[Reader]:
    if not plan.readers:
        return []
    if decks is None:
        raise BadSetting("decks", "expected the deck files whose cards the readers see, found none")
    return [Reader(_settings(at, raw), decks, intake) for at, raw in enumerate(plan.readers)]


def _settings(at: int, raw: Raw) -> ReaderSettings:
    """Raises: BadSetting; a recording never feeds a real table's meter."""
    settings = shaped(raw, ReaderSettings)
    require(not settings.is_replay, f"readers[{at}].url", "a device", f"the recording {settings.url}")
    return settings
