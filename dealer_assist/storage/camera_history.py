"""What a table's log tells of its camera, beside the table that writes it, and the pictures that are kept."""

import threading
from typing import Final

from dealer_assist.application.camera_report import CameraLedger, CameraReport
from dealer_assist.storage.evidence import EvidenceStore
from dealer_assist.storage.folder import DataFolder
from dealer_assist.storage.sealing import Seal
from dealer_assist.storage.sqlite_log import logged, open_to_read, rows


class LoggedCamera:
    """The history of one folder's camera. Each report reads on from where the one before ended."""

    def __init__(self, folder: DataFolder, seal: Seal) -> None:
        self._path: Final = folder.log
        self._seal: Final = seal
        self._store: Final = EvidenceStore(folder.evidence)
        self._lock = threading.Lock()
        self._ledger = CameraLedger()
        self._read_to: int | None = None

    def report(self) -> CameraReport:
        """All that the log tells up to now; the first time reads it whole. Raises: BrokenSeal; msgspec.ValidationError."""
        with self._lock:
            connection = open_to_read(self._path)
            try:
                for each in logged(rows(connection, self._read_to), self._seal):
                    self._ledger.take(each)
                    self._read_to = each.seq
            finally:
                connection.close()
            return self._ledger.report

    def evidence(self, name: str) -> bytes | None:
        """A kept picture by its name in the log, JPEG; None where there is none any more. Raises: OSError."""
        return self._store.read(name)
