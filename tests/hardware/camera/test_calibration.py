"""The calibration page, what a picture of it tells, the zones, and the file that keeps it."""

import tomllib
from pathlib import Path

import msgspec
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.cards import Card
from dealer_assist.game.errors import BadSetting
from dealer_assist.game.settings import Raw
from hardware.camera import opencv
from hardware.camera.calibration import Calibration, calibration_from, calibration_text, plan_from, plan_text, rim_from
from hardware.camera.marks import PAGES, NotCalibrated, Page, calibrated, drawn
from hardware.camera.sheet import sheet
from hardware.camera.zones import Zone, ZonePlan, along, default_zones, is_convex, overlap, place_of, within
from tests.hardware.camera.felts import SIZE, corners_mm, felt, in_view, noisy_page, with_page

PLAN = default_zones(4)
FELT = np.array([(x, y) for x in (-600, -200, 200, 600) for y in (-300, 0, 350)], np.float64)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrated(noisy_page(), PLAN, "camera 0")


def raw(calibration: Calibration) -> Raw:
    return tomllib.loads(calibration_text(calibration))


# --- the page ---


@pytest.mark.parametrize("number", [0, 1])
def test_the_marks_are_printed_at_their_exact_millimetres(number: int) -> None:
    page, printed = PAGES[number], pypdfium2.PdfDocument(sheet())[number]
    assert np.allclose(np.array(printed.get_size()) * 25.4 / 72, (page.width, page.height), atol=0.01)
    picture = np.ascontiguousarray(printed.render(scale=4).to_numpy()[:, :, :3])
    found = dict(opencv.find_marks(picture))
    for mark, _, corners in page.marks():
        wanted = np.array([(page.width / 2 + x, page.height / 2 - y) for x, y in corners])
        assert np.abs(found[mark] * 25.4 / 72 / 4 - wanted).max() < 0.15


def test_a_mark_names_its_page_and_its_corner() -> None:
    marks = [(number, page.name, corner) for page in PAGES for number, corner, _ in page.marks()]
    assert marks == [
        (0, "A4", "near left"), (1, "A4", "near right"), (2, "A4", "far right"), (3, "A4", "far left"),
        (4, "A3", "near left"), (5, "A3", "near right"), (6, "A3", "far right"), (7, "A3", "far left"),
    ]  # fmt: skip


# --- what a picture of it tells ---


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_felt_is_found_to_a_few_millimetres_wherever_the_zones_are(page: Page) -> None:
    found = calibrated(noisy_page(page), PLAN, "camera 0")
    assert np.abs(found.felt(in_view(FELT)) - FELT).max() < 6
    assert np.abs(found.pixels(FELT) - in_view(FELT)).max() < 6
    assert found.off_px < 1.5
    assert found.size == SIZE
    assert 50 < found.card_px[0] < found.card_px[1] < 65
    wide, high = found.card_size
    assert found.card_px[0] < wide < found.card_px[1]
    assert high / wide == pytest.approx(88 / 63, rel=0.02)


@pytest.mark.parametrize(("least", "well"), [(71.9, False), (72.0, True)])
def test_whether_cards_are_large_enough_is_told_by_the_smallest(
    least: float, well: bool, calibration: Calibration
) -> None:
    assert msgspec.structs.replace(calibration, card_px=(least, 110.0)).reads_well == well


def test_a_camera_may_hang_the_other_way_round() -> None:
    picture = np.ascontiguousarray(noisy_page()[::-1, ::-1])
    found = calibrated(picture, PLAN, "camera 0")
    assert np.abs(found.felt(np.array(SIZE) - 1 - in_view(FELT)) - FELT).max() < 6


def test_a_page_printed_too_small_is_put_right_by_its_ruler() -> None:
    picture = with_page(felt(), printed=0.95)
    assert np.abs(calibrated(picture, PLAN, "x", ruler_mm=95).felt(in_view(FELT)) - FELT).max() < 6
    assert np.abs(calibrated(picture, PLAN, "x").felt(in_view(FELT)) - FELT).max() > 20


def test_missing_marks_are_named() -> None:
    with pytest.raises(NotCalibrated, match=r"four marks of the A4 page, found 2; missing: near left, far right$"):
        calibrated(with_page(felt(), without=(0, 2)), PLAN, "x")
    with pytest.raises(NotCalibrated, match="found none of them: is it in the picture, in focus and lit"):
        calibrated(felt(), PLAN, "x")


