"""One file a wire format, and the register that finds a decoder by its protocol's name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hardware.reader.decoders.line import LineDecoder
from hardware.reader.errors import BadSettings, Fault
from hardware.reader.messages import Decoder

_MAKERS: Final[Mapping[str, Callable[[str | None], Decoder]]] = MappingProxyType({"line": LineDecoder})
PROTOCOLS: Final = tuple(_MAKERS)


def make_decoder(protocol: str, pattern: str | None = None) -> Decoder:
    """A fresh decoder; each reader has its own, so that no state is shared between readers.

    Raises: BadSettings, for a protocol that is not known (naming those known) or a pattern that can't be used.
    """
    maker = _MAKERS.get(protocol)
    if maker is None:
        raise BadSettings(Fault("protocol", "one of " + ", ".join(PROTOCOLS), f'"{protocol}"'))
    return maker(pattern)
