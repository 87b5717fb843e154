"""`evolve(table, event)` → the table after it. No rule is checked here: what happened, happened.

One function an event, found by the event's type.
"""

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from dealer_assist.game import camera_events as seen
from dealer_assist.game import events as ev
from dealer_assist.game.evolve import of_bets, of_camera, of_cards, of_play, of_table
from dealer_assist.game.round import Round
from dealer_assist.game.table import Table

replace = msgspec.structs.replace


def evolve(table: Table | None, event: ev.Event) -> Table:
    """The table after an event; the first event of a log opens it."""
    if type(event) is ev.TableOpened:
        return of_table.opened(table, event)
    if table is None:
        raise AssertionError("a log begins with the table's opening")
    step = _ROUND_STEPS.get(type(event))
    if step is not None:
        now = table.round
        assert now is not None
        after = step(table, now, event)
        return replace(table, round=of_camera.with_moot_ended(table.setup, after) if after.disputes else after)
    return _TABLE_STEPS[type(event)](table, event)


def fold(events: Iterable[ev.Event], table: Table | None = None) -> Table:
    """The table after events: some more of them, or a whole log."""
    for event in events:
        table = evolve(table, event)
    assert table is not None
    return table


_RoundStep = Callable[..., Round]
_TableStep = Callable[..., Table]

_ROUND_STEPS: Final[dict[type, _RoundStep]] = {
    ev.BetsRepeated: of_bets.bets_repeated,
    ev.BetPlaced: of_bets.bet_placed,
    ev.BetRemoved: of_bets.bet_removed,
    ev.BetsDoubled: of_bets.bets_doubled,
    ev.CardDrawn: of_cards.card_drawn,
    ev.CardBurned: of_cards.card_burned,
    ev.CardEntered: of_cards.card_entered,
    ev.CardCorrected: of_cards.card_corrected,
    ev.PlaceDoubted: of_cards.place_doubted,
    ev.CardInserted: of_cards.card_inserted,
    ev.CardTakenOut: of_cards.card_taken_out,
    ev.CardSeenOutOfTurn: of_cards.seen_out_of_turn,
    ev.CardSeenElsewhere: of_cards.seen_elsewhere,
    ev.SeenCardPlaced: of_cards.seen_card_placed,
    ev.NoticeRaised: of_cards.notice_raised,
    ev.NoticeSettled: of_cards.notice_settled,
    ev.CountConfirmed: of_cards.count_confirmed,
    ev.SeatDecided: of_play.seat_decided,
    ev.HoleCardsTurned: of_play.hole_cards_turned,
    ev.DealerHandConfirmed: of_play.dealer_hand_confirmed,
    ev.AmountsStated: of_play.amounts_stated,
    ev.SeatSettled: of_play.seat_settled,
    ev.JackpotSettled: of_play.jackpot_settled,
    ev.RoundClosed: of_play.round_closed,
    ev.RoundVoided: of_play.round_voided,
    ev.StepUndone: of_play.step_undone,
    ev.BetCorrected: of_play.bet_corrected,
    ev.DecisionCorrected: of_play.decision_corrected,
    seen.HandCompared: of_camera.hand_compared,
    seen.HandDisputed: of_camera.hand_disputed,
    seen.RecordUpheld: of_camera.record_upheld,
    seen.CandidatesSeen: of_camera.candidates_seen,
}

_TABLE_STEPS: Final[dict[type, _TableStep]] = {
    ev.MeterSeeded: of_table.meter_seeded,
    ev.ReaderLost: of_table.reader_lost,
    ev.ReaderBack: of_table.reader_back,
    ev.DeckChanged: of_table.deck_changed,
    ev.SupervisorCalled: of_table.supervisor_called,
    ev.SupervisorCame: of_table.supervisor_came,
    ev.HitPaid: of_table.hit_paid,
    ev.HistoryExported: of_table.history_exported,
    ev.RoundOpened: of_table.round_opened,
    ev.BetsLocked: of_table.bets_locked,
    ev.JackpotFed: of_table.jackpot_fed,
    ev.JackpotFeedReversed: of_table.jackpot_feed_reversed,
    ev.HitFrozen: of_table.hit_frozen,
    seen.CameraLost: of_camera.camera_lost,
    seen.CameraBack: of_camera.camera_back,
    seen.EvidenceDropped: of_camera.evidence_dropped,
}
