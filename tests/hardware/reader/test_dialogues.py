"""What is asked of readers that have to be asked, and when. Time is a number here: nothing waits."""

from collections.abc import Sequence
from typing import Final

import pytest

from hardware.reader.decoders import make_decoder
from hardware.reader.dialogues import make_dialogue, pn532, r200, twn4, uhfreader18
from hardware.reader.dialogues.asking import MISSES
from hardware.reader.dialogues.dialogue import Dialogue, Listening
from hardware.reader.errors import BadSettings

# Frames from the protocols sheet, save where its sections hold none.
ACK: Final = "00 00 FF 00 FF 00"
SAM_DONE: Final = "00 00 FF 02 FE D5 15 16 00"
RETRIES_DONE: Final = "00 00 FF 02 FE D5 33 F8 00"
PN532_NONE: Final = "00 00 FF 03 FD D5 4B 00 E0 00"
PN532_TAG: Final = "00 00 FF 0C F4 D5 4B 01 01 00 04 08 04 9E B3 6E 66 A9 00"
PN532_ERROR: Final = "00 00 FF 01 FF 7F 81 00"
R200_STOPPED: Final = "BB 01 28 00 01 00 2A 7E"
R200_NONE: Final = "BB 01 FF 00 01 15 16 7E"
R200_TAG: Final = "BB 02 22 00 11 C9 34 00 30 75 1F EB 70 5C 59 04 E3 D5 0D 70 3A 76 EF 7E"
TWN4_NONE: Final = b"0000\r".hex()
TWN4_TAG: Final = b"000180200441A2B3C4\r".hex()
UHF_NONE: Final = "05 00 01 FB F2 3D"


class Talk:
    """A dialogue whose clock is moved by hand, and whose reader's bytes go through the true decoder."""

    def __init__(self, protocol: str, poll_s: float | None = None) -> None:
        self.dialogue: Dialogue = make_dialogue(protocol, poll_s)
        self._decoder = make_decoder(protocol)
        self.now = 100.0
        self.opening = self.dialogue.opening(self.now)

    def fault(self) -> str | None:
        return self.dialogue.fault

    def online(self) -> bool:
        return self.dialogue.online

    def hear(self, *frames: str) -> None:
        for message in self._decoder.feed(b"".join(bytes.fromhex(frame) for frame in frames)):
            self.dialogue.heard(message, self.now)

    def after(self, seconds: float) -> bytes | None:
        """What is due when these seconds have passed, asked for once."""
        self.now += seconds
        return self.dialogue.due(self.now)

    def sent_within(self, seconds: float, step_s: float = 0.01) -> list[bytes]:
        return [data for _ in range(round(seconds / step_s)) if (data := self.after(step_s)) is not None]


def woken(*, configured: bool = True) -> Talk:
    talk = Talk("pn532")
    talk.hear(ACK, SAM_DONE)
    assert talk.after(0) == pn532.RETRIES
    if configured:
        talk.hear(ACK, RETRIES_DONE)
        assert talk.after(0) == pn532.POLL
    return talk


def test_a_pn532_is_woken_and_configured_before_it_is_polled() -> None:
    talk = Talk("pn532")
    assert talk.opening.startswith(b"\x55\x55" + b"\x00" * 14)
    assert talk.opening.endswith(bytes.fromhex("00 00 FF 05 FB D4 14 01 00 00 17 00"))
    assert not talk.online()
    talk.hear(ACK)
    assert not talk.online()  # an acknowledgement is not yet an answer
    talk.hear(SAM_DONE)
    assert talk.online()
    assert talk.after(0) == pn532.RETRIES
    talk.hear(ACK, RETRIES_DONE)
    assert talk.after(0) == pn532.POLL


def test_what_is_sent_to_a_pn532_are_commands_whose_checksums_hold() -> None:
    decoder = make_decoder("pn532")
    commands = (pn532.SAM, pn532.RETRIES, pn532.POLL)
    told = [repr(message) for command in commands for message in decoder.feed(command)]
    assert [text[:5] for text in told] == ["Echo("] * 3


@pytest.mark.parametrize("answer", [PN532_NONE, PN532_TAG, PN532_ERROR])
def test_a_pn532_is_polled_again_and_again_at_its_pace(answer: str) -> None:
    talk = woken()
    for _ in range(20):
        talk.hear(ACK, answer)
        assert talk.after(pn532.EVERY_S / 2) is None
        assert talk.after(pn532.EVERY_S / 2) == pn532.POLL
    assert talk.fault() is None


def test_without_an_acknowledgement_a_poll_is_sent_once_more() -> None:
    talk = woken()
    assert talk.after(0.09) is None
    assert talk.after(0.02) == pn532.POLL  # within 15 to 100 ms. Source: protocols sheet, "PN532 over HSU"
    assert talk.after(0.05) is None
    talk.hear(ACK, PN532_NONE)
    assert talk.fault() is None


def test_the_wake_is_sent_again_with_a_handshake_that_nobody_acknowledged() -> None:
    talk = Talk("pn532")
    assert talk.sent_within(0.15) == [talk.opening]
    talk.hear(ACK, SAM_DONE)
    assert talk.online()


def test_a_pn532_that_does_not_know_the_retries_is_polled_all_the_same() -> None:
    talk = woken(configured=False)
    assert talk.sent_within(0.25) == [pn532.RETRIES, pn532.POLL]
    talk.hear(ACK, PN532_TAG)
    assert talk.fault() is None
    talk = woken(configured=False)
    talk.hear(ACK, PN532_ERROR)
    assert talk.after(0) == pn532.POLL