def test_a_mirrored_picture_is_no_calibration() -> None:
    with pytest.raises(NotCalibrated, match="found"):
        calibrated(np.ascontiguousarray(noisy_page()[:, ::-1]), PLAN, "x")


def test_two_pages_and_marks_out_of_place_are_refused() -> None:
    both = with_page(felt(), PAGES[1])
    small = with_page(felt(), PAGES[0])
    left, top = in_view(np.array([(-150.0, 110.0)]))[0].astype(int)
    wide, high = 290, 210
    two = both.copy()
    two[500 : 500 + high, 940 : 940 + wide] = small[top : top + high, left : left + wide]
    with pytest.raises(NotCalibrated, match="marks of both A4 and A3"):
        calibrated(two, PLAN, "x")
    twice = small.copy()
    twice[480 : 480 + high, 940 : 940 + wide] = small[top : top + high, left : left + wide]
    with pytest.raises(NotCalibrated, match="found the near left mark twice"):
        calibrated(twice, PLAN, "x")


def test_a_page_that_does_not_lie_flat_is_refused() -> None:
    picture = noisy_page()
    x, y = in_view(np.array([(-105.0, 62.0)]))[0].astype(int)
    mark = picture[y - 36 : y + 36, x - 36 : x + 36].copy()
    picture[y - 36 : y + 36, x - 36 : x + 36] = 235
    picture[y - 36 : y + 36, x - 24 : x + 48] = mark  # one mark, 12 pixels to the side
    with pytest.raises(NotCalibrated, match=r"lie flat and whole, found a mark \d+\.\d pixels out of place"):
        calibrated(picture, PLAN, "x")


def test_a_card_that_comes_out_too_small_is_refused_with_its_place() -> None:
    small = opencv.resize(noisy_page(), 1000, 562)
    with pytest.raises(
        NotCalibrated, match=r"expected a card at (dealer|seat \d) to be 50 pixels wide or more, found 4\d"
    ):
        calibrated(small, PLAN, "x")


def test_a_zone_outside_the_picture_is_refused_with_its_name() -> None:
    far = ZonePlan((Zone(2, ((500, 0), (900, 0), (900, 200), (500, 200))),))
    with pytest.raises(NotCalibrated, match="the whole zone of seat 2 in the picture"):
        calibrated(noisy_page(), far, "x")


def test_the_picture_for_people_shows_the_zones(calibration: Calibration) -> None:
    picture = noisy_page()
    shown = drawn(picture, calibration)
    changed = np.abs(shown.astype(int) - picture).max(axis=2) > 40
    for zone in calibration.zones:
        x, y = calibration.pixels(along(zone.outline, 20)).round().astype(int).T
        assert changed[y, x].mean() > 0.95


# --- the file ---


def test_a_calibration_is_read_as_it_was_written(calibration: Calibration) -> None:
    assert calibration_from(raw(calibration)) == calibration


def test_a_rim_is_kept_but_where_the_page_lay_over_it() -> None:
    across = ZonePlan((Zone(0, ((-100, 0), (100, 0), (100, 250), (-100, 250))),))
    found = calibrated(noisy_page(), across, "x")
    colours, known = rim_from(found.rims[0])
    on_page = within(PAGES[0].outline, along(across.zones[0].outline, 5))
    assert not known[on_page].any()
    assert known.sum() > 80
    assert np.abs(np.median(colours[known], axis=0) - (60, 105, 40)).max() < 6


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "camera/2"}, 'format: expected "camera/1", found camera/2'),
        ({"size": [0, 720]}, "size: expected a picture's width and height"),
        ({"felt_to_picture": [[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0]]}, "felt_to_picture: expected a map"),
        ({"felt_to_picture": [[float("nan")] * 3] * 3}, "felt_to_picture: expected a map"),
        ({"card_mm": [88.0, 63.0]}, "card_mm: expected a card's width and height in mm"),
        ({"rims": []}, "rims: expected one of each zone"),
        ({"zones": []}, "zones: expected a zone at least"),
        ({"colour": "green"}, "colour: unknown; is it a typo?"),
    ],
)
def test_a_file_that_can_not_be_is_refused_with_the_place(calibration: Calibration, change: Raw, told: str) -> None:
    with pytest.raises(BadSetting) as refused:
        calibration_from(raw(calibration) | change)
    assert str(refused.value).startswith(told)


