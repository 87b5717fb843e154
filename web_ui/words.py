"""The sentences for what the game names: steps, refusals, notices, results. English is the catalogue's key.

Every member of these enums has a word here; a placeholder stands in the nominative, and no sentence is built of two.
"""

from collections.abc import Mapping
from typing import Final

from dealer_assist.application.ports import PinFault, Role
from dealer_assist.application.views import ShownPhase
from dealer_assist.game.bets import Action, Bet, Decision, Outcome, Result, Why
from dealer_assist.game.cards import RANKS, SUITS, Card
from dealer_assist.game.dealing import DEALER, Place, Seat
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.hands import Category
from dealer_assist.game.profile import Labels
from dealer_assist.game.round import NoticeKind
from web_ui.format import Purse
from web_ui.language import gettext


def N_(text: str) -> str:  # noqa: N802  the mark by which catalogues find their keys
    """The text itself, which is translated where it is shown."""
    return text


PHASES: Final[Mapping[ShownPhase, str]] = {
    ShownPhase.bets_open: N_("Bets open"),
    ShownPhase.dealing: N_("Dealing"),
    ShownPhase.decisions: N_("Decisions"),
    ShownPhase.reveal: N_("Reveal"),
    ShownPhase.settlement: N_("Settlement"),
    ShownPhase.closed: N_("Round closed"),
    ShownPhase.paused: N_("Round paused"),
    ShownPhase.void: N_("Round void"),
}

NOTICES: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.unknown_tag: N_("Unknown tag: the reader saw a tag that is in no deck."),
    NoticeKind.other_deck: N_("Card of the other deck: the reader saw one."),
    NoticeKind.read_twice: N_("Card read twice: a card that lies on the table was read again."),
    NoticeKind.out_of_turn: N_("Card out of turn: the reader saw a card when none was due."),
    NoticeKind.wrong_place: N_("Card at seat %(detail)s: it is due at another place."),
    NoticeKind.card_moved: N_("Card moved: one that lies elsewhere was read at seat %(detail)s."),
    NoticeKind.card_lifted: N_("Card lifted at seat %(detail)s."),
    NoticeKind.collision: N_("Two tags at once: none of them was read."),
    NoticeKind.reader_fault: N_("The reader reports a fault: %(detail)s"),
    NoticeKind.shoe_empty: N_("The shoe is empty."),
    NoticeKind.jam: N_("Shoe jam. While dealing: void. With all cards out: finish the round."),
    NoticeKind.jackpot_signal: N_("Jackpot signal of seat %(detail)s, too late or without an ante: not registered."),
    NoticeKind.reader_back: N_("Reader back. Count the cards on the table before it goes on."),
    NoticeKind.reader_lost: N_("Reader lost. Deal on by hand: count the cards on the table."),
}

NOTICES_SHORT: Final[Mapping[NoticeKind, str]] = {
    NoticeKind.unknown_tag: N_("LOOK: UNKNOWN TAG"),
    NoticeKind.other_deck: N_("LOOK: CARD OF THE OTHER DECK"),
    NoticeKind.read_twice: N_("LOOK: CARD READ TWICE"),
    NoticeKind.out_of_turn: N_("LOOK: CARD OUT OF TURN"),
    NoticeKind.wrong_place: N_("LOOK: CARD AT THE WRONG PLACE"),
    NoticeKind.card_moved: N_("LOOK: CARD MOVED"),
    NoticeKind.card_lifted: N_("CARD LIFTED"),
    NoticeKind.collision: N_("LOOK: TWO TAGS AT ONCE"),
    NoticeKind.reader_fault: N_("READER FAULT"),
    NoticeKind.shoe_empty: N_("LOOK: SHOE EMPTY"),
    NoticeKind.jam: N_("LOOK: SHOE JAM"),
    NoticeKind.jackpot_signal: N_("JACKPOT SIGNAL NOT REGISTERED"),
    NoticeKind.reader_back: N_("READER BACK: COUNT THE CARDS"),
    NoticeKind.reader_lost: N_("READER LOST: COUNT THE CARDS"),
}

