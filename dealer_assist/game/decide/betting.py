"""Commands up to the lock: the round opens, bets are set, doubled, repeated, locked."""

from dealer_assist.game import commands as cmd
from dealer_assist.game import events as ev
from dealer_assist.game.bets import ONE_ANTE, Bet, Bets, Unit
from dealer_assist.game.commands import Stamp
from dealer_assist.game.dealing import Seat
from dealer_assist.game.decide.checks import require, require_notices_settled, round_in
from dealer_assist.game.errors import Refusal, RuleViolation
from dealer_assist.game.jackpot import contribution
from dealer_assist.game.money import NOTHING, Money, parse_amount
from dealer_assist.game.round import OVER, NoticeKind, Phase, Round
from dealer_assist.game.setup import BetEntry, TableSetup
from dealer_assist.game.table import Table

Events = tuple[ev.Event, ...]


def open_round(table: Table, command: cmd.OpenRound, stamp: Stamp) -> Events:
    """Bets open under a new game number. Source: sheet A "Spilnummer"; "GENTAG" for the repeat."""
    last = table.round
    require(last is None or last.phase in OVER, Refusal.round_not_over)
    opened = ev.RoundOpened(game_number(table.next_setup.table, stamp.at, last.number if last else None), stamp.at)
    if not command.repeat:
        return (opened,)
    bets = repeatable_bets(table)
    require(bool(bets), Refusal.no_bets)
    for seat, made in bets.items():
        _require_under_limits(table.next_setup, seat, made)
    return opened, ev.BetsRepeated(bets)


def repeatable_bets(table: Table) -> dict[Seat, Bets]:
    """The bets that "same seats as last round" would set: those that this table, as it plays now, still takes."""
    setup = table.next_setup
    bets = table.round.bets if table.round is not None and table.round.bets else table.last_bets
    unit = Unit.ante if setup.bet_entry is BetEntry.seats else Unit.currency
    return {seat: _as_known(setup, made) for seat, made in bets.items() if seat in setup.seats and made.unit is unit}


def _as_known(setup: TableSetup, bets: Bets) -> Bets:
    """The bets without those that the profile does not know, the jackpot's at its fixed stake."""
    profile = setup.profile
    jackpot = profile.jackpot_stake if bets.jackpot and profile.jackpot is not None else NOTHING
    return Bets(bets.ante, bets.bonus if profile.bonus is not None else NOTHING, jackpot, bets.unit)


def game_number(table: str, at: str, last: str | None) -> str:
    """Date, table and GMT time; a further part where that second has its round already, so that no number comes twice."""
    date, time = at[:10], at[11:19]
    if last is not None:
        last_date, _, last_time, *further = last.split("/")
        if (date, time) <= (last_date, last_time):
            return f"{last_date}/{table}/{last_time}/{int(further[0]) + 1 if further else 2}"
    return f"{date}/{table}/{time}"


def place_bet(table: Table, command: cmd.PlaceBet, stamp: Stamp) -> Events:
    """A chip on a spot. Source: sheet A "Placer indsats", sheet D "Panostaminen" 2."""
    now = round_in(table, Phase.bets_open)
    setup, seat = table.setup, command.seat
    require(seat in setup.seats, Refusal.no_such_seat, seat=seat)
    bets = now.bets.get(seat)
    if command.bet is Bet.ante:
        made = _with_ante(setup, bets, command.amount)
    else:
        require(bets is not None, Refusal.ante_first, seat=seat)
        made = _with_side_bet(setup, bets or Bets(NOTHING), command)
    _require_under_limits(setup, seat, made)
    return (ev.BetPlaced(seat, command.bet, made),)


def _with_ante(setup: TableSetup, bets: Bets | None, amount: Money | None) -> Bets:
    if setup.bet_entry is BetEntry.seats:
        require(amount is None, Refusal.no_amount_here)
        require(bets is None, Refusal.already_decided)
        return Bets(ONE_ANTE, unit=Unit.ante)
    more = _keyed(amount)
    return Bets(more) if bets is None else Bets(Money(bets.ante + more), bets.bonus, bets.jackpot)


def _with_side_bet(setup: TableSetup, bets: Bets, command: cmd.PlaceBet) -> Bets:
    profile, amount = setup.profile, command.amount
    if command.bet is Bet.jackpot:
        require(profile.jackpot is not None, Refusal.bet_unknown, bet=command.bet)
        require(not bets.jackpot, Refusal.already_decided)
        stake = profile.jackpot_stake
        require(amount in (None, stake), Refusal.stake_is_fixed, amount=stake)
        return Bets(bets.ante, bets.bonus, stake, bets.unit)
    require(command.bet is Bet.bonus and profile.bonus is not None, Refusal.bet_unknown, bet=command.bet)
    if bets.unit is Unit.ante:
        require(amount is None, Refusal.no_amount_here)
        require(not bets.bonus, Refusal.already_decided)
        return Bets(bets.ante, ONE_ANTE, bets.jackpot, bets.unit)
    return Bets(bets.ante, Money(bets.bonus + _keyed(amount)), bets.jackpot, bets.unit)


def _keyed(amount: Money | None) -> Money:
    if amount is None or amount <= 0:
        raise RuleViolation(Refusal.amount_expected)
    return amount


