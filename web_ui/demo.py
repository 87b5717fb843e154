"""The demonstration's two keys: take the table from the robot, and hand it back."""

from flask import Blueprint, abort
from flask.typing import ResponseReturnValue

from web_ui.orders import not_signed_in
from web_ui.people import signed_in
from web_ui.site import DemoControl, site

demo = Blueprint("demo", __name__)


@demo.post("/demo/take-over")
def take_over() -> ResponseReturnValue:
    """A person deals from now on."""
    if signed_in() is None:
        return not_signed_in()
    robot = _robot()
    robot.take_over()
    return {"manual": robot.manual}


@demo.post("/demo/resume")
def resume() -> ResponseReturnValue:
    """The robot deals on."""
    if signed_in() is None:
        return not_signed_in()
    robot = _robot()
    robot.resume()
    return {"manual": robot.manual}


def _robot() -> DemoControl:
    robot = site().access.demo
    if robot is None:
        abort(404)
    return robot
