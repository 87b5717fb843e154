"""Commands about cards and readers: what was drawn, what nobody read, what is odd."""

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.cards import Card
from dealer_assist.game.commands import Stamp
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.decide.checks import require, round_in
from dealer_assist.game.decide.playing import closing
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.evolve import fold
from dealer_assist.game.round import COUNT_FIRST, OVER, Draw, Notice, NoticeKind, Phase, Round, Source
from dealer_assist.game.sight import lies_open
from dealer_assist.game.table import Table

Events = tuple[ev.Event, ...]


def draw_card(table: Table, command: cmd.DrawCard, stamp: Stamp) -> Events:
    """A card left the shoe, or lies at a seat's antenna. What it can't be is a notice, never a guess."""
    now = table.round
    if now is None or now.phase in OVER:
        return ()  # cards on their way back to the shoe
    drawn = now.drawn(command.card)
    if drawn is not None:
        return _read_again(now, drawn, command)
    if now.phase is not Phase.dealing:
        return _out_of_turn(now, command)
    draw = Draw(command.card, Source.reader, command.tag)
    if command.seat is None or command.seat == now.order[len(now.draws) - len(now.burned)].holder:
        return (ev.CardDrawn(draw),)
    if any(held.card is command.card for held in now.misplaced.values()):
        return ()
    return (ev.CardSeenElsewhere(command.reader, command.seat, draw),)


def _out_of_turn(now: Round, command: cmd.DrawCard | cmd.ReportDiscard) -> Events:
    if (command.tag or command.card.value) in now.seen_out_of_turn:
        return ()
    return (ev.CardSeenOutOfTurn(command.reader, command.card, command.tag),)


def _read_again(now: Round, drawn: Draw, command: cmd.DrawCard) -> Events:
    """The same tag, or the card read last of all, is one presentation; anything else is the same card twice."""
    if command.seat is not None:
        return _seen_at(now, command, command.seat)
    if drawn.tag is not None and drawn.tag == command.tag:
        return ()
    if drawn is now.draws[-1] and drawn.source is Source.reader and command.tag is None:
        return ()
    return _noticed_once(now, NoticeKind.read_twice, command.reader, f"card {now.draws.index(drawn) + 1}")


def _seen_at(now: Round, command: cmd.DrawCard, seat: Seat) -> Events:
    """An antenna sees a card that has its place: there, or moved to another while hands must stay apart."""
    place = now.place_of(command.card)
    if place is None or place.holder == seat or now.phase not in (Phase.dealing, Phase.decisions):
        return ()
    return _noticed_once(now, NoticeKind.card_moved, command.reader, str(seat))


def report_discard(table: Table, command: cmd.ReportDiscard, stamp: Stamp) -> Events:
    """A card at the discard rack: one that this round never drew is odd, any other goes where it should."""
    now = table.round
    if now is None or now.phase in OVER or now.has_drawn(command.card):
        return ()
    return _out_of_turn(now, command)


def _noticed_once(now: Round, kind: NoticeKind, reader: str, detail: str) -> Events:
    if any(notice.kind is kind and notice.detail == detail and notice.reader == reader for notice in now.open_notices):
        return ()
    return (ev.NoticeRaised(kind, reader, detail),)


def burn_card(table: Table, command: cmd.BurnCard, stamp: Stamp) -> Events:
    """The next card goes to nobody."""
    now = round_in(table, Phase.dealing)
    return ev.CardBurned(Draw(command.card, Source.reader)), *twin_doubted(now, command.card)


def enter_card(table: Table, command: cmd.EnterCard, stamp: Stamp) -> Events:
    """A person names an open card: the next one dealt, or one that nobody read. A card lying face down stays unnamed."""
    now = round_in(table, Phase.dealing, Phase.decisions, Phase.reveal, Phase.settlement, Phase.closed)
    place = command.place
    require(lies_open(table.setup.profile, now, place), Refusal.card_not_due, place=place)
    draw = now.draw_at(place)
    if draw is None:
        require(now.phase is Phase.dealing and place == now.next_place, Refusal.not_next_place, place=place)
        # Taken and logged also where the card was read face down elsewhere: a refusal would answer whoever asks for it.
        return ev.CardDrawn(Draw(command.card, Source.hand)), *twin_doubted(now, command.card)
    require(draw.card is None, Refusal.card_known, place=place)
    events: Events = (ev.CardEntered(place, command.card), *twin_doubted(now, command.card))
    return *events, *closing(fold(events, table))


def twin_doubted(now: Round, card: Card) -> Events:
    """The doubt about where the same card was read, if it was. Raises: as `twin_of`."""
    twin = twin_of(now, card)
    return () if twin is None else (ev.PlaceDoubted(twin),)


