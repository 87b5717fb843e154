"""Pages that only a supervisor may see: who comes without the PIN is led to the pad, a script is told no."""

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dealer_assist.application.ports import Role
from web_ui.language import gettext
from web_ui.people import signed_in
from web_ui.site import site


def turned_away(page: str, text: str, *, is_act: bool = True) -> ResponseReturnValue | None:
    """The answer to whoever is no supervisor, saying why in `text`; None for a supervisor.

    `page`: the endpoint's blueprint, and its name in the pad's address. `is_act`: the request is a person's doing, and
    puts off the end of the session.
    """
    person = signed_in()
    if person is not None and person.role is Role.supervisor:
        if is_act:
            site().sessions.act(person)
        return None
    sign_in = url_for("auth.sign_in", to=page)
    if request.endpoint != f"{page}.page":
        return {"error": "supervisor_only", "text": text, "sign_in": sign_in}, 403
    if person is None:
        return redirect(sign_in)
    text = f"{text} {gettext('You are signed in as the dealer.')}"
    onward = (sign_in, gettext("SIGN IN AS SUPERVISOR"))
    return render_template("error.html", status=403, text=text, onward=onward), 403
