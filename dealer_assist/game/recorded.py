"""What every event is: a value that the log keeps, in the clear or sealed."""

from typing import ClassVar

import msgspec


class Recorded(msgspec.Struct, frozen=True, tag=True):
    """One kind of event each. `sealed`: it may carry a card lying face down, and is stored encrypted."""

    sealed: ClassVar[bool] = False
