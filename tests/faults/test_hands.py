"""What people do about a fault at other moments than its own, and faults that meet people's keys."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dealer_assist.game import commands as cmd
from dealer_assist.game.bets import Bet
from dealer_assist.game.cards import DECK
from dealer_assist.game.dealing import Place, Seat
from dealer_assist.game.round import NoticeKind, Phase
from hardware.simulated.client import ShoeError, VirtualShoe
from hardware.simulated.devices.line import line_frame
from tests.faults.dealer import ANTE, CARDS, SEATS, Dealer, Fault, Moment, Shows
from tests.faults.felt import READER, Felt, faulty_shoe, felt_with, wait_until
from tests.faults.matrix import outcome_of
from tests.hardware.simulated.decks import uid_of

MISSED = Fault("missed card", Shows.nothing)
SWAPPED = Fault("swapped cards", Shows.nothing, cards=2, misleads=True)


@pytest.fixture(scope="module")
def module_shoe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualShoe]:
    with faulty_shoe(tmp_path_factory.mktemp("shoe"), "line") as shoe:
        yield shoe


@pytest.fixture
def shoe(module_shoe: VirtualShoe) -> VirtualShoe:
    """The shoe, plugged in anew."""
    module_shoe.unplug()
    module_shoe.replug()
    return module_shoe


@pytest.fixture
def felt(shoe: VirtualShoe, tmp_path: Path) -> Iterator[Felt]:
    with felt_with(shoe, tmp_path) as felt:
        yield felt


def deal(felt: Felt, cards: int) -> None:
    """Opens a round, if none runs, and deals cards that are all read."""
    if felt.now.phase is not Phase.dealing:
        felt.press(cmd.OpenRound())
        for seat in SEATS:
            felt.press(cmd.PlaceBet(seat, Bet.ante, ANTE))
        felt.press(cmd.LockBets(0))
    for _ in range(cards):
        felt.shoe.present(felt.order[felt.out])
        felt.out += 1
        wait_until(lambda: len(felt.now.draws) == felt.out)


def play_on(felt: Felt) -> Dealer:
    """Plays what is left of the round without a further fault."""
    dealer = Dealer(felt)
    dealer.play_on()
    return dealer


@pytest.mark.parametrize("moment", [Moment.first, Moment.middle])
def test_a_missed_card_that_nobody_notices_keeps_the_deal_open_and_every_wrong_card_is_seen_when_turned(
    felt: Felt, moment: Moment
) -> None:
    dealer = Dealer(felt, MISSED, moment, attentive=False)
    dealer.play()
    assert outcome_of(felt, dealer).is_right
    assert dealer.did[0] == "has no card left, and the screen asks for one: marks it unread"
    assert "sees another card turned than the screen shows: corrects it" in dealer.did


@pytest.mark.parametrize("keep", [8, 10])
def test_a_frame_cut_right_before_the_next_one_takes_it_along_and_neither_is_guessed(
    shoe: VirtualShoe, tmp_path: Path, keep: int
) -> None:
    with felt_with(shoe, tmp_path, silence_s=5) as felt:
        deal(felt, 4)
        cut = line_frame(bytes.fromhex(uid_of("line", DECK.index(felt.order[4]))))[:keep]
        shoe.send_bytes(cut)
        shoe.present(felt.order[5])
        felt.out = 6
        wait_until(lambda: bool(felt.now.open_notices or felt.bad_reads))
        assert len(felt.now.draws) == 4
        if keep == 10:  # damaged: nothing is asked, but the screen is two cards behind
            felt.press(cmd.ConfirmCount(felt.out))
        dealer = play_on(felt)
        assert outcome_of(felt, dealer).is_right
        assert (
            dealer.did[:2]
            == {
                8: [
                    "*unknown tag*: looks, a card lies there",
                    "sees more cards on the felt than on the screen: marks them unread",
                ],
                10: ["names it when it is turned"],
            }[keep]
        )


def test_a_card_that_is_read_after_it_was_marked_unread_is_taken_out_again(felt: Felt) -> None:
    deal(felt, 4)
    felt.press(cmd.MarkUnread())
    place = felt.now.order[4]
    felt.shoe.present(felt.order[4])  # late
    wait_until(lambda: len(felt.now.draws) == 6)
    felt.out = 5
    felt.press(cmd.TakeOut(place))  # the screen is one card ahead of the felt
    assert felt.now.draws[4].card is felt.order[4]
    dealer = play_on(felt)
    assert outcome_of(felt, dealer).is_right
    assert dealer.did == []


def test_a_reader_that_never_comes_back_leaves_a_round_by_hand_every_card_named_when_turned(felt: Felt) -> None:
    deal(felt, 2)
    felt.shoe.unplug()
    wait_until(lambda: felt.table.readers[READER] is not None)
    with pytest.raises(ShoeError):
        felt.shoe.present(felt.order[felt.out])
    felt.out = CARDS
    dealer = play_on(felt)
    outcome = outcome_of(felt, dealer)
    assert outcome.is_right
    assert outcome.unverified
    assert dealer.did[0] == f"*reader lost*: counts, {CARDS - 2} more than were read"


def test_a_reader_lost_before_the_lock_and_back_while_dealing_asks_for_the_count(felt: Felt) -> None:
    felt.press(cmd.OpenRound())
    for seat in SEATS:
        felt.press(cmd.PlaceBet(seat, Bet.ante, ANTE))
    felt.shoe.unplug()
    wait_until(lambda: felt.table.readers[READER] is not None)
    felt.press(cmd.LockBets(0))
    felt.out = 2
    felt.shoe.replug()
    wait_until(lambda: felt.table.readers[READER] is None)
    dealer = play_on(felt)
    assert dealer.did[0] == "*reader back*: counts, 2 more than were read"
    outcome = outcome_of(felt, dealer)
    assert outcome.is_right
    assert outcome.unverified


def test_the_same_cards_are_dealt_again_in_the_next_round(felt: Felt) -> None:
    for _ in range(2):
        felt.out = 0
        dealer = Dealer(felt)
        dealer.play()
        assert outcome_of(felt, dealer).is_right


@pytest.mark.parametrize("back", [cmd.TakeOut(Place(Seat(1), 1)), cmd.Undo()], ids=["taken out", "undone"])
def test_a_card_that_is_taken_back_and_dealt_again_is_read_again(felt: Felt, back: cmd.Command) -> None:
    deal(felt, 4)
    felt.press(back)
    felt.shoe.present(felt.order[3])
    felt.settle_down()
    assert [draw.card for draw in felt.now.draws] == list(felt.order[:4])


def test_a_table_started_again_while_dealing_asks_for_the_count(shoe: VirtualShoe, tmp_path: Path) -> None:
    with felt_with(shoe, tmp_path) as felt:
        deal(felt, 4)
    with felt_with(shoe, tmp_path) as felt:
        felt.out = 5  # a card slid out meanwhile
        assert [notice.kind for notice in felt.now.open_notices] == [NoticeKind.reader_lost]
        assert outcome_of(felt, play_on(felt)).is_right


@pytest.mark.parametrize("profile", ["live-studio-da", "casino-stud-da"])
def test_cards_that_were_read_in_the_wrong_order_are_put_right_where_both_lie_open(
    shoe: VirtualShoe, tmp_path: Path, profile: str
) -> None:
    with felt_with(shoe, tmp_path, profile=profile) as felt:
        dealer = Dealer(felt, SWAPPED, Moment.first)
        dealer.play()
        assert outcome_of(felt, dealer).is_right
