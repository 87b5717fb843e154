"""What a site serves and what its views share: one table, its people, and the pictures made for its streams."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, cast

from flask import Flask, current_app

from dealer_assist.application.ports import CameraHistory, CameraPicture, CameraView, Laboratory, Pins
from dealer_assist.application.publisher import Publisher
from dealer_assist.application.service import TableService
from web_ui.people import Sessions
from web_ui.present import dealer_message
from web_ui.present_sign import sign_message
from web_ui.stream import Rendering


class DemoControl(Protocol):
    """The demonstration's robot, which deals until a person takes over."""

    @property
    def manual(self) -> bool:
        """Whether a person deals."""

    def take_over(self) -> None:
        """Let a person deal."""

    def resume(self) -> None:
        """Let the robot deal again."""


def _nothing() -> None:
    """Nothing is to be closed."""


@dataclass(frozen=True, kw_only=True)
class TableAccess:
    """The table that an app serves, and how.

    `open_to_watch`: screens are shown to anyone, keys still ask who presses. `setup_token` opens the first run's page
    while no PINs are set; empty: never. `idle_minutes` without an act sign a person out. `close` ends the table.
    """

    service: TableService
    publisher: Publisher
    pins: Pins
    secret_key: bytes
    open_to_watch: bool = False
    demo: DemoControl | None = None
    laboratory: Laboratory | None = None
    camera: CameraView | None = None
    camera_history: CameraHistory | None = None
    setup_token: str = ""
    idle_minutes: float = 60.0
    trusted_hosts: tuple[str, ...] = ("127.0.0.1", "localhost")
    close: Callable[[], None] = field(default=_nothing)


class LivePictures:
    """The pictures of the camera that pages were just told of: what is drawn over one belongs to it, not to the next."""

    KEPT: Final = 8

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[int, CameraPicture] = {}

    def keep(self, picture: CameraPicture) -> None:
        """Keep it a while."""
        with self._lock:
            self._kept[picture.number] = picture
            while len(self._kept) > self.KEPT:
                del self._kept[min(self._kept)]

    def of(self, number: int) -> CameraPicture | None:
        """The picture of this number; None where it is gone, or was never told of."""
        with self._lock:
            return self._kept.get(number)


class Site:
    """What an app's views share: the table, its people, and the pictures made for its streams."""

    def __init__(self, access: TableAccess) -> None:
        self.access: Final = access
        self.sessions: Final = Sessions(access.idle_minutes * 60)
        epoch = access.publisher.epoch
        self.dealer: Final = Rendering(lambda snapshot: dealer_message(snapshot, epoch))
        self.pictures: Final = LivePictures()
        self.sign: Final = Rendering(lambda snapshot: sign_message(snapshot, epoch))


def site() -> Site:
    """The site of the request at hand."""
    return site_of(current_app)


def site_of(app: Flask) -> Site:
    """The site an app serves."""
    return cast(Site, app.extensions["dealer_assist"])
