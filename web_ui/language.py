"""The reader's language: `gettext` and `ngettext` with types, and which languages there are.

The English sentence is the key of the catalogues. English is the only language until catalogues are added.
"""

from typing import Final

import flask_babel
from babel import Locale
from flask import Flask

ENGLISH: Final = Locale.parse("en_GB")


def gettext(text: str, **values: object) -> str:
    """A text in the reader's language, its placeholders `%(name)s` filled."""
    return str(flask_babel.gettext(text, **values))


def ngettext(one: str, many: str, number: int, **values: object) -> str:
    """A text in the reader's language for one or many; `%(num)s` is the number."""
    return str(flask_babel.ngettext(one, many, number, **values))


def reader_locale() -> Locale:
    """The language and country that amounts and dates are written for."""
    found = flask_babel.get_locale()
    return found if isinstance(found, Locale) else ENGLISH


def speak(app: Flask) -> None:
    """Make an app's texts translatable."""
    app.config["BABEL_DEFAULT_LOCALE"] = str(ENGLISH)
    flask_babel.Babel(app)