def test_a_pn532_that_acknowledges_and_finds_nothing_is_alive() -> None:
    talk = woken()
    for _ in range(10):
        talk.hear(ACK)
        assert talk.sent_within(0.6)[0] == pn532.POLL
    assert talk.fault() is None


def test_a_reader_that_never_answers_its_handshake_fails_with_what_to_check() -> None:
    talk = Talk("pn532")
    assert talk.sent_within(1) == [talk.opening]
    assert "check its power, its cable" in str(talk.fault())
    assert not talk.online()
    assert talk.sent_within(10) == []


@pytest.mark.parametrize("protocol", ["pn532", "r200", "twn4"])
def test_noise_is_no_answer(protocol: str) -> None:
    talk = Talk(protocol)
    talk.hear("FF FE 00 01", "0D")
    assert not talk.online()


SILENT_DEATHS: Final = {
    "pn532": ([ACK, SAM_DONE, ACK, RETRIES_DONE], PN532_NONE, pn532.POLL),
    "r200": ([R200_STOPPED], R200_NONE, r200.POLL),
    "twn4": ([TWN4_TAG], TWN4_NONE, twn4.POLL),
}


@pytest.mark.parametrize("protocol", SILENT_DEATHS)
def test_a_reader_that_falls_silent_is_dead_after_three_polls_sent_twice(protocol: str) -> None:
    handshake, none, poll = SILENT_DEATHS[protocol]
    talk = Talk(protocol)
    for frame in handshake:
        talk.hear(frame)
        talk.after(0)
    talk.hear(none)
    assert talk.online()
    assert talk.sent_within(5) == [poll] * 2 * MISSES
    assert "fallen silent, though its port is open" in str(talk.fault())
    assert talk.after(1) is None


def test_an_answer_between_two_misses_begins_the_count_anew() -> None:
    talk = woken()
    for _ in range(5):
        talk.sent_within(0.39)  # one poll in vain, and the next
        talk.hear(ACK, PN532_NONE)
        talk.after(pn532.EVERY_S)
        assert talk.fault() is None


def test_opening_again_wakes_and_configures_again() -> None:
    talk = woken()
    talk.sent_within(5)
    assert talk.fault() is not None
    assert talk.dialogue.opening(talk.now) == talk.opening
    assert talk.fault() is None
    assert not talk.online()
    talk.hear(ACK, SAM_DONE)
    assert talk.online()


def test_an_r200_is_stopped_then_polled() -> None:
    talk = Talk("r200")
    assert talk.opening == bytes.fromhex("BB 00 28 00 00 28 7E")
    talk.hear(R200_STOPPED)
    assert talk.online()
    assert talk.after(0) == bytes.fromhex("BB 00 22 00 00 22 7E")
    talk.hear(R200_TAG, R200_TAG)
    assert talk.after(r200.EVERY_S) == r200.POLL
    assert talk.dialogue.closing() == bytes.fromhex("BB 00 28 00 00 28 7E")


def test_an_r200_that_does_not_answer_the_stop_is_polled_all_the_same() -> None:
    talk = Talk("r200")
    assert talk.sent_within(0.5) == [r200.STOP, r200.POLL]
    talk.hear(R200_NONE)
    assert talk.online()


@pytest.mark.parametrize("answer", [TWN4_NONE, TWN4_TAG, b"01\r".hex()])
def test_a_twn4_is_there_with_its_first_answer(answer: str) -> None:
    talk = Talk("twn4")
    assert talk.opening == b"050010\r"
    talk.hear(answer)
    assert talk.online()
    assert talk.after(twn4.EVERY_S) == b"050010\r"


def test_a_uhfreader18_is_polled_only_if_it_is_told_how_often() -> None:
    assert isinstance(make_dialogue("uhfreader18"), Listening)
    talk = Talk("uhfreader18", poll_s=0.2)
    assert talk.opening == uhfreader18.POLL == bytes.fromhex("04 FF 01 1B B4")
    talk.hear("56 00 00 00 00 00")
    assert not talk.online()  # a heartbeat answers nothing
    talk.hear(UHF_NONE)
    assert talk.online()
    assert talk.sent_within(0.21) == [uhfreader18.POLL]


@pytest.mark.parametrize("protocol", ["line", "em4100", "uhfreader18"])
def test_a_reader_that_only_talks_is_there_as_soon_as_its_port_is(protocol: str) -> None:
    dialogue = make_dialogue(protocol)
    assert dialogue.online
    assert dialogue.opening(0) == dialogue.closing() == b""
    assert [dialogue.due(second) for second in range(100)] == [None] * 100
    assert dialogue.fault is None


@pytest.mark.parametrize(("protocol", "poll_s", "at"), [("pn532", None, 0.05), ("pn532", 0.4, 0.4), ("twn4", 0.2, 0.2)])
def test_how_often_it_is_polled_is_a_setting(protocol: str, poll_s: float | None, at: float) -> None:
    talk = Talk(protocol, poll_s)
    handshake: Sequence[str] = [ACK, SAM_DONE, ACK, RETRIES_DONE] if protocol == "pn532" else []
    for frame in handshake:
        talk.hear(frame)
        talk.after(0)
    talk.hear(PN532_NONE if protocol == "pn532" else TWN4_NONE)
    assert talk.after(at - 0.01) is None
    assert talk.after(0.011) is not None


@pytest.mark.parametrize("protocol", ["line", "em4100"])
def test_polling_a_reader_that_only_talks_is_refused(protocol: str) -> None:
    with pytest.raises(BadSettings, match=f"poll_s: expected nothing, since {protocol} readers speak by themselves"):
        make_dialogue(protocol, 0.1)
