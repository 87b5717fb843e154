"""Audits kept in the user's cache directory: keyed by the whole profile, checked when read."""

import hashlib
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

from dealer_assist.game.profile import RuleProfile
from dealer_assist.storage.codec import encode_value

VERSION: Final = 1
"""Goes up when an audit's figures or fields change."""


class Kept(msgspec.Struct, frozen=True):
    """One audit as kept: its JSON, and what it was made from."""

    key: str
    digest: str
    audit: msgspec.Raw


def key_of(profile: RuleProfile) -> str:
    """What an audit hangs on: every value of the profile, and the version of the figures."""
    return hashlib.sha256(str(VERSION).encode() + encode_value(profile)).hexdigest()


def recall(profile: RuleProfile) -> bytes | None:
    """The kept audit's JSON; None where there is none that is whole."""
    key = key_of(profile)
    try:
        kept = msgspec.json.decode(_path(key).read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None
    whole = kept.key == key and kept.digest == hashlib.sha256(kept.audit).hexdigest()
    return bytes(kept.audit) if whole else None


def keep(profile: RuleProfile, audit: bytes) -> None:
    """Keep an audit's JSON for later calls."""
    key = key_of(profile)
    path = _path(key)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(msgspec.json.encode(Kept(key, hashlib.sha256(audit).hexdigest(), msgspec.Raw(audit))))
    partial.replace(path)


def _path(key: str) -> Path:
    return Path(platformdirs.user_cache_dir("dealer-assist")) / "audits" / f"{key[:32]}.json"