def twin_of(now: Round, card: Card) -> Place | None:
    """Where the same card was read: that read was wrong, and its face is asked for. Source: procedure rows 17, 23.

    Where the felt shows two equal cards, no answer fits, and a supervisor voids.
    Raises: RuleViolation, where the card was burned.
    """
    twin = now.place_of(card)
    require(twin is not None or not now.has_drawn(card), Refusal.card_elsewhere, card=card)
    return twin


def mark_unread(table: Table, command: cmd.MarkUnread, stamp: Stamp) -> Events:
    """A card lies at the next place that no reader saw."""
    round_in(table, Phase.dealing)
    return (ev.CardDrawn(Draw(None, Source.unread)),)


def insert_unread(table: Table, command: cmd.InsertUnread, stamp: Stamp) -> Events:
    """A card was missed earlier. Source: procedure row 19."""
    now = round_in(table, Phase.dealing)
    return (ev.CardInserted(_drawn_at(now, command.place)),)


def take_out(table: Table, command: cmd.TakeOut, stamp: Stamp) -> Events:
    """A read that was no card on the felt. Source: procedure rows 8, 9 and 17."""
    now = round_in(table, Phase.dealing, Phase.decisions)
    return (ev.CardTakenOut(_drawn_at(now, command.place)),)


def _drawn_at(now: Round, place: Place) -> int:
    index = now.index_of(place)
    if index is None or index >= len(now.draws) - len(now.burned):
        raise RuleViolation(Refusal.no_card_there, place=place)
    return now.draw_index(index)


def report_notice(table: Table, command: cmd.ReportNotice, stamp: Stamp) -> Events:
    """What a reader says that is no card of this round: an unknown tag, the other deck, a jam, a lifted card."""
    now = table.round
    if now is None or now.phase in OVER:
        return ()
    if command.kind is NoticeKind.card_lifted and now.phase not in (Phase.dealing, Phase.decisions):
        return ()  # hands are turned and cleared from here on
    return _noticed_once(now, command.kind, command.reader, command.detail)


def settle_notice(table: Table, command: cmd.SettleNotice, stamp: Stamp) -> Events:
    """A person looked. Source: procedure row 17."""
    now = table.round
    if now is None:
        raise RuleViolation(Refusal.no_round)
    notice = next((notice for notice in now.open_notices if notice.id == command.id), None)
    if notice is None:
        raise RuleViolation(Refusal.no_such_notice, id=command.id)
    require(notice.kind not in COUNT_FIRST, Refusal.count_needed)
    if not command.card_lies_there:
        return (ev.NoticeSettled(notice.id),)
    require(now.next_place is not None, Refusal.all_dealt)
    if notice.id in now.misplaced:
        return (_placed_where_seen(now, notice, now.misplaced[notice.id]),)
    return (ev.NoticeSettled(notice.id, min(notice.drawn, len(now.draws))),)


def _placed_where_seen(now: Round, notice: Notice, draw: Draw) -> ev.SeenCardPlaced:
    due = now.order[len(now.draws) - len(now.burned) :]
    unread = next((at for at, place in enumerate(due) if str(place.holder) == notice.detail), None)
    if unread is None:
        raise RuleViolation(Refusal.all_dealt)
    require(draw.card is None or not now.has_drawn(draw.card), Refusal.card_elsewhere)
    return ev.SeenCardPlaced(notice.id, unread, draw)


def confirm_count(table: Table, command: cmd.ConfirmCount, stamp: Stamp) -> Events:
    """The dealer counted the cards at each place. Source: procedure row 19."""
    now = round_in(table, Phase.dealing, Phase.decisions)
    most = len(now.order) + len(now.burned)
    require(command.drawn >= len(now.draws), Refusal.count_too_small, drawn=len(now.draws))
    require(command.drawn <= most, Refusal.count_too_large, drawn=most)
    asked = any(notice.kind in COUNT_FIRST for notice in now.open_notices)
    require(asked or command.drawn > len(now.draws), Refusal.no_such_notice)
    return (ev.CountConfirmed(command.drawn),)


def report_reader_lost(table: Table, command: cmd.ReportReaderLost, stamp: Stamp) -> Events:
    """Once an outage."""
    return () if table.readers.get(command.reader) is not None else (ev.ReaderLost(command.reader, command.reason),)


def report_reader_back(table: Table, command: cmd.ReportReaderBack, stamp: Stamp) -> Events:
    """At the start, and once after each loss."""
    known_online = command.reader in table.readers and table.readers[command.reader] is None
    return () if known_online else (ev.ReaderBack(command.reader),)
