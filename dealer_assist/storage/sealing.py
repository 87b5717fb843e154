"""Cards that lie face down, encrypted on disk: a copied log alone tells nothing of a round that is not over.

The key lies in the data folder, readable by the service's user: who has both files can read both.
"""

import secrets
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_NONCE: Final = 12


class BrokenSeal(Exception):
    """Sealed bytes that this key does not open: edited, moved, or sealed with another key."""


class Seal:
    """Seals and opens an event's bytes; `place` ties them to their row, so that none can be moved to another."""

    def __init__(self, key: bytes) -> None:
        self._cipher: Final = AESGCM(key)

    def close(self, body: bytes, place: bytes) -> bytes:
        """The body, encrypted and authenticated."""
        nonce = secrets.token_bytes(_NONCE)
        return nonce + self._cipher.encrypt(nonce, body, place)

    def open(self, sealed: bytes, place: bytes) -> bytes:
        """The body again. Raises: BrokenSeal."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], place)
        except (InvalidTag, ValueError):
            raise BrokenSeal from None
