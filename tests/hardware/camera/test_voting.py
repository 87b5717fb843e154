"""From single pictures to what is told: votes, doubts, cards that go, equal cards. No picture and no OpenCV is needed."""

import random
from collections.abc import Sequence
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dealer_assist.game.cards import Card
from hardware.camera.voting import CardEvent, CardGone, CardSeen, CardUnsure, EqualCards, Sight, Votes
from hardware.camera.zones import Place

AS, KD, QH, SEVEN = Card("As"), Card("Kd"), Card("Qh"), Card("7c")
PLACES: Final[tuple[Place, ...]] = (0, 1, 2, None)
ALL: Final = frozenset(PLACES)

Look = tuple[float, frozenset[Place], frozenset[Place], tuple[Sight, ...]]  # when, disturbed, readable, sights


def sight(card: Card | None, place: Place = 1, x: float = 0.0, candidates: tuple[Card, ...] = ()) -> Sight:
    return Sight(place, (x, 0.0), card, candidates, 0.9)


def voted(looks: Sequence[Look]) -> list[list[CardEvent]]:
    votes, told = Votes(), []
    for at, disturbed, places, sights in looks:
        votes.disturb(disturbed)
        told.append(votes.look(at, places, sights))
    return told


def shown(*pictures: Sequence[Sight], every: float = 0.2) -> list[CardEvent]:
    looks = [(every * (n + 1), frozenset[Place](), ALL, tuple(sights)) for n, sights in enumerate(pictures)]
    return [event for events in voted(looks) for event in events]


def test_a_card_is_told_once_with_its_third_vote() -> None:
    votes = Votes()
    told = [votes.look(0.2 * n, ALL, [sight(AS)]) for n in range(1, 9)]
    assert [len(events) for events in told] == [0, 0, 1, 0, 0, 0, 0, 0]
    [seen] = told[2]
    assert seen == CardSeen(1, AS, 0.9, 3, 0.2 * 3, 1, (0.0, 0.0))
    assert votes.told == (CardSeen(1, AS, 0.9, 5, 0.2 * 8, 1, (0.0, 0.0)),)


def test_three_votes_of_the_last_five_are_enough_and_older_ones_are_not() -> None:
    a = [sight(AS)]
    assert [type(e) for e in shown(a, [], a, [], a)] == [CardSeen]
    assert shown(a, a, [], [], [], a, []) == []


def test_votes_that_are_too_old_do_not_count() -> None:
    assert shown([sight(AS)], [sight(AS)], [sight(AS)], every=2.1) == []
    assert len(shown([sight(AS)], [sight(AS)], [sight(AS)], every=1.9)) == 1


def test_votes_for_two_cards_are_doubt_with_both() -> None:
    a, k = [sight(AS)], [sight(KD)]
    [unsure] = shown(a, k, a)
    assert isinstance(unsure, CardUnsure)
    assert unsure.candidates == (AS, KD)
    seen, doubted = shown(a, a, a, k)
    assert isinstance(seen, CardSeen)
    assert isinstance(doubted, CardUnsure)
    assert doubted.spot == seen.spot  # it takes back what was told


def test_doubt_is_over_when_the_stray_vote_has_left_the_window() -> None:
    a, k = [sight(AS)], [sight(KD)]
    kinds = [type(event) for event in shown(a, a, k, a, a, a, a, a)]
    assert kinds == [CardUnsure, CardSeen]


def test_a_doubtful_reading_neither_votes_nor_objects_unless_it_names_others() -> None:
    a = [sight(AS)]
    maybe, never = [sight(None, candidates=(AS, KD))], [sight(None, candidates=(KD, QH))]
    assert [type(e) for e in shown(a, maybe, a)] == [CardUnsure]
    assert [type(e) for e in shown(a, maybe, a, a)] == [CardUnsure, CardSeen]
    assert [type(e) for e in shown(a, a, a, never)] == [CardSeen, CardUnsure]


