"""The PINs of the dealer and the supervisor: one small file of Argon2id hashes, readable by its owner only.

There is no default: both are set at the first run. After five wrong tries a role is locked for half a minute.
"""

import os
import re
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dealer_assist.application.ports import BadPin, PinFault, PinVerdict, Role
from dealer_assist.game.errors import BadSetting

__all__ = ["BadPin", "PinBook"]

TRIES: Final = 5
LOCKED_SECONDS: Final = 30.0
_PIN: Final = re.compile(r"[0-9]{6,12}", re.ASCII)
_RUNS: Final = ("01234567890123456789", "98765432109876543210")


class _Hashes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    dealer: str
    supervisor: str


class _Tries:
    """Wrong tries of one role since the last right one, and until when it is locked."""

    def __init__(self) -> None:
        self.wrong = 0
        self.locked_until = 0.0


class PinBook:
    """The PINs kept in the file `path`. `clock` gives seconds that only grow; `hasher` is Argon2id at its usual cost.

    The file is read at every try, so PINs set from the terminal hold at once.
    Raises: BadSetting, where the file is there and can't be read.
    """

    def __init__(
        self, path: Path, clock: Callable[[], float] = time.monotonic, hasher: PasswordHasher | None = None
    ) -> None:
        self._path = path
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._one_at_a_time = threading.Lock()
        self._tries = {role: _Tries() for role in Role}
        _read(path)

    @property
    def are_set(self) -> bool:
        """Whether there are PINs."""
        return self._path.exists()

    def set_up(self, dealer: str, supervisor: str) -> None:
        """Keep the first PINs. Raises: BadPin, also where there are some."""
        self._keep(dealer, supervisor, first=True)

    def set(self, dealer: str, supervisor: str) -> None:
        """Keep these PINs in place of any others. Raises: BadPin."""
        self._keep(dealer, supervisor, first=False)

    def _keep(self, dealer: str, supervisor: str, *, first: bool) -> None:
        with self._one_at_a_time:
            for pin in (dealer, supervisor):
                _require_usable(pin)
            if secrets.compare_digest(dealer, supervisor):
                raise BadPin(PinFault.the_same)
            _write(self._path, _Hashes(self._hasher.hash(dealer), self._hasher.hash(supervisor)), first=first)

    def verify(self, role: Role, pin: str) -> PinVerdict:
        """Whether this is the role's PIN. One try at a time, so that no number of clients gets more than five."""
        with self._one_at_a_time:
            tries, now = self._tries[role], self._clock()
            if now < tries.locked_until:
                return PinVerdict(right=False, locked_for=tries.locked_until - now)
            if self._is_right(role, pin):
                tries.wrong = 0
                return PinVerdict(right=True)
            tries.wrong += 1
            if tries.wrong < TRIES:
                return PinVerdict(right=False)
            tries.wrong, tries.locked_until = 0, now + LOCKED_SECONDS
            return PinVerdict(right=False, locked_for=LOCKED_SECONDS)

    def _is_right(self, role: Role, pin: str) -> bool:
        hashes = _read(self._path)
        if hashes is None or not _PIN.fullmatch(pin):
            return False
        try:
            return self._hasher.verify(getattr(hashes, role.value), pin)
        except (VerificationError, InvalidHashError):
            return False


def _require_usable(pin: str) -> None:
    if not _PIN.fullmatch(pin):
        raise BadPin(PinFault.not_six_digits)
    if len(set(pin)) == 1 or any(pin in run for run in _RUNS):
        raise BadPin(PinFault.too_easy)


def _read(path: Path) -> _Hashes | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Hashes)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadSetting(str(path), f"expected a readable file, found: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadSetting(str(path), f"expected the PINs' hashes, found: {error}") from None


def _write(path: Path, hashes: _Hashes, *, first: bool) -> None:
    """Write the whole file or none; the `first` one never over another. Raises: BadPin."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(msgspec.json.encode(hashes))
            out.flush()
            os.fsync(out.fileno())
        if first:
            path.hardlink_to(draft)
        else:
            draft.replace(path)
    except FileExistsError:
        raise BadPin(PinFault.already_set) from None
    finally:
        draft.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