def _bounded(bets: Bets, bounds: str) -> Money:
    return {"ante": bets.ante, "bonus": bets.bonus}.get(bounds, Money(bets.ante + bets.bonus + bets.jackpot))


def _require_under_limits(setup: TableSetup, seat: Seat, bets: Bets) -> None:
    """A bet over its limit is not taken. Source: sheet A "maksimumgrænsen", sheet D "Panostaminen" 1."""
    if bets.unit is Unit.ante:
        return
    for limit in setup.limits:
        highest = parse_amount(limit.highest, setup.minor_digits)
        require(
            _bounded(bets, limit.bounds) <= highest, Refusal.over_limit, seat=seat, bounds=limit.bounds, amount=highest
        )


def _require_over_limits(setup: TableSetup, now: Round) -> None:
    for seat, bets in now.bets.items():
        for limit in setup.limits if bets.unit is Unit.currency else ():
            lowest, bet = parse_amount(limit.lowest, setup.minor_digits), _bounded(bets, limit.bounds)
            made = bet >= lowest or (limit.bounds == "bonus" and not bet)
            require(made, Refusal.under_limit, seat=seat, bounds=limit.bounds, amount=lowest)


def remove_bet(table: Table, command: cmd.RemoveBet, stamp: Stamp) -> Events:
    """A chip comes off a spot again."""
    now = round_in(table, Phase.bets_open)
    bets = now.bets.get(command.seat)
    there = bets is not None and command.bet is not Bet.raise_bet and bets.of(command.bet) > 0
    require(there, Refusal.no_such_bet, seat=command.seat, bet=command.bet)
    return (ev.BetRemoved(command.seat, command.bet),)


def double_bets(table: Table, command: cmd.DoubleBets, stamp: Stamp) -> Events:
    """Every ante and bonus twice, once a round. Source: sheet A "FORDOBLING (2x)"."""
    now = round_in(table, Phase.bets_open)
    require(table.setup.bet_entry is BetEntry.amounts, Refusal.no_amount_here)
    require(bool(now.bets), Refusal.no_bets)
    require(not now.doubled, Refusal.doubled_already)
    doubled = {seat: Bets(Money(2 * bets.ante), Money(2 * bets.bonus), bets.jackpot) for seat, bets in now.bets.items()}
    for seat, bets in doubled.items():
        _require_under_limits(table.setup, seat, bets)
    return (ev.BetsDoubled(doubled),)


def lock_bets(table: Table, command: cmd.LockBets, stamp: Stamp) -> Events:
    """No more bets, before the first card; each jackpot bet feeds the meter. Source: sheet D "Kehittyvään Jackpottiin" 2–3."""
    now = round_in(table, Phase.bets_open)
    require_notices_settled(now)
    require(bool(now.bets), Refusal.no_bets)
    registered = sum(1 for bets in now.bets.values() if bets.jackpot)
    require(
        command.jackpot_chips == registered,
        Refusal.jackpot_count_differs,
        registered=registered,
        counted=command.jackpot_chips,
    )
    _require_over_limits(table.setup, now)
    return ev.BetsLocked(command.jackpot_chips), *jackpot_feeds(table.setup, now)


def jackpot_feeds(setup: TableSetup, now: Round) -> tuple[ev.JackpotFed, ...]:
    """What the round's jackpot bets feed to the meter, seat by seat from the dealer's left."""
    if setup.contribution is None:
        return ()
    fed = (
        contribution(seat, now.bets[seat].jackpot, setup.contribution) for seat in now.seats if now.bets[seat].jackpot
    )
    return tuple(ev.JackpotFed(each.seat, each.stake, each.rate, each.increment) for each in fed)


def register_jackpot(table: Table, command: cmd.RegisterJackpot, stamp: Stamp) -> Events:
    """A device registered a jackpot bet before the lock; a signal that can't be one is told, and changes nothing.

    Source: sheet D "Kehittyvään Jackpottiin" 1–3; felt practice, jackpot evidence by lamp.
    """
    now = table.round
    if now is None or now.phase in OVER:
        return ()
    bets = now.bets.get(command.seat)
    if bets is not None and bets.jackpot:
        return ()
    if now.phase is not Phase.bets_open or bets is None or table.setup.profile.jackpot is None:
        told = any(
            notice.kind is NoticeKind.jackpot_signal and notice.detail == str(command.seat) for notice in now.notices
        )
        return () if told else (ev.NoticeRaised(NoticeKind.jackpot_signal, command.reader, str(command.seat)),)
    placed = Bets(bets.ante, bets.bonus, table.setup.profile.jackpot_stake, bets.unit)
    return (ev.BetPlaced(command.seat, Bet.jackpot, placed),)


def change_deck(table: Table, command: cmd.ChangeDeck, stamp: Stamp) -> Events:
    """Two decks in turn: one is dealt while the other is shuffled. A round keeps the deck it was locked with."""
    now = table.round
    if now is not None and now.phase not in OVER:
        round_in(table, Phase.bets_open)
    other = command.deck in table.next_setup.decks and command.deck != table.deck_in_play
    require(other, Refusal.no_such_deck, deck=command.deck)
    return (ev.DeckChanged(command.deck),)