def test_a_card_is_gone_after_five_pictures_and_a_second_without_it() -> None:
    a = [sight(AS)]
    told = shown(a, a, a, [], [], [], [], [], [])
    assert [type(event) for event in told] == [CardSeen, CardGone]
    gone = told[1]
    assert isinstance(gone, CardGone)
    assert (gone.place, gone.card, gone.spot) == (1, AS, 1)
    assert gone.at == pytest.approx(1.6)
    quick = shown(a, a, a, *[[]] * 8, every=0.05)
    assert [type(event) for event in quick] == [CardSeen]


def test_a_card_is_not_gone_while_nobody_could_look() -> None:
    votes = Votes()
    for n in range(1, 4):
        votes.look(n * 0.2, ALL, [sight(AS)])
    for n in range(4, 100):
        votes.disturb({1})
        assert votes.look(n * 0.2, ALL - {1}, []) == []
    assert [told.spot for told in votes.told] == [1]


def test_after_a_hand_was_there_votes_begin_anew_and_a_card_that_stayed_is_not_told_again() -> None:
    votes = Votes()
    for n in range(1, 4):
        votes.look(n * 0.2, ALL, [sight(AS)])
    votes.disturb({1})
    told = [votes.look(n * 0.2, ALL, [sight(AS)]) for n in range(4, 9)]
    assert told == [[], [], [], [], []]
    votes.disturb({1})
    swapped = [votes.look(n * 0.2, ALL, [sight(KD)]) for n in range(9, 14)]
    [seen] = [event for events in swapped for event in events]
    assert isinstance(seen, CardSeen)
    assert (seen.card, seen.spot) == (KD, 1)  # in the old one's place, without doubt between them


def test_a_card_that_is_pushed_within_its_place_stays_the_same() -> None:
    told = shown(*[[sight(AS, x=8.0 * n)] for n in range(12)])
    assert [type(event) for event in told] == [CardSeen]


def test_cards_of_a_fan_keep_apart() -> None:
    fan = [sight(AS, x=0), sight(KD, x=16), sight(QH, x=32)]
    missed = [fan[0], fan[2]]
    told = shown(fan, missed, fan, fan, missed, fan)
    assert [(type(event), event.card) for event in told if isinstance(event, CardSeen)] == [
        (CardSeen, AS), (CardSeen, QH), (CardSeen, KD),
    ]  # fmt: skip
    assert len(told) == 3


def test_two_equal_cards_in_one_picture_are_an_alarm_at_once_and_once() -> None:
    twins = [sight(AS, 1), sight(AS, 2)]
    told = shown(twins, twins, twins, twins)
    assert told[0] == EqualCards(AS, (1, 2), 0.2)
    assert [type(event) for event in told] == [EqualCards, CardSeen, CardSeen]


def test_equal_cards_at_one_place_or_at_none_are_an_alarm_too() -> None:
    assert shown([sight(AS, 0, 0), sight(AS, 0, 90)])[0] == EqualCards(AS, (0, 0), 0.2)
    assert shown([sight(AS, 1), sight(AS, None)])[0] == EqualCards(AS, (None, 1), 0.2)


def test_equal_cards_that_come_back_are_told_again() -> None:
    twins, one = [sight(AS, 1), sight(AS, 2)], [sight(AS, 1)]
    alarms = [e.at for e in shown(twins, *[one] * 4, twins, *[one] * 5, twins) if isinstance(e, EqualCards)]
    assert alarms == [pytest.approx(0.2), pytest.approx(2.4)]


def test_a_card_that_is_carried_from_place_to_place_is_no_alarm() -> None:
    told = shown(*[[sight(AS, 1)]] * 4, *[[sight(AS, 2)]] * 7)
    assert [type(event) for event in told] == [CardSeen, CardSeen, CardGone]


def test_after_a_loss_nothing_is_known() -> None:
    votes = Votes()
    for n in range(1, 4):
        votes.look(n * 0.2, ALL, [sight(AS)])
    votes.forget()
    assert votes.told == ()
    told = [votes.look(n * 0.2, ALL, [sight(AS)]) for n in range(4, 7)]
    assert [len(events) for events in told] == [0, 0, 1]


def test_a_picture_that_is_not_newer_is_refused() -> None:
    votes = Votes()
    votes.look(5.0, ALL, [])
    for at in (5.0, 4.9):
        with pytest.raises(ValueError, match=r"expected a picture newer than 5\.0"):
            votes.look(at, ALL, [])


