"""How UIDs are written down, and what the reader sends for them.

    uid_form   byte_order   written             sent
    hex        as-sent      0406B9020A5481      04 06 B9 02 0A 54 81
    hex        reversed     81540A02B90604      04 06 B9 02 0A 54 81
    decimal    as-sent      0442383958          1A 5E 3E 56         (uid_bytes = 4)
    decimal    reversed     1446927898          1A 5E 3E 56         (uid_bytes = 4)

A number says nothing of its leading zeros nor of its byte order, so all of this is stated and never guessed.
"""

import re
from typing import Final, Literal

import msgspec

from hardware.reader.errors import BadDeck, Fault

UidForm = Literal["hex", "decimal"]
ByteOrder = Literal["as-sent", "reversed"]

LONGEST_UID: Final = 32  # bytes; the longest EPC a reader sends is shorter

_HEX: Final = re.compile(r"(?:[0-9A-F]{2})+")
_DECIMAL: Final = re.compile(r"[0-9]+")


class UidNotation(msgspec.Struct, frozen=True):
    """How a file writes its UIDs. `size`: how many bytes each has; needed for decimal, and checked for hex if given.

    Raises: BadDeck, where the notation leaves open which bytes are meant.
    """

    form: UidForm
    byte_order: ByteOrder
    size: int | None = None

    def __post_init__(self) -> None:
        if self.form == "decimal" and self.size is None:
            raise BadDeck(Fault("uid_bytes", "how many bytes a UID has, since uid_form is decimal", "nothing"))
        if self.size is not None and not 1 <= self.size <= LONGEST_UID:
            raise BadDeck(Fault("uid_bytes", f"1 to {LONGEST_UID} bytes", str(self.size)))

    @property
    def expected(self) -> str:
        """What a UID should look like, in words."""
        if self.form == "decimal":
            return f"a UID as a decimal number of {self.size} bytes"
        size = "an even number of digits" if self.size is None else f"{self.size * 2} digits"
        return f"a UID in upper-case hex with {size}"

    def sent(self, written: str) -> str | None:
        """The UID as the reader sends it, in upper-case hex; None for text that is none."""
        uid = self._bytes(written)
        if uid is None or (self.size is not None and len(uid) != self.size):
            return None
        return (uid[::-1] if self.byte_order == "reversed" else uid).hex().upper()

    def _bytes(self, written: str) -> bytes | None:
        if self.form == "hex":
            return bytes.fromhex(written) if _HEX.fullmatch(written) else None
        size = self.size or 0
        if not _DECIMAL.fullmatch(written) or len(written) > 3 * size or int(written) >= 1 << 8 * size:
            return None
        return int(written).to_bytes(size)