REFUSALS: Final[Mapping[Refusal, str]] = {
    Refusal.wrong_phase: N_("Not now. State of the round: %(phase)s."),
    Refusal.no_round: N_("No round is open."),
    Refusal.round_not_over: N_("The round is not over yet."),
    Refusal.no_such_seat: N_("Seat %(seat)s does not play in this round."),
    Refusal.bet_unknown: N_("This table has no such bet: %(bet)s."),
    Refusal.ante_first: N_("Seat %(seat)s: the ante comes first."),
    Refusal.amount_expected: N_("An amount above zero is needed."),
    Refusal.no_amount_here: N_("This table keys no amounts."),
    Refusal.stake_is_fixed: N_("The jackpot bet is always %(amount)s."),
    Refusal.over_limit: N_("Maximum reached. Seat %(seat)s, %(bounds)s: at most %(amount)s."),
    Refusal.under_limit: N_("Below the minimum. Seat %(seat)s, %(bounds)s: at least %(amount)s."),
    Refusal.no_such_bet: N_("Seat %(seat)s has no such bet: %(bet)s."),
    Refusal.no_bets: N_("There are no bets."),
    Refusal.doubled_already: N_("The bets have been doubled in this round."),
    Refusal.jackpot_count_differs: N_(
        "Jackpot chips counted: %(counted)s, registered: %(registered)s. Make them agree."
    ),
    Refusal.jackpot_fixed_at_lock: N_("Jackpot bets stand as they were when bets closed."),
    Refusal.all_dealt: N_("All cards are dealt."),
    Refusal.not_next_place: N_("The next card does not go there: %(place)s."),
    Refusal.no_card_there: N_("No card lies there: %(place)s."),
    Refusal.card_known: N_("The card there is known: %(place)s."),
    Refusal.card_elsewhere: N_(
        "That card lies elsewhere on the table. If the felt shows two equal cards, call the supervisor."
    ),
    Refusal.same_card: N_("That is the card recorded there."),
    Refusal.card_not_due: N_("A card lying face down stays unnamed: %(place)s."),
    Refusal.no_such_notice: N_("There is nothing to confirm."),
    Refusal.notice_open: N_("Look at the table first: a notice is open."),
    Refusal.no_such_dispute: N_("The camera disputes nothing any more."),
    Refusal.dispute_open: N_("The camera disagrees. Look, and decide first."),
    Refusal.count_needed: N_("Count the cards on the table first."),
    Refusal.count_too_small: N_("Cards read: %(drawn)s. The count can't be smaller."),
    Refusal.count_too_large: N_("Cards in the round: %(drawn)s. The count can't be larger."),
    Refusal.already_decided: N_("That is recorded already."),
    Refusal.cards_unknown: N_("A card is not known yet: %(holder)s."),
    Refusal.not_next_in_paying_order: N_("Another seat is settled first."),
    Refusal.amounts_needed: N_("Seat %(seat)s: state the amounts first, the maximum payout may apply."),
    Refusal.nothing_to_settle: N_("There are no jackpot chips to settle."),
    Refusal.nothing_to_undo: N_("There is nothing to undo. Once a hole card was shown, corrections are signed."),
    Refusal.needs_supervisor: N_("A supervisor must sign this."),
    Refusal.reason_needed: N_("Give a reason."),
    Refusal.hit_frozen: N_("A jackpot hit of this round is frozen: its cards and bets stand."),
    Refusal.no_such_hit: N_("No such jackpot hit is pending."),
    Refusal.no_such_deck: N_("That deck does not rest at this table."),
    Refusal.not_called: N_("The supervisor was not called."),
}

