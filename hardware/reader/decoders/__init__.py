"""One file a wire format, and the register that finds a decoder by its protocol's name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hardware.reader.decoders.em4100 import Em4100Decoder
from hardware.reader.decoders.line import LineDecoder
from hardware.reader.decoders.pn532 import Pn532Decoder
from hardware.reader.decoders.r200 import R200Decoder
from hardware.reader.decoders.twn4 import Twn4Decoder
from hardware.reader.decoders.uhfreader18 import UhfReader18Decoder
from hardware.reader.errors import BadSettings, Fault
from hardware.reader.messages import Decoder

_MAKERS: Final[Mapping[str, Callable[[], Decoder]]] = MappingProxyType(
    {
        "line": LineDecoder,
        "em4100": Em4100Decoder,
        "pn532": Pn532Decoder,
        "r200": R200Decoder,
        "twn4": Twn4Decoder,
        "uhfreader18": UhfReader18Decoder,
    }
)
PROTOCOLS: Final = tuple(_MAKERS)


def make_decoder(protocol: str, pattern: str | None = None) -> Decoder:
    """A fresh decoder; each reader has its own, so that no state is shared between readers.

    Raises: BadSettings, for a protocol that is not known (naming those known), a pattern that can't be used, or one
    for a protocol other than `line`.
    """
    maker = _MAKERS.get(protocol)
    if maker is None:
        raise BadSettings(Fault("protocol", "one of " + ", ".join(PROTOCOLS), f'"{protocol}"'))
    if pattern is None:
        return maker()
    if maker is not LineDecoder:
        raise BadSettings(Fault("pattern", f"none, since {protocol} has no lines to match", f'"{pattern}"'))
    return LineDecoder(pattern)
