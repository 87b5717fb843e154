"""Events of cards on the felt, and of what is odd about them."""

from typing import Final

import msgspec

from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.evolve.notices import with_notice
from dealer_assist.game.evolve.turning import reopened, way_back
from dealer_assist.game.round import COUNT_FIRST, Draw, NoticeKind, Phase, Round, Source
from dealer_assist.game.table import Table

replace = msgspec.structs.replace

_NO_HANDS: Final[dict[Seat, tuple[Card, ...]]] = {}


def card_drawn(table: Table, now: Round, event: ev.CardDrawn) -> Round:
    return _with_draws(now, (*now.draws, event.draw))


def card_burned(table: Table, now: Round, event: ev.CardBurned) -> Round:
    return replace(now, draws=(*now.draws, event.draw), burned=(*now.burned, len(now.draws)), before=now)


def _with_draws(now: Round, draws: tuple[Draw, ...]) -> Round:
    if len(draws) - len(now.burned) < len(now.order):
        return replace(now, draws=draws, hands=_NO_HANDS, phase=Phase.dealing, before=now)
    dealt = replace(now, draws=draws, phase=Phase.decisions, before=now)
    return replace(dealt, hands=_known_hands(dealt))


def _known_hands(now: Round) -> dict[Seat, tuple[Card, ...]]:
    placed = now.placed
    hands = {holder: tuple(placed[at].card for at in positions) for holder, positions in now.positions.items()}
    return {holder: hand for holder, hand in hands.items() if None not in hand}  # type: ignore[misc]


def card_entered(table: Table, now: Round, event: ev.CardEntered) -> Round:
    """What a camera read is no step: undone, it would be read again."""
    entered = _with_face(now, event.place, Draw(event.card, event.source))
    return entered if event.source is Source.camera else replace(entered, before=way_back(now))


def card_corrected(table: Table, now: Round, event: ev.CardCorrected) -> Round:
    doubted = now if event.doubted is None else _with_face(now, event.doubted, Draw(None, Source.unread))
    corrected = _with_face(doubted, event.place, Draw(event.card, Source.hand))
    return reopened(table, replace(corrected, before=way_back(now)))


def place_doubted(table: Table, now: Round, event: ev.PlaceDoubted) -> Round:
    return replace(_with_face(now, event.place, Draw(None, Source.unread)), corrected=True)


def _with_face(now: Round, place: Place, draw: Draw) -> Round:
    index = now.index_of(place)
    assert index is not None
    at = now.draw_index(index)
    faced = replace(now, draws=(*now.draws[:at], draw, *now.draws[at + 1 :]))
    return faced if faced.next_place is not None else replace(faced, hands=_known_hands(faced))


def card_inserted(table: Table, now: Round, event: ev.CardInserted) -> Round:
    return _with_unread(now, event.at)


def _with_unread(now: Round, at: int) -> Round:
    draws = (*now.draws[:at], Draw(None, Source.unread), *now.draws[at:])
    shifted = _with_draws(replace(now, burned=tuple(b + (b >= at) for b in now.burned)), draws)
    return replace(shifted, before=now)


def card_taken_out(table: Table, now: Round, event: ev.CardTakenOut) -> Round:
    draws = (*now.draws[: event.at], *now.draws[event.at + 1 :])
    return replace(_with_draws(replace(now, burned=tuple(b - (b > event.at) for b in now.burned)), draws), before=now)


def seen_out_of_turn(table: Table, now: Round, event: ev.CardSeenOutOfTurn) -> Round:
    seen = now.seen_out_of_turn | {event.tag or event.card.value}
    return replace(with_notice(now, NoticeKind.out_of_turn, event.reader, ""), seen_out_of_turn=seen)


def seen_elsewhere(table: Table, now: Round, event: ev.CardSeenElsewhere) -> Round:
    noticed = with_notice(now, NoticeKind.wrong_place, event.reader, str(event.seat))
    return replace(noticed, misplaced={**now.misplaced, noticed.notices[-1].id: event.draw})


def notice_raised(table: Table, now: Round, event: ev.NoticeRaised) -> Round:
    return with_notice(now, event.kind, event.reader, event.detail)


def notice_settled(table: Table, now: Round, event: ev.NoticeSettled) -> Round:
    looked = _looked_at(now, event.id)
    settled = looked if event.card_at is None else _with_unread(looked, event.card_at)
    return replace(settled, before=way_back(now))


def seen_card_placed(table: Table, now: Round, event: ev.SeenCardPlaced) -> Round:
    unread = (Draw(None, Source.unread),) * event.unread
    return replace(_with_draws(_looked_at(now, event.id), (*now.draws, *unread, event.draw)), before=now)


def _looked_at(now: Round, notice: int) -> Round:
    notices = tuple(replace(n, is_open=False) if n.id == notice else n for n in now.notices)
    return replace(now, notices=notices, misplaced={n: draw for n, draw in now.misplaced.items() if n != notice})


def count_confirmed(table: Table, now: Round, event: ev.CountConfirmed) -> Round:
    unread = (Draw(None, Source.unread),) * (event.drawn - len(now.draws))
    notices = tuple(replace(n, is_open=n.is_open and n.kind not in COUNT_FIRST) for n in now.notices)
    confirmed = _with_draws(now, (*now.draws, *unread)) if unread else now
    return replace(confirmed, notices=notices, before=now)
