"""One file a wire format, each a reader's side of it, and the register that finds a device by its name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hardware.simulated.devices.device import Device
from hardware.simulated.devices.em4100 import Em4100Device
from hardware.simulated.devices.line import LineDevice
from hardware.simulated.devices.pn532 import Pn532Device
from hardware.simulated.devices.r200 import R200Device
from hardware.simulated.devices.twn4 import Twn4Device
from hardware.simulated.devices.uhfreader18 import UhfReader18Device

_MAKERS: Final[Mapping[str, Callable[[], Device]]] = MappingProxyType(
    {
        "line": LineDevice,
        "em4100": Em4100Device,
        "em4100-id12la": lambda: Em4100Device(b"\r\n"),
        "pn532": Pn532Device,
        "r200": R200Device,
        "twn4": Twn4Device,
        "uhfreader18": UhfReader18Device,
        "uhfreader18-active": lambda: UhfReader18Device(active=True),
    }
)
DEVICES: Final = tuple(_MAKERS)


def make_device(name: str) -> Device:
    """A device as it is when its power comes.

    Raises: ValueError, for a name that is not known (naming those known).
    """
    if name not in _MAKERS:
        raise ValueError(f'protocol: expected one of {", ".join(DEVICES)}, found "{name}"')
    return _MAKERS[name]()


def protocol_of(name: str) -> str:
    """The wire format that a device speaks, as a reader's settings name it."""
    return name.partition("-")[0]
