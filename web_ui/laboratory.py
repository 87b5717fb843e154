"""The rules laboratory: what a rule sheet is worth, and what it would be worth if it paid otherwise. For supervisors.

Nothing here touches the table or any file: an edited sheet lives in the page, and is computed in a process of its own.
"""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
import tomli_w
from flask import Blueprint, abort, render_template, request
from flask.typing import ResponseReturnValue

from dealer_assist.application.ports import Laboratory, NoFigures, TableTerms
from dealer_assist.game.document import document, edited, faults
from dealer_assist.game.errors import BadSetting, UnknownReading
from dealer_assist.game.profile import RuleProfile, profile_from
from dealer_assist.game.settings import Raw
from dealer_assist.game.setup import TableSetup
from web_ui.format import Purse
from web_ui.laboratory_words import NO_FIGURES, spoken_words
from web_ui.language import gettext
from web_ui.orders import unreadable
from web_ui.present_figures import Comparison
from web_ui.present_laboratory import editor
from web_ui.site import site
from web_ui.supervision import turned_away

laboratory = Blueprint("laboratory", __name__)

TABLES_OWN: Final = ""
"""The choice of the rules this table plays; others are a sheet's id, a slash, and one of its readings or nothing."""


class Experiment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules as they are chosen, and new values by path as `Edits` has them."""

    rules: str
    edits: dict[str, Annotated[str, msgspec.Meta(max_length=40)]] = {}


@laboratory.before_request
def supervisors_only() -> ResponseReturnValue | None:
    """The laboratory opens with the supervisor's PIN."""
    if site().access.laboratory is None:
        abort(404)
    return turned_away("laboratory", gettext("The rules laboratory opens with the supervisor's PIN."))


@laboratory.get("/laboratory")
def page() -> ResponseReturnValue:
    """The page with the rules' values; its figures are asked for by its script."""
    choice = request.args.get("rules", TABLES_OWN)
    told = {"setup": _setup(), "choice": choice, "choices": _choices(), "words": spoken_words()}
    try:
        rules = _rules(choice)
    except BadSetting as error:
        return render_template("laboratory.html", unusable=str(error), **told)
    return render_template("laboratory.html", editor=editor(rules), **told)


@laboratory.post("/laboratory/figures")
def figures() -> ResponseReturnValue:
    """What a sheet is worth as it stands, beside what it is worth as edited: a piece of the page, in JSON."""
    try:
        experiment, raw = _asked()
    except msgspec.MsgspecError as error:
        return unreadable(error)
    if refused := _faulty(raw, experiment):
        return refused
    terms = _terms(raw)
    try:
        stated = _laboratory().figures(raw, terms)
        changed = _laboratory().figures(edited(raw, experiment.edits), terms) if experiment.edits else stated
    except BadSetting as bad:
        return _bad_values([bad])
    except NoFigures as none:
        return {"error": "no_figures", "text": gettext(NO_FIGURES[none.why])}, 503
    shown = Comparison(stated.audit, changed.audit, _purse(raw)).shown(_meter(raw))
    text = render_template("laboratory_figures.html", **shown, setup=_setup(), tables_limits=terms is not None)
    return {"shown": text, "begun_anew": stated.begun_anew or changed.begun_anew}


@laboratory.post("/laboratory/document")
def download() -> ResponseReturnValue:
    """The edited sheet as a TOML file that `rules check` takes: its name and its text."""
    try:
        experiment, raw = _asked()
    except msgspec.MsgspecError as error:
        return unreadable(error)
    if refused := _faulty(raw, experiment):
        return refused
    played_by = _setup().table if experiment.rules == TABLES_OWN else ""
    parts = (str(raw["id"]), str(raw.get("reading", "")), played_by, "edited" if experiment.edits else "")
    name = "-".join(part for part in parts if part)
    return {"name": f"{name}.toml", "text": tomli_w.dumps(edited(raw, experiment.edits) | {"id": name})}


