"""How one talks with a reader: one file a protocol that has to be asked, and the register that finds a dialogue."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from hardware.reader.dialogues import pn532, r200, twn4, uhfreader18
from hardware.reader.dialogues.asking import Asking, Script
from hardware.reader.dialogues.dialogue import Dialogue, Listening
from hardware.reader.errors import BadSettings, Fault

# Each protocol that can be asked, and how many seconds lie between polls where no setting says so; None: it is asked
# only where a setting says so, since it may speak by itself.
_ASKED: Final[Mapping[str, tuple[Script, float | None]]] = MappingProxyType(
    {
        "pn532": (pn532.SCRIPT, pn532.EVERY_S),
        "r200": (r200.SCRIPT, r200.EVERY_S),
        "twn4": (twn4.SCRIPT, twn4.EVERY_S),
        "uhfreader18": (uhfreader18.SCRIPT, None),
    }
)


def make_dialogue(protocol: str, poll_s: float | None = None) -> Dialogue:
    """A fresh dialogue; each reader has its own. `poll_s`: seconds from one poll to the next.

    Raises: BadSettings, where a reader is to be polled that only ever speaks by itself.
    """
    script, every_s = _ASKED.get(protocol, (None, None))
    if script is None and poll_s is not None:
        expected = f"nothing, since {protocol} readers speak by themselves; polled are {', '.join(_ASKED)}"
        raise BadSettings(Fault("poll_s", expected, str(poll_s)))
    every_s = poll_s if poll_s is not None else every_s
    return Listening() if script is None or every_s is None else Asking(script, every_s)
