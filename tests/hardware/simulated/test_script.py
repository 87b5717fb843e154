"""Fault scripts as files, what they do to frames, and a shoe that follows one."""

from pathlib import Path

import pytest

from dealer_assist.game.errors import BadSetting
from hardware.simulated.harm import Die, Hold, Pause, Pull, Taken, acts_of, misread
from hardware.simulated.script import (
    ByteAtATime,
    Course,
    CutFrame,
    FrameFault,
    Ghost,
    JoinedFrames,
    MissedCard,
    NoiseBytes,
    Script,
    SilentDeath,
    SlowAnswer,
    UnplugAt,
    When,
    WrongSpeed,
    load_script,
    read_script,
)

FRAME = b"04 06\n"

SCRIPT = """
[[faults]]
at = 2
kind = "cut_frame"
keep = 3

[[faults]]
at = "reveal"
kind = "missed_card"

[[faults]]
at = "reveal"
kind = "ghost"
uid = "00"
"""


def test_a_script_says_what_befalls_which_card() -> None:
    course = Course(read_script(SCRIPT))
    assert course.befalls_next() == ()
    assert course.befalls_next() == (CutFrame(at=2, keep=3),)
    for _ in range(2):
        course.reach("reveal")
        assert course.befalls_next() == (MissedCard(at="reveal"), Ghost(at="reveal", uid="00"))
        assert course.befalls_next() == ()
    with pytest.raises(ValueError, match="no point 'deal'; known: reveal"):
        course.reach("deal")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ('[[fault]]\nat = 1\nkind = "missed_card"', "fault: unknown; is it a typo?"),
        ('[[faults]]\nat = 1\nkind = "cut_frame"\nkeeep = 3', "faults[0].keeep: unknown; is it a typo?"),
        ('[[faults]]\nat = 1\nkind = "cut_frame"\nkeep = "3"', "faults[0].keep: expected `int | null`, got `str`"),
        ('[[faults]]\nat = 1\nkind = "cut"', "faults[0].kind: invalid value 'cut'"),
        ('[[faults]]\nat = 0\nkind = "missed_card"', "faults[0].at: expected `int` >= 1"),
        ('[[faults]]\nkind = "missed_card"', "faults[0].at: expected a value, found none"),
        ('[[faults]]\nat = 1\nkind = "slow_answer"', "faults[0].delay_s: expected a value, found none"),
        ('[[faults]]\nat = 1\nkind = "ghost"\nuid = "0"', "faults[0].uid: expected `str` matching regex"),
        ('[[faults]]\nat = 1\nkind = "unplug"\nwhen = "between"', "faults[0].when: "),
        ("faults = [", "the script: expected TOML"),
    ],
)
def test_a_script_that_can_not_be_followed_is_refused_by_the_place(tmp_path: Path, text: str, refusal: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read_script(text)
    assert str(refused.value).startswith(refusal)
    (tmp_path / "faults.toml").write_text(text)
    with pytest.raises(BadSetting, match=r"faults\.toml: "):
        load_script(tmp_path / "faults.toml")


def test_a_script_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="expected a readable file"):
        load_script(tmp_path / "none.toml")


def test_no_script_is_no_fault() -> None:
    assert Course(Script()).befalls_next() == ()


@pytest.mark.parametrize(
    ("fault", "acts"),
    [
        (NoiseBytes(at=1, data="FF00"), [b"\xff\x00", FRAME]),
        (CutFrame(at=1), [b"04 "]),
        (CutFrame(at=1, keep=5), [b"04 06"]),
        (JoinedFrames(at=1), [Hold(FRAME)]),
        (ByteAtATime(at=1, gap_s=0.1), [act for byte in FRAME for act in (bytes([byte]), Pause(0.1))]),
        (SlowAnswer(at=1, delay_s=0.3), [Pause(0.3), FRAME]),
        (UnplugAt(at=1, when=When.before), [b"", Taken(), Pull(None)]),
        (UnplugAt(at=1, when=When.within, replug_after_s=1), [b"04 ", Taken(), Pull(1)]),
        (UnplugAt(at=1, when=When.after), [FRAME, Taken(), Pull(None)]),
        (SilentDeath(at=1), [Die()]),
    ],
)
def test_a_fault_makes_of_a_frame_what_the_sending_end_does(fault: FrameFault, acts: list[object]) -> None:
    assert acts_of(FRAME, [fault]) == acts


def test_faults_befall_a_frame_one_after_the_other() -> None:
    both = acts_of(FRAME, [NoiseBytes(at=1, data="FF"), CutFrame(at=1, keep=1)])
    assert both == [b"\xff", b"0"]


def test_at_the_right_speed_bytes_are_read_as_sent() -> None:
    every = bytes(range(256))
    assert misread(every, 9600, 9600) == every
    assert acts_of(every, [WrongSpeed(at=1, sent=19200, read=19200)]) == [every]


@pytest.mark.parametrize(("sent", "read"), [(9600, 19200), (9600, 115200), (115200, 9600), (9600, 4800)])
def test_at_another_speed_other_bytes_are_read(sent: int, read: int) -> None:
    heard = misread(FRAME, sent, read)
    assert heard
    assert FRAME not in heard
    assert len(heard) <= max(1, round(len(FRAME) * read / sent)) + 1
