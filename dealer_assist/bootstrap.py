"""Wiring: the one place that knows everybody. A plan and a folder become a running table."""

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
import structlog

from dealer_assist.analysis.laboratory import Computing
from dealer_assist.application.intake import Intake
from dealer_assist.application.lookout import Lookout
from dealer_assist.application.ports import CameraEye, Figures, TableTerms
from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import LogUnavailable, Request, Snapshot, TableService
from dealer_assist.game.commands import DropEvidence, ReportCameraLost, ReportReaderLost
from dealer_assist.game.errors import BadSetting, GameError
from dealer_assist.game.round import Phase
from dealer_assist.game.settings import Raw, require, shaped
from dealer_assist.game.setup import CameraRole, TableSetup
from dealer_assist.storage import acts
from dealer_assist.storage.camera_history import LoggedCamera
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.profiles import find, named, names, read_toml
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import SqliteLog
from dealer_assist.storage.tables import TablePlan
from hardware.camera.calibration import calibration_from
from hardware.camera.settings import CameraSettings
from hardware.reader.deck import DeckBook, load_deck
from hardware.reader.reader import Reader, ReaderSettings

if TYPE_CHECKING:
    from hardware.camera.eye import Eye

T = TypeVar("T")

_say = structlog.get_logger(__name__)

_ACTS_EVERY_S: Final = 1.0
_EVIDENCE_EVERY_S: Final = 24 * 3600.0


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
    """A table with its log, its readers and camera, what they feed, and its laboratory. `stop` ends all of it.

    `camera` is None where it plays no part. Raises: BadSetting, FolderInUse.
    """

    def __init__(self, plan: TablePlan, folder: DataFolder) -> None:
        settings = camera_settings(plan)
        self.camera = camera_of(settings)
        folder.lock()
        self.folder = folder
        self.publisher = Publisher()
        seal = Seal(folder.key("seal"))
        self._log = SqliteLog(folder.log, seal)
        self._decks = _decks(plan)
        self.service = TableService(
            self._log, _with_devices(plan.setup, self._decks, settings), utc_now, self._published
        )
        self.intake = Intake(lambda: self.service.snapshot, self.service.submit)
        self.readers = _readers(plan, self._decks, self.intake)
        self._evidence = EvidenceStore(folder.evidence)
        self.camera_history = LoggedCamera(folder, seal)
        self._keep_days = None if settings is None else settings.keep_days
        self._lookout = None if self.camera is None else self._lookout_with(self.camera)
        self.laboratory = RulesLaboratory()
        self._stopped = threading.Event()
        self._acts = threading.Thread(target=self._take_acts, name="acts", daemon=True)

    def start(self) -> None:
        """Take commands, then let the readers and the camera speak."""
        self.service.start()
        self._ask_for_the_count()
        self._acts.start()
        for reader in self.readers:
            reader.start()
        if self.camera is not None and self._lookout is not None:
            self.camera.start()
            self._lookout.start()
        elif self.service.snapshot.table.camera.is_live:  # as it was when the table was last ended
            self.service.do(Request(ReportCameraLost("the table was started without it"), actor="system"))

    def _lookout_with(self, eye: CameraEye) -> Lookout:
        return Lookout(eye, lambda: self.service.snapshot, self.service.submit, self._evidence.keep)

    def _published(self, snapshot: Snapshot) -> None:
        """What was committed goes to the screens; before the next card, to the camera, and a changed deck to the readers."""
        in_play = snapshot.table.deck_in_play
        if self._decks is not None and in_play is not None and in_play != self._decks.in_play.id:
            self._decks.put_into_play(in_play)
        if self.camera is not None and self._lookout is not None:
            self.camera.put_into_play(in_play)
            self._lookout.published(snapshot)
        self.publisher.publish(snapshot)

    def _ask_for_the_count(self) -> None:
        """What left the shoe while the table was down, no reader saw: a deal goes on when the cards are counted."""
        now = self.service.snapshot.table.round
        if now is not None and now.phase is Phase.dealing:
            for reader in self.readers:
                lost = ReportReaderLost(reader.name, "the table was started again")
                self.service.do(Request(lost, actor="system"))

    def stop(self) -> None:
        """End the readers and the camera, then what is queued, then the log."""
        self._stopped.set()
        self.publisher.close()
        self.laboratory.close()
        for reader in self.readers:
            reader.stop()
        if self.camera is not None and self._lookout is not None:
            self._lookout.stop()
            self.camera.stop()
        self._acts.join(timeout=2)
        self.service.stop()
        self._log.close()
        self.folder.unlock()

    def _take_acts(self) -> None:
        """Take into the log what was done beside the table, such as an export; and drop old pictures, once a day."""
        drop_at = time.monotonic()
        while not self._stopped.wait(_ACTS_EVERY_S):
            if time.monotonic() >= drop_at:
                drop_at += _EVIDENCE_EVERY_S
                self._drop_old_pictures()
            for path, act in acts.left(self.folder.acts):
                try:
                    self.service.do(Request(act.command, act.actor, key=path.name))
                except GameError:
                    _say.exception("an act was refused", act=path.name)
                    path.replace(path.with_suffix(".refused"))
                else:
                    path.unlink()

    def _drop_old_pictures(self) -> None:
        """Named in the log first: a picture that is gone is one that the log knows to be."""
        if self._keep_days is None:
            return
        try:
            old = self._evidence.expired(datetime.now(UTC), self._keep_days)
            self.service.do(Request(DropEvidence(old), actor="system"))
            self._evidence.remove(old)
        except (OSError, LogUnavailable, TimeoutError) as error:
            _say.warning("old pictures stay another day", reason=str(error))


class _Devices(msgspec.Struct, frozen=True):
    camera: CameraSettings


def camera_settings(plan: TablePlan) -> CameraSettings | None:
    """A table's camera; None where it has none. Raises: BadSetting."""
    if plan.camera is None:
        return None
    settings = shaped({"camera": plan.camera}, _Devices).camera
    alone = settings.role is not CameraRole.source or not plan.readers
    require(alone, "camera.role", '"source" at a table without readers', f"{len(plan.readers)} readers beside it")
    return settings


def camera_of(settings: CameraSettings | None) -> "Eye | None":
    """A camera that plays a part, not yet started; None for any other, and then nothing of it is loaded. Raises: BadSetting."""
    if settings is None or settings.role is CameraRole.off:
        return None
    from hardware.camera.enrolment import enrolled_from  # noqa: PLC0415
    from hardware.camera.eye import eye_of  # noqa: PLC0415

    calibration = _read(settings.calibration, calibration_from)
    enrolled = {deck: _read(file, enrolled_from).thresholds for deck, file in settings.enrolment.items()}
    return eye_of(settings, calibration, enrolled)


def _read(file: str, shape: Callable[[Raw], T]) -> T:
    path = Path(file)
    return named(path, lambda: shape(read_toml(path)))


def _decks(plan: TablePlan) -> DeckBook | None:
    if not plan.decks:
        return None
    in_play, *resting = (load_deck(path) for path in plan.decks)
    return DeckBook(in_play, resting)


def _with_devices(setup: TableSetup, decks: DeckBook | None, camera: CameraSettings | None) -> TableSetup:
    role = CameraRole.off if camera is None else camera.role
    return msgspec.structs.replace(setup, decks=() if decks is None else decks.ids, camera=role)


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