# --- whatever the pictures show ---

CARDS = st.sampled_from([AS, KD, QH, SEVEN])
SIGHTS = st.builds(
    Sight,
    place=st.sampled_from(PLACES),
    middle=st.tuples(st.sampled_from([0.0, 15.0, 30.0, 70.0]), st.sampled_from([0.0, 100.0])),
    card=st.none() | CARDS,
    candidates=st.lists(CARDS, max_size=2, unique=True).map(tuple),
    confidence=st.sampled_from([0.5, 0.75, 1.0]),
)
STEPS = st.tuples(
    st.sampled_from([0.125, 0.25, 0.5, 3.0]),
    st.sets(st.sampled_from(PLACES), max_size=1).map(frozenset),
    st.lists(SIGHTS, max_size=5).map(tuple),
)


@st.composite
def looks(draw: st.DrawFn) -> list[Look]:
    """Pictures, of which a few are much like the last: else nothing would ever get three votes."""
    found: list[Look] = []
    at = 0.0
    for gap, disturbed, sights in draw(st.lists(STEPS, min_size=1, max_size=12)):
        for n in range(draw(st.sampled_from([1, 1, 3, 6]))):
            at += gap
            moved = disturbed if n == 0 else frozenset[Place]()
            found.append((at, moved, ALL - moved, sights))
    return found


def window(seen: Sequence[Look], place: Place) -> list[tuple[Sight, ...]]:
    """The last five pictures in which a place was read since it was disturbed."""
    found: list[tuple[Sight, ...]] = []
    for _, disturbed, places, sights in seen:
        if place in disturbed:
            found.clear()
        if place in places:
            found.append(tuple(s for s in sights if s.place == place))
    return found[-5:]


@given(looks())
def test_no_card_is_ever_told_with_fewer_than_three_votes(seen: list[Look]) -> None:
    for n, events in enumerate(voted(seen), 1):
        for event in events:
            if isinstance(event, CardSeen):
                voters = [s for s in window(seen[:n], event.place) if any(one.card == event.card for one in s)]
                assert 3 <= event.frames <= len(voters) <= 5
                assert seen[n - 1][0] - 4.0 <= event.at <= seen[n - 1][0]


@given(looks(), st.randoms(use_true_random=False))
def test_the_order_in_which_a_picture_is_told_makes_no_difference(seen: list[Look], rng: random.Random) -> None:
    mixed = [(at, disturbed, places, tuple(rng.sample(sights, len(sights)))) for at, disturbed, places, sights in seen]
    assert voted(mixed) == voted(seen)


@given(looks(), st.integers(1, 1_000_000))
def test_the_hour_makes_no_difference(seen: list[Look], hour: int) -> None:
    later = [(at + hour, disturbed, places, sights) for at, disturbed, places, sights in seen]
    for one, two in zip(voted(seen), voted(later), strict=True):
        assert [type(event) for event in one] == [type(event) for event in two]
        assert [event.at + hour for event in one] == [event.at for event in two]


@given(looks())
def test_what_was_told_adds_up_to_what_lies_there(seen: list[Look]) -> None:
    votes, lying = Votes(), dict[int, CardEvent]()
    for at, disturbed, places, sights in seen:
        votes.disturb(disturbed)
        for event in votes.look(at, places, sights):
            if isinstance(event, CardGone):
                assert event.spot in lying
                del lying[event.spot]
            elif not isinstance(event, EqualCards):
                lying[event.spot] = event
        now = {told.spot: told for told in votes.told}
        assert lying.keys() == now.keys()
        for spot, event in lying.items():
            assert type(event) is type(now[spot])
            if isinstance(event, CardSeen):
                assert event.card == getattr(now[spot], "card", None)


@given(looks())
def test_no_two_equal_cards_in_one_picture_are_ever_passed_over(seen: list[Look]) -> None:
    told: set[Card] = set()
    for (_, _, places, sights), events in zip(seen, voted(seen), strict=True):
        told |= {event.card for event in events if isinstance(event, EqualCards)}
        there = [s.card for s in sights if s.place in places and s.card is not None]
        assert {card for card in there if there.count(card) > 1} <= told