def test_a_rim_of_the_wrong_length_or_colour_is_refused(calibration: Calibration) -> None:
    for colours, told in (("00ff00", "colours, found 1"), ("zz", "expected six hex digits or six points a colour")):
        rims = [{**msgspec.to_builtins(rim), "colours": colours} for rim in calibration.rims]
        with pytest.raises(BadSetting, match=told):
            calibration_from(raw(calibration) | {"rims": rims})


# --- zones ---


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_usual_zones_are_sound_and_come_back_from_their_file(seats: int) -> None:
    plan = default_zones(seats)
    plan.check()
    assert [zone.seat for zone in plan.zones] == list(range(seats + 1))
    assert plan_from(tomllib.loads(plan_text(plan))) == plan
    middles = [float(zone.outline.mean(axis=0)[0]) for zone in plan.zones[1:]]
    assert middles == sorted(middles)  # seat 1 at the dealer's left


@pytest.mark.parametrize(
    ("zones", "told"),
    [
        ([(5, [(0, 0), (1, 0), (1, 1)])], r"zones\[0\].seat: expected 1 to 4"),
        ([(1, [(0, 0), (1, 0)])], r"zones\[0\].corners: expected the corners of a convex outline"),
        ([(1, [(0, 0), (9, 0), (0, 9), (9, 9)])], r"zones\[0\].corners: expected the corners of a convex outline"),
        (
            [(1, [(0, 0), (9, 0), (9, 9)]), (1, [(20, 0), (29, 0), (29, 9)])],
            r"zones\[1\].seat: expected one zone a seat",
        ),
        ([(1, [(0, 0), (9, 0), (9, 9)]), (2, [(1, 0), (9, 0), (9, 9)])], "expected no overlap with the zone of seat 1"),
    ],
)
def test_zones_that_can_not_be_are_refused(zones: list[tuple[int, list[tuple[int, int]]]], told: str) -> None:
    with pytest.raises(BadSetting, match=told):
        plan_from({"zones": [{"seat": seat, "corners": [list(c) for c in corners]} for seat, corners in zones]})


SPOTS = st.tuples(st.floats(-700, 700), st.floats(-350, 450))


@given(SPOTS, st.floats(0, 360), st.integers(0, 3), st.booleans())
def test_a_card_lies_at_one_place_however_its_corners_are_told(
    middle: tuple[float, float], turn: float, first: int, back: bool
) -> None:
    card = corners_mm((Card("As"), middle, turn))
    place = place_of(PLAN.zones, card)
    assert place_of(PLAN.zones, np.roll(card[::-1] if back else card, first, axis=0)) == place
    touched = {zone.seat for zone in PLAN.zones if overlap(zone.outline, card)}
    if place is not None:
        assert touched == {place}
    holding = [zone.seat for zone in PLAN.zones if within(zone.outline, card).all()]
    if holding:
        assert [place] == holding


def test_a_card_across_two_zones_lies_at_none() -> None:
    side_by_side = (
        Zone(1, ((0, 0), (200, 0), (200, 200), (0, 200))),
        Zone(2, ((200, 0), (400, 0), (400, 200), (200, 200))),
    )
    at = {x: place_of(side_by_side, corners_mm((Card("As"), (x, 100), 0))) for x in (100, 168, 170, 199, 231, 233)}
    assert at == {100: 1, 168: 1, 170: None, 199: None, 231: None, 233: 2}


def test_a_card_that_sticks_out_over_bare_felt_still_lies_at_its_place() -> None:
    [dealer, *_] = PLAN.zones
    right = dealer.outline[:, 0].max()
    assert place_of(PLAN.zones, corners_mm((Card("As"), (right - 5, -232), 0))) == 0
    assert place_of(PLAN.zones, corners_mm((Card("As"), (right + 5, -232), 0))) is None


def test_an_outline_that_winds_twice_is_not_convex() -> None:
    star = np.array([(np.cos(a), np.sin(a)) for a in np.arange(5) * 4 * np.pi / 5])
    assert not is_convex(star)
    assert is_convex(star[[0, 3, 1, 4, 2]])


def test_the_picture_is_a_png(tmp_path: Path) -> None:
    path = tmp_path / "felt.png"
    path.write_bytes(opencv.encoded(noisy_page(), ".png"))
    read = opencv.read_image(path)
    assert read is not None
    assert (read == noisy_page()).all()