WHY: Final[Mapping[Why, str]] = {
    Why.folded: N_("Folded"),
    Why.dealer_not_qualified: N_("Dealer does not qualify"),
    Why.second_column: N_("Dealer does not qualify: second column"),
    Why.player_wins: N_("Player's hand wins"),
    Why.dealer_wins: N_("Dealer's hand wins"),
    Why.tie: N_("Equal hands"),
    Why.bonus_hand: N_("5+1 hand"),
    Why.no_bonus_hand: N_("No 5+1 hand"),
    Why.jackpot_hand: N_("Jackpot hand"),
    Why.jackpot_share: N_("Share of the jackpot"),
    Why.no_jackpot_hand: N_("No jackpot hand"),
    Why.round_void: N_("Round void"),
}

RESULTS: Final[Mapping[Result, str]] = {
    Result.take: N_("TAKE"),
    Result.push: N_("PUSH"),
    Result.pay: N_("PAY"),
}

OUTCOMES: Final[Mapping[Outcome, str]] = {
    Outcome.fold: N_("Folded"),
    Outcome.dealer_not_qualified: N_("Dealer does not qualify"),
    Outcome.win: N_("Wins"),
    Outcome.lose: N_("Loses"),
    Outcome.push: N_("Push"),
    Outcome.void: N_("Void"),
}

BETS: Final[Mapping[Bet, str]] = {
    Bet.ante: N_("Ante"),
    Bet.raise_bet: N_("Raise"),
    Bet.bonus: N_("5+1 bonus"),
    Bet.jackpot: N_("Jackpot"),
}

BOUNDS: Final[Mapping[str, str]] = {"ante": N_("ante"), "bonus": N_("5+1 bonus"), "total": N_("total bet")}

HANDS: Final[Mapping[Category, str]] = {
    Category.royal_flush: N_("Royal flush"),
    Category.straight_flush: N_("Straight flush"),
    Category.quads: N_("Four of a kind"),
    Category.full_house: N_("Full house"),
    Category.flush: N_("Flush"),
    Category.straight: N_("Straight"),
    Category.trips: N_("Three of a kind"),
    Category.two_pair: N_("Two pair"),
    Category.pair: N_("Pair"),
    Category.high_card: N_("High card"),
}

HANDS_SPOKEN: Final[Mapping[Category, str]] = {
    Category.royal_flush: N_("royal flush"),
    Category.straight_flush: N_("straight flush, %(high)s high"),
    Category.quads: N_("four %(most)s"),
    Category.full_house: N_("full house, %(most)s and %(next)s"),
    Category.flush: N_("flush, %(high)s high"),
    Category.straight: N_("straight, %(high)s high"),
    Category.trips: N_("three %(most)s"),
    Category.two_pair: N_("two pair, %(most)s and %(next)s"),
    Category.pair: N_("pair of %(most)s"),
    Category.high_card: N_("%(high)s high"),
}

RANK_NAMES: Final[Mapping[str, tuple[str, str]]] = {
    "A": (N_("ace"), N_("aces")),
    "K": (N_("king"), N_("kings")),
    "Q": (N_("queen"), N_("queens")),
    "J": (N_("jack"), N_("jacks")),
    "T": (N_("ten"), N_("tens")),
    "9": (N_("nine"), N_("nines")),
    "8": (N_("eight"), N_("eights")),
    "7": (N_("seven"), N_("sevens")),
    "6": (N_("six"), N_("sixes")),
    "5": (N_("five"), N_("fives")),
    "4": (N_("four"), N_("fours")),
    "3": (N_("three"), N_("threes")),
    "2": (N_("two"), N_("twos")),
}

SUIT_NAMES: Final[Mapping[str, str]] = {"s": N_("spades"), "h": N_("hearts"), "d": N_("diamonds"), "c": N_("clubs")}

SUIT_SIGNS: Final[Mapping[str, str]] = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

SUIT_LETTERS: Final[Mapping[str, str]] = {"s": N_("S"), "h": N_("H"), "d": N_("D"), "c": N_("C")}

ROLES: Final[Mapping[Role, str]] = {Role.dealer: N_("Dealer"), Role.supervisor: N_("Supervisor")}

