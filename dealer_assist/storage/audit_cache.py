"""Audits kept in the user's cache directory: keyed by all that they are made of, checked when read."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from dealer_assist.game.profile import RuleProfile
from dealer_assist.game.setup import TableSetup
from dealer_assist.storage.codec import encode_value

VERSION: Final = 2
"""Goes up when an audit's figures or fields change."""


class Kept(msgspec.Struct, frozen=True):
    """One audit as kept: its JSON, and what it was made from."""

    key: str
    digest: str
    audit: msgspec.Raw


MadeOf = tuple[RuleProfile, TableSetup | None, bool]
"""The profile, the table it is audited for, and whether optimal play is told."""


def key_of(made_of: MadeOf) -> str:
    """What an audit hangs on: every value of the profile and of the table, and the version of the figures."""
    return hashlib.sha256(encode_value((VERSION, *made_of))).hexdigest()


def recall(made_of: MadeOf) -> bytes | None:
    """The kept audit's JSON; None where there is none that is whole."""
    key = key_of(made_of)
    try:
        kept = msgspec.json.decode(_path(key).read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None
    whole = kept.key == key and kept.digest == hashlib.sha256(kept.audit).hexdigest()
    return bytes(kept.audit) if whole else None


def keep(made_of: MadeOf, audit: bytes) -> None:
    """Keep an audit's JSON for later calls."""
    key = key_of(made_of)
    path = _path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(msgspec.json.encode(Kept(key, hashlib.sha256(audit).hexdigest(), msgspec.Raw(audit))))
    partial.replace(path)


def _path(key: str) -> Path:
    return Path(platformdirs.user_cache_dir("dealer-assist")) / "audits" / f"{key[:32]}.json"
