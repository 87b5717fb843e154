"""Whole games drawn as a fixed camera sees them, dealt from decks that no training saw."""

import json
from collections import Counter, defaultdict

import numpy as np
import pytest

from dealer_assist.game.cards import Card
from hardware.camera.opencv import points
from hardware.camera.reading import Reading, SeenCard
from hardware.camera.recogniser import Recogniser
from hardware.camera.steadying import Steadied
from hardware.camera.training.photographs import placed
from tests.hardware.camera.judging import Judged, judged, voted
from tests.hardware.camera.scenes import FAR, NEAR, Laid, Scene, Seen, drawn_lens, how_seen, index_box, scene
from tests.hardware.camera.tables import DESIGNS

PICTURES = 5  # in a second
CARDS = 3000


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


# --- the truth of a drawn table ---


def two_cards(apart: float) -> Scene:
    """The seven of hearts, and the queen of spades so many of its widths to the right, over it if it is near."""
    high, rng = 140.0, np.random.default_rng(1)
    lens = drawn_lens("plain", high, (640, 480), rng)
    corners = [
        points(placed(high, 1.4, 0.0, np.zeros((4, 2))) + np.array([200 + n * apart * 100, 240])) for n in (0, 1)
    ]
    dealt_out = [(Card("7h"), corners[0], "row"), (Card("Qs"), corners[1], "row")]
    image, lid = np.zeros((480, 640, 3), np.uint8), np.zeros((480, 640), np.uint8)
    seen = [how_seen(n, dealt_out, lid, lens, index_box("park")) for n in (0, 1)]
    laid = [Laid(card, c, group, s) for (card, c, group), s in zip(dealt_out, seen, strict=True)]
    return Scene("park", image, tuple(laid), lens)


@pytest.mark.parametrize(
    ("apart", "seen"),
    [
        (1.3, (Seen.isolated, Seen.isolated)),
        (1.03, (Seen.fanned, Seen.fanned)),  # they all but touch
        (0.4, (Seen.fanned, Seen.fanned)),  # one index of the lower card is covered, the other is not
        (0.1, (Seen.hidden, Seen.fanned)),
    ],
)
def test_what_can_be_seen_of_a_card_follows_from_what_lies_over_it(apart: float, seen: tuple[Seen, ...]) -> None:
    assert tuple(laid.seen for laid in two_cards(apart).laid) == seen


@pytest.mark.parametrize("design", DESIGNS)
def test_a_drawn_game_has_cards_apart_and_in_fans_and_no_card_twice(design: str) -> None:
    made = scene(design, np.random.default_rng(5))
    assert len({laid.card for laid in made.laid}) == len(made.laid)
    assert {laid.seen for laid in made.laid} >= {Seen.isolated, Seen.fanned}
    one, two = made.pictures(2, np.random.default_rng(1))
    assert 0.5 < float(np.abs(one.astype(int) - two).mean()) < 12


def told(made: Scene, *cards: tuple[str, int]) -> Reading:
    """A reading that tells these cards, each at the place of the card of that number."""
    return Reading(tuple(SeenCard(Card(card), 0.9, made.laid[n].corners) for card, n in cards), (), 0.0)


def test_a_reading_is_right_only_with_the_right_name_at_the_right_place() -> None:
    made = two_cards(1.3)
    right = judged(told(made, ("7h", 0), ("Qs", 1)), made)
    assert right.read == {0, 1}
    assert not right.wrong + right.doubled
    assert [seen.card for seen in judged(told(made, ("7d", 0), ("Qs", 1)), made).wrong] == ["7d"]
    assert len(judged(told(made, ("Qs", 0), ("7h", 1)), made).wrong) == 2
    assert len(judged(told(made, ("7h", 0), ("7h", 0)), made).doubled) == 1


def test_three_pictures_of_five_must_tell_a_card() -> None:
    made = two_cards(1.3)
    both, one = told(made, ("7h", 0), ("Qs", 1)), told(made, ("7h", 0))
    assert voted([both, one, both, one, both], made).read == {0, 1}
    assert voted([both, one, both, one, one], made).read == {0}