PIN_FAULTS: Final[Mapping[PinFault, str]] = {
    PinFault.not_six_digits: N_("A PIN has 6 to 12 digits."),
    PinFault.too_easy: N_("Too easy to guess: no runs like 123456, no single digit again and again."),
    PinFault.the_same: N_("The dealer's and the supervisor's PIN must differ."),
    PinFault.already_set: N_("The PINs are set already."),
}


def card_name(card: Card) -> str:
    """A card's spoken name."""
    rank, suit = RANK_NAMES[RANKS[card.rank]][0], SUIT_NAMES[SUITS[card.suit]]
    return gettext("%(rank)s of %(suit)s", rank=gettext(rank), suit=gettext(suit))


def card_sign(card: Card) -> str:
    """A card in two signs, as its corner shows them; a ten in three."""
    rank = RANKS[card.rank]
    return ("10" if rank == "T" else rank) + SUIT_SIGNS[SUITS[card.suit]]


def hand_name(cards: tuple[Card, ...], category: Category) -> str:
    """Five cards in a sentence: “pair of kings”, “straight, jack high”."""
    ranks = [card.rank for card in cards]
    in_order = sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank))
    distinct = list(dict.fromkeys(in_order))
    if category in (Category.straight, Category.straight_flush) and distinct[:2] == [12, 3]:
        distinct = distinct[1:]  # ace to five: the five is the highest
    singular = gettext(RANK_NAMES[RANKS[distinct[0]]][0])
    plurals = [gettext(RANK_NAMES[RANKS[rank]][1]) for rank in distinct]
    if category is Category.high_card and distinct[:2] == [12, 11]:
        return gettext("ace-king")
    second = plurals[1] if len(plurals) > 1 else ""
    return gettext(HANDS_SPOKEN[category], high=singular, most=plurals[0], next=second)


def holder_name(holder: Seat) -> str:
    """Whose hand."""
    return gettext("Dealer") if holder == DEALER else gettext("Seat %(seat)s", seat=holder)


def place_name(place: Place) -> str:
    """A card's place."""
    if place.holder == DEALER:
        return gettext("dealer, card %(card)s", card=place.slot + 1)
    return gettext("seat %(seat)s, card %(card)s", seat=place.holder, card=place.slot + 1)


def bet_name(bet: Bet, labels: Labels) -> str:
    """A bet; the raise by the profile's own word."""
    return gettext(labels.raise_bet) if bet is Bet.raise_bet else gettext(BETS[bet])


def decision_name(decision: Decision, labels: Labels) -> str:
    """What a seat did, by the profile's own word."""
    raised = decision.action is Action.raise_bet
    if decision.timed_out:
        return gettext("AUTO RAISE") if raised else gettext("AUTO FOLD")
    return gettext(labels.raised if raised else labels.folded)


def refusal_sentence(violation: RuleViolation, purse: Purse) -> str:
    """Why a command was refused, in a sentence with its figures."""
    return gettext(REFUSALS[violation.refusal], **_spoken(violation, purse))


def _spoken(violation: RuleViolation, purse: Purse) -> dict[str, object]:
    """A refusal's data as its sentence says them; a dash for what it doesn't tell."""
    shown: dict[str, object] = dict.fromkeys(_NAMED, "–")
    for name, value in violation.data.items():
        match name, value:
            case "place", Place():
                shown[name] = place_name(value)
            case "holder", int():
                shown[name] = holder_name(Seat(value))
            case "amount", int():
                shown[name] = purse.text(value)
            case "bet", Bet():
                shown[name] = gettext(BETS[value])
            case "bounds", str():
                shown[name] = gettext(BOUNDS.get(value, value))
            case "phase", str():
                shown[name] = gettext(PHASES[ShownPhase(value)])
            case (("seat" | "drawn" | "registered" | "counted"), int()):
                shown[name] = value
            case _:
                pass
    return shown


_NAMED: Final = ("amount", "bet", "bounds", "counted", "drawn", "holder", "phase", "place", "registered", "seat")