def _asked() -> tuple[Experiment, Raw]:
    """What a script asks for, and the document of its sheet. Raises: msgspec.MsgspecError."""
    experiment = msgspec.json.decode(request.get_data(), type=Experiment)
    try:
        return experiment, document(_rules(experiment.rules))
    except BadSetting as error:
        raise msgspec.ValidationError(str(error)) from None


def _faulty(raw: Raw, experiment: Experiment) -> ResponseReturnValue | None:
    """The answer where values are not in order: each with its path, what was expected and what was found."""
    found = faults(raw, experiment.edits)
    return _bad_values(found) if found else None


def _bad_values(found: Sequence[BadSetting]) -> ResponseReturnValue:
    told = [{"path": fault.path, "finding": fault.finding} for fault in found]
    return {"error": "bad_values", "text": gettext("Some values are not in order."), "faults": told}, 400


def _terms(raw: Raw) -> TableTerms | None:
    """What bounds the table's exposure; None where its money is not the sheet's."""
    setup = _setup()
    return TableTerms(setup.limits, setup.cap, len(setup.seats)) if _in_tables_money(raw) else None


def _meter(raw: Raw) -> int | None:
    """What the table's jackpot shows, in minor units; None where its money is not the sheet's."""
    meter = site().access.service.snapshot.table.meter
    return meter.shown if meter is not None and _in_tables_money(raw) else None


def _purse(raw: Raw) -> Purse:
    rules, setup = profile_from(raw), _setup()
    if _in_tables_money(raw):
        return Purse(setup.currency, setup.minor_digits)
    return Purse(rules.currency, rules.minor_digits)


def _in_tables_money(raw: Raw) -> bool:
    """Whether a table of this currency could play by these rules."""
    rules, setup = profile_from(raw), _setup()
    of_its_own = rules.currency_fixed and rules.currency != setup.currency
    return not of_its_own and rules.minor_digits == setup.minor_digits


def _laboratory() -> Laboratory:
    found = site().access.laboratory
    assert found is not None  # no request comes here without one
    return found


def _setup() -> TableSetup:
    return site().access.service.snapshot.table.setup


def _rules(choice: str) -> RuleProfile:
    """Raises: BadSetting; 404 where there are no such rules."""
    if choice == TABLES_OWN:
        return _as_played(_setup())
    name, _, reading = choice.partition("/")
    try:
        return profile_from(_laboratory().sheet(name), reading or None)
    except (KeyError, UnknownReading):
        abort(404)


def _as_played(setup: TableSetup) -> RuleProfile:
    """The table's rules with its own choices laid on them, each named as the table's."""
    own, profile, replace = setup.overrides, setup.profile, msgspec.structs.replace
    jackpot = profile.jackpot
    if jackpot is not None and setup.contribution is not None:
        jackpot = replace(jackpot, contribution=setup.contribution)
    chosen = {
        "deal.pattern": own.pattern,
        "deal.upcard": own.upcard,
        "bonus.after_fold": own.after_fold,
        "jackpot.after_fold": own.after_fold,
        "jackpot.contribution": None if jackpot == profile.jackpot else setup.contribution,
    }
    by_table = {path: f"table {setup.table}" for path, choice in chosen.items() if choice is not None}
    return replace(profile, jackpot=jackpot, sources=profile.sources | by_table)


def _choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """What can be chosen: in groups with their titles, each choice and its name."""
    setup = _setup()
    own = gettext("Table %(table)s as it plays: %(sheet)s", table=setup.table, sheet=setup.profile.title)
    return [(gettext("This table"), [(TABLES_OWN, own)]), *map(_readings, _laboratory().names())]


def _readings(name: str) -> tuple[str, list[tuple[str, str]]]:
    try:
        rules = profile_from(_laboratory().sheet(name))
    except BadSetting:
        return name, [(f"{name}/", gettext("%(sheet)s, can't be read", sheet=name))]  # once chosen, the page says why
    stated = (f"{name}/", gettext("%(sheet)s, the sheet", sheet=name))
    readings = [
        (f"{name}/{key}", gettext("%(sheet)s, reading %(reading)s", sheet=name, reading=key)) for key in rules.readings
    ]
    return rules.title, [stated, *readings]