# --- what is read ---


@pytest.mark.parametrize("design", DESIGNS)
def test_nothing_in_a_drawn_game_is_read_wrong(design: str, recogniser: Recogniser) -> None:
    made = scene(design, np.random.default_rng(17))
    [picture] = made.pictures(1, np.random.default_rng(1))
    found = judged(recogniser.recognise(picture), made)
    assert not found.wrong + found.doubled


class Tallies:
    """What became of a deck's cards: by how many pictures were looked at, what could be seen of a card, and how it lay."""

    def __init__(self, design: str) -> None:
        self.design = design
        self.outcomes: dict[tuple[int, Seen, str], Counter[str]] = defaultdict(Counter)
        self.faults: dict[int, Counter[str]] = defaultdict(Counter)

    def add(self, made: Scene, found: Judged, pictures: int) -> None:
        for n, laid in enumerate(made.laid):
            outcome = "read" if n in found.read else "unsure" if n in found.unsure else "missed"
            self.outcomes[pictures, laid.seen, laid.group][outcome] += 1
        self.faults[pictures].update(cards=len(made.laid), wrong=len(found.wrong), twice=len(found.doubled))

    def share(self, pictures: int, seen: Seen) -> float:
        """How many of a kind's cards are read."""
        found = [c for (n, kind, _), c in self.outcomes.items() if (n, kind) == (pictures, seen)]
        return sum(c["read"] for c in found) / sum(c.total() for c in found)

    def __str__(self) -> str:
        """A line of JSON a kind."""
        rows: list[dict[str, object]] = [
            {"design": self.design, "pictures": n, "seen": seen, "lying": group, "cards": found.total(), **found}
            for (n, seen, group), found in sorted(self.outcomes.items())
        ]
        rows += [
            {"design": self.design, "pictures": n, "seen": seen, "share read": round(self.share(n, seen), 4)}
            for n in self.faults
            for seen in (Seen.isolated, Seen.fanned)
        ]
        rows += [{"design": self.design, "pictures": n, **found} for n, found in self.faults.items()]
        return "\n".join(map(json.dumps, rows))


def dealt_games(
    design: str, cards: int, wide: tuple[float, float], recogniser: Recogniser, rng: np.random.Generator
) -> Tallies:
    """What becomes of so many cards of a deck, a card between so many pixels wide."""
    tallies = Tallies(design)
    while tallies.faults[1]["cards"] < cards:
        made, steadied = scene(design, rng, wide), Steadied()
        readings = [recogniser.recognise(steadied.picture(picture)) for picture in made.pictures(PICTURES, rng)]
        tallies.add(made, judged(readings[0], made), 1)
        tallies.add(made, voted(readings, made), PICTURES)
    print(f"{wide[0]:.0f} to {wide[1]:.0f} pixels wide\n{tallies}")  # noqa: T201  the figures are what this run is for
    return tallies


@pytest.mark.torture
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("design", DESIGNS)
def test_three_thousand_cards_of_a_deck_never_trained_on(design: str, recogniser: Recogniser) -> None:
    tallies = dealt_games(design, CARDS, NEAR, recogniser, np.random.default_rng([DESIGNS.index(design), 2]))
    assert tallies.faults[1]["wrong"] <= 0.001 * CARDS
    assert tallies.faults[PICTURES]["wrong"] == 0
    assert tallies.share(1, Seen.isolated) >= 0.98
    assert tallies.share(1, Seen.fanned) >= 0.95
    assert tallies.share(PICTURES, Seen.isolated) >= 0.995


@pytest.mark.torture
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("design", DESIGNS)
def test_cards_that_are_almost_too_small_are_left_unsure_and_not_read_wrong(
    design: str, recogniser: Recogniser
) -> None:
    tallies = dealt_games(design, CARDS // 3, FAR, recogniser, np.random.default_rng([DESIGNS.index(design), 3]))
    assert tallies.faults[1]["wrong"] <= 0.001 * CARDS / 3
    assert tallies.faults[PICTURES]["wrong"] == 0
