"""Drawn tables: what is plain is read, and nothing is ever read wrong."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
import pytest

from dealer_assist.game.cards import Card
from hardware.camera import opencv
from hardware.camera.opencv import Image, points
from hardware.camera.reading import Reading
from hardware.camera.recogniser import Recogniser
from hardware.camera.training.photographs import lay, placed, through_a_lens
from tests.hardware.camera.tables import DESIGNS, SIZES, Table, dealt, face, fan, felt, spread


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    return Recogniser()


def wrong(reading: Reading, table: Table) -> Counter[Card]:
    return Counter(c.card for c in reading.cards) - Counter(table.cards)


LEAST: Final = 0.92  # the share that is read of decks the nets never saw: one card in fourteen may be left


@pytest.mark.parametrize("design", DESIGNS)
def test_cards_that_lie_apart_are_read(design: str, recogniser: Recogniser) -> None:
    rng = np.random.default_rng(7)
    read = total = 0
    for size in SIZES[:2]:
        table = spread(design, 8, size, rng)
        reading = recogniser.recognise(table.image)
        assert not wrong(reading, table)
        read, total = read + len(reading.cards), total + len(table.cards)
    assert read >= LEAST * total


@pytest.mark.parametrize("design", DESIGNS)
def test_the_indices_of_a_fanned_hand_are_read(design: str, recogniser: Recogniser) -> None:
    rng = np.random.default_rng(11)
    read = total = 0
    for size in SIZES[:2]:
        table = fan(design, size, rng)
        reading = recogniser.recognise(table.image)
        assert not wrong(reading, table)
        read, total = read + len(reading.cards), total + len(table.cards)
    assert read >= LEAST * total


def test_a_cards_corners_run_clockwise_from_an_index(recogniser: Recogniser) -> None:
    image = np.full((720, 1280, 3), (60, 90, 30), np.uint8)
    corners = placed(400, 1.4, 0.3, np.zeros((4, 2))) + points([640, 360])
    dealt(image, "park", Card("7h"), points(corners))
    (seen,) = recogniser.recognise(image).cards
    gaps = [float(np.abs(seen.corners - np.roll(corners, turn, axis=0)).max()) for turn in (0, 2)]
    assert seen.card == Card("7h")
    assert min(gaps) < 6


def test_two_equal_cards_are_both_told(recogniser: Recogniser) -> None:
    image = np.full((720, 1280, 3), (60, 90, 30), np.uint8)
    for x in (350, 900):
        dealt(image, "park", Card("Qs"), points(placed(400, 1.4, 0.1, np.zeros((4, 2))) + np.array([x, 360])))
    assert [c.card for c in recogniser.recognise(image).cards] == [Card("Qs"), Card("Qs")]


def blank(level: int) -> Image:
    return np.full((720, 1280, 3), level, np.uint8)


def of_one(picture: Image) -> Image:
    """A table with one large picture on it, as a card."""
    image = np.full((720, 1280, 3), (40, 80, 20), np.uint8)
    lay(image, picture, points(placed(500, 1.4, 0.2, np.zeros((4, 2))) + np.array([640, 360])), 0.045)
    return image


def backs(rng: np.random.Generator) -> Iterator[Image]:
    for tint in ((30, 30, 190), (150, 60, 20), (60, 60, 60)):
        picture = np.full((504, 360, 3), 255, np.uint8)
        step = int(rng.integers(8, 24))
        for x in range(20, 340, step):
            opencv.draw_rectangle(picture, (x, 24, x + step // 2, 480), tint)
        yield of_one(picture)


def without_cards() -> Iterator[tuple[str, Image]]:
    rng = np.random.default_rng(3)
    yield "dark", blank(0)
    yield "white-out", blank(255)
    yield "half white", np.concatenate([blank(255)[:360], blank(20)[:360]])
    yield from (("felt", through_a_lens(felt((1280, 720), rng), 300, rng)) for _ in range(3))
    yield from (("back", image) for image in backs(rng))
    yield "blank card", of_one(np.full((504, 360, 3), 250, np.uint8))
    yield "noise", rng.integers(0, 255, (720, 1280, 3), dtype=np.uint8)


@pytest.mark.parametrize(("name", "image"), list(without_cards()), ids=lambda v: v if isinstance(v, str) else "")
def test_where_no_card_is_none_is_read(name: str, image: Image, recogniser: Recogniser) -> None:
    assert recogniser.recognise(image).cards == (), name


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_picture_holds_the_same_cards(turns: int, recogniser: Recogniser) -> None:
    table = spread("garamond", 6, (1280, 720), np.random.default_rng(21))
    reading = recogniser.recognise(np.ascontiguousarray(np.rot90(table.image, turns)))
    assert not wrong(reading, table)
    assert len(reading.cards) >= 5


@pytest.mark.parametrize("design", DESIGNS)
def test_no_card_is_read_wrong_in_a_mirror(design: str, recogniser: Recogniser) -> None:
    table = spread(design, 8, (1280, 720), np.random.default_rng(23))
    assert not wrong(recogniser.recognise(np.ascontiguousarray(table.image[:, ::-1])), table)


@pytest.mark.parametrize("card", ["4h", "9s", "Kd", "7c"])
def test_a_card_whose_indices_disagree_is_not_read(card: str, recogniser: Recogniser) -> None:
    mixed = face("park", Card(card)).copy()
    mixed[252:] = face("park", Card("5s"))[252:]
    assert recogniser.recognise(of_one(mixed)).cards == ()


@pytest.mark.parametrize("card", ["4h", "9s", "Kd", "7c"])
def test_nor_is_it_where_another_lies_over_it_and_each_index_is_seen_by_itself(
    card: str, recogniser: Recogniser
) -> None:
    mixed = face("park", Card(card)).copy()
    mixed[252:] = face("park", Card("5s"))[252:]
    image = np.full((720, 1280, 3), (40, 80, 20), np.uint8)
    below = points(placed(300, 1.4, 0.2, np.zeros((4, 2))) + np.array([600, 380]))
    lay(image, mixed, below, 0.045)
    above = points(placed(300, 1.4, 0.2, np.zeros((4, 2))) + below[1] + 0.35 * (below[1] - below[0]))
    dealt(image, "park", Card("Ah"), above)
    assert {seen.card for seen in recogniser.recognise(image).cards} <= {"Ah"}


@pytest.mark.torture
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("design", DESIGNS)
def test_three_thousand_cards_of_a_deck_never_trained_on(design: str, recogniser: Recogniser) -> None:
    rng = np.random.default_rng(list(DESIGNS).index(design) + 100)
    apart, fanned, mistakes = Counter[str](), Counter[str](), 0
    while apart["all"] + fanned["all"] < 3000:
        for made, tally in (
            (spread(design, 8, SIZES[rng.integers(3)], rng), apart),
            (fan(design, SIZES[rng.integers(3)], rng), fanned),
        ):
            reading = recogniser.recognise(made.image)
            mistakes += wrong(reading, made).total()
            tally["all"] += len(made.cards)
            tally["read"] += (Counter(c.card for c in reading.cards) & Counter(made.cards)).total()
    told = f"{design}: apart {apart['read']}/{apart['all']}, fanned {fanned['read']}/{fanned['all']}, wrong {mistakes}"
    print(told)  # noqa: T201  the figures are what this run is for
    assert mistakes <= 0.001 * (apart["all"] + fanned["all"]), told
    assert apart["read"] >= 0.98 * apart["all"], told
    assert fanned["read"] >= 0.95 * fanned["all"], told
