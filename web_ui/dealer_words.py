"""The sentences that the dealer screen's scripts say; amounts and state lines come with the stream."""

from collections.abc import Mapping
from typing import Final

from dealer_assist.game.setup import TableSetup
from web_ui.language import gettext
from web_ui.words import N_

SPOKEN: Final[Mapping[str, str]] = {
    "sent": N_("Sent …"),
    "not_sent": N_("Not sent: no answer from the server."),
    "stale": N_("Not live: {s} s old"),
    "stale_help": N_("The screen shows an old state. Keys work again when the server answers."),
    "sleeping": N_("Touch to wake the screen"),
    "tap_to_fold": N_("tap: {fold}"),
    "tap_back": N_("tap: take back"),
    "no_bet": N_("No bet"),
    "empty": N_("empty"),
    "face_down": N_("face down"),
    "unknown_down": N_("face down, not read"),
    "unknown_up": N_("card not known, tap to enter"),
    "doubtful": N_("Doubtful read: tap the right card"),
    "reader_ok": N_("Reader {name} OK"),
    "reader_lost": N_("Reader {name} LOST"),
    "no_reader": N_("No reader"),
    "camera_ok": N_("Camera OK"),
    "camera_lost": N_("Camera LOST"),
    "camera_disagrees": N_("Camera DISAGREES"),
    "link_ok": N_("Link OK"),
    "link_lost": N_("Link LOST"),
    "call": N_("CALL SUPERVISOR"),
    "change_deck": N_("Which deck is in play?"),
    "called": N_("SUPERVISOR CALLED"),
    "bets_open": N_("Bets open"),
    "bets_closing": N_("Bets nearly over"),
    "bets_closed": N_("Time is up"),
    "seconds": N_("{s} s"),
    "there": N_("A CARD LIES THERE"),
    "none": N_("NO CARD THERE"),
    "recorded": N_("Recorded"),
    "seen": N_("The camera sees"),
    "not_seen": N_("◆ not seen"),
    "not_recorded": N_("◆ not recorded"),
    "uphold": N_("THE RECORD STANDS"),
    "correct": N_("CORRECT THE CARD"),
    "count": N_("COUNT CARDS"),
    "count_read": N_("read: {n}"),
    "count_key": N_("COUNT IS RIGHT: {n}"),
    "cards_of": N_("{n} of {m}"),
    "dealer": N_("Dealer"),
    "seat_n": N_("Seat {n}"),
    "pick_for": N_("Which card lies there? {place}"),
    "place_seat": N_("Seat {n}, card {k}"),
    "place_dealer": N_("Dealer, card {k}"),
    "pick_wrong": N_("Tap the card that is different."),
    "pick_missed": N_("Tap the place of the card that was not read."),
    "pick_surplus": N_("Tap the card that does not lie on the table."),
    "worksheet_of": N_("Settle seat {n}"),
    "jackpot_aside": N_("Jackpot chips set aside"),
    "hand_out": N_("Hand out {amount}"),
    "paid_out": N_("Paid in this round: {amount}"),
    "waits": N_("waits"),
    "now": N_("now"),
    "done": N_("settled"),
    "total_bet": N_("Total bet {amount}"),
    "times": N_("{count} ×"),
    "sign_it": N_("A supervisor must sign this."),
    "sign_key": N_("SIGN"),
    "time_out": N_("No decision in time"),
    "correct_decision": N_("Which decision was another?"),
    "correct_bet": N_("Which bet was another?"),
    "jackpot_paid": N_("Which jackpot hit was handed out?"),
    "remove_bet": N_("Take a bet away"),
    "time_out_n": N_("Seat {n}: no decision in time"),
    "answer_call": N_("Supervisor is here"),
    "pay_hit": N_("Jackpot hit {number} handed out: {amount}"),
    "pay_hit_key": N_("JACKPOT PAID {amount}"),
    "amounts_of": N_("Seat {n}: what lies on the table?"),
    "ante": N_("Ante"),
    "bonus": N_("5+1 bonus"),
    "state_key": N_("STATE {amount}"),
    "decision_n": N_("Seat {n}: {decision} was recorded"),
    "decision_key": N_("CHANGE TO {decision}"),
    "bet_n": N_("Seat {n}, {bet}: what lay on the table?"),
    "bet_key": N_("CORRECT TO {amount}"),
    "robot": N_("The demonstration deals by itself."),
    "unverified": N_("Unverified round"),
}
"""By the names the scripts use; `{n}` and the like are filled there."""


def spoken_words(setup: TableSetup) -> dict[str, str]:
    """The sentences in the reader's language, the two decisions by the profile's own words."""
    labels = setup.profile.labels
    said = {name: gettext(text) for name, text in SPOKEN.items()}
    return said | {"fold": gettext(labels.act_fold), "raise": gettext(labels.act_raise)}
