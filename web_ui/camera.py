"""The camera's page: what it sees now, what it disputed, and how well it reads. For supervisors; no picture goes elsewhere."""

from flask import Blueprint, Response, abort, render_template, request
from flask.typing import ResponseReturnValue

from dealer_assist.application.ports import CameraView
from web_ui.camera_words import ROLES, spoken_words
from web_ui.language import gettext
from web_ui.present_camera_log import camera_log
from web_ui.present_camera_view import log_mark, picture_message, state_message
from web_ui.site import site
from web_ui.supervision import turned_away

camera = Blueprint("camera", __name__)


@camera.before_request
def supervisors_only() -> ResponseReturnValue | None:
    """The camera is shown with the supervisor's PIN."""
    text = gettext("The camera is shown with the supervisor's PIN.")
    return turned_away("camera", text, is_act=request.endpoint == "camera.page")  # the rest comes by itself


@camera.get("/camera")
def page() -> ResponseReturnValue:
    """The page; what it shows is asked for by its script."""
    setup, watches = site().access.service.snapshot.table.setup, site().access.camera is not None
    role = gettext(ROLES[setup.camera])
    return render_template("camera.html", setup=setup, role=role, watches=watches, words=spoken_words())


@camera.get("/camera/live")
def live() -> ResponseReturnValue:
    """How the camera stands, and the newest picture that was read: its address, and what was read in it."""
    shared, table = site(), site().access.service.snapshot.table
    picture = _view().picture()
    shown = None
    if picture is not None:
        shared.pictures.keep(picture)
        shown = picture_message(picture, _view().zones, table)
    return {**state_message(_view().state), "records": log_mark(table), "picture": shown}


@camera.get("/camera/picture/<int:number>")
def picture(number: int) -> ResponseReturnValue:
    """A picture that was just told of, JPEG."""
    kept = site().pictures.of(number)
    if kept is None:
        abort(404)
    return Response(kept.jpeg, mimetype="image/jpeg")


@camera.get("/camera/log")
def log() -> ResponseReturnValue:
    """What the log tells of the camera, as a piece of the page."""
    history = site().access.camera_history
    return {"shown": "" if history is None else render_template("camera_log.html", **camera_log(history.report()))}


@camera.get("/camera/evidence/<name>")
def evidence(name: str) -> ResponseReturnValue:
    """A picture that was kept when the camera disagreed, JPEG."""
    history = site().access.camera_history
    jpeg = None if history is None else history.evidence(name)
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


def _view() -> CameraView:
    view = site().access.camera
    if view is None:
        abort(404)
    return view
