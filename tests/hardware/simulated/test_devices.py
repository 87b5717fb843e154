"""Each simulated device, byte for byte, and understood by the decoder of its format."""

import pytest

from hardware.reader.decoders import make_decoder
from hardware.reader.messages import Answer, Collision, Heartbeat, Message, NoTag, ReaderError, Tag
from hardware.simulated.devices import DEVICES, make_device, protocol_of
from hardware.simulated.devices.device import Device

SHORT, USUAL = bytes.fromhex("9EB36E66"), bytes.fromhex("04416D412B0289")
EPC, OTHER_EPC = bytes.fromhex("30751FEB705C5904E3D50D70"), bytes.fromhex("2000708C2B380B2D00000000")
LF = bytes.fromhex("67003B51C6")

WAKE = b"\x55\x55" + bytes(14)
SAM = bytes.fromhex("0000FF05FBD4140100001700")
LIST_ONE, LIST_TWO = bytes.fromhex("0000FF04FCD44A0100E100"), bytes.fromhex("0000FF04FCD44A0200E000")
ACK = bytes.fromhex("0000FF00FF00")


def answered(device: Device, chunk: bytes, *lying: bytes) -> bytes:
    return b"".join(said.data for said in device.answer(chunk, lying))


def understood(name: str, data: bytes) -> list[Message]:
    decoder = make_decoder(protocol_of(name))
    return [*decoder.feed(data), *decoder.end()]


def awake() -> Device:
    device = make_device("pn532")
    device.answer(WAKE + SAM, ())
    return device


def test_a_name_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r'expected one of line, em4100, .*, found "nfc"'):
        make_device("nfc")


@pytest.mark.parametrize("name", DEVICES)
def test_a_damaged_frame_is_no_message_that_holds(name: str) -> None:
    messages = understood(name, make_device(name).damaged)
    assert [type(message).__name__ for message in messages if not isinstance(message, Answer)] == ["BadFrame"]


def test_a_line_reader_lists_each_tag_on_a_line() -> None:
    said = make_device("line").speak([USUAL, SHORT])
    assert said == (b"04 41 6D 41 2B 02 89\n9E B3 6E 66\n", True)
    assert understood("line", said.data) == [Tag(USUAL.hex().upper()), Tag(SHORT.hex().upper())]


@pytest.mark.parametrize(
    ("name", "uid", "frame"),
    [
        ("em4100", "67003B51C6", "02 36 37 30 30 33 42 35 31 43 36 43 42 03"),
        ("em4100", "0D00319CD0", "02 30 44 30 30 33 31 39 43 44 30 37 30 03"),
        ("em4100-id12la", "0500207B32", "02 30 35 30 30 32 30 37 42 33 32 36 43 0D 0A 03"),
    ],
)
def test_a_reader_of_125_khz_tags_sends_its_frame(name: str, uid: str, frame: str) -> None:
    assert make_device(name).speak([bytes.fromhex(uid)]).data == bytes.fromhex(frame)
    assert understood(name, bytes.fromhex(frame)) == [Tag(uid)]


def test_of_two_125_khz_tags_neither_is_read() -> None:
    assert make_device("em4100").speak([LF, bytes(5)]) == (b"", True)


@pytest.mark.parametrize(
    ("name", "uid"),
    [("em4100", USUAL), ("pn532", LF), ("r200", LF), ("twn4", bytes(17)), ("uhfreader18", bytes(63))],
)
def test_a_uid_that_no_tag_of_the_kind_has_is_refused(name: str, uid: bytes) -> None:
    with pytest.raises(ValueError, match=uid.hex().upper()):
        make_device(name).check(uid)


def test_a_pn532_sleeps_until_it_is_woken_and_lists_nothing_until_it_is_configured() -> None:
    device = make_device("pn532")
    assert answered(device, SAM) == b""
    assert answered(device, b"\x55\x55" + bytes(13) + b"\xff" + SAM) == b""
    assert answered(device, WAKE + LIST_ONE, USUAL) == ACK + bytes.fromhex("0000FF01FF7F8100")
    assert answered(device, SAM) == ACK + bytes.fromhex("0000FF02FED5151600")
    assert answered(device, bytes.fromhex("0000FF02FED4022A00")) == ACK + bytes.fromhex("0000FF06FAD50332010607E800")


@pytest.mark.parametrize(
    ("uid", "answer"),
    [
        (USUAL, "0000FF0FF1D54B010100440007 04416D412B0289 EA00"),
        (SHORT, "0000FF0CF4D54B010100040804 9EB36E66 A900"),
        (None, "0000FF03FDD54B00E000"),
    ],
)
def test_a_pn532_lists_the_target(uid: bytes | None, answer: str) -> None:
    lying = () if uid is None else (uid,)
    (said,) = awake().answer(LIST_ONE, lying)
    assert said == (ACK + bytes.fromhex(answer), uid is not None)


def test_a_pn532_lists_as_many_targets_as_were_asked_for() -> None:
    device = awake()
    assert understood("pn532", answered(device, LIST_ONE, USUAL, SHORT)) == [Answer("ack"), Tag("04416D412B0289")]
    assert understood("pn532", answered(device, LIST_TWO, USUAL, SHORT)) == [Answer("ack"), Collision()]


def test_a_pn532_hears_commands_in_any_chunking_and_none_that_fails_its_checks() -> None:
    device = awake()
    noisy = b"\x00\xff\x00\x00\xff" + LIST_ONE[:-2] + b"\xe2\x00" + ACK + LIST_ONE
    said = b"".join(answered(device, noisy[at : at + 1], USUAL) for at in range(len(noisy)))
    assert understood("pn532", said) == [Answer("ack"), Tag("04416D412B0289")]


def test_an_r200_answers_a_poll_with_a_notice_for_each_tag() -> None:
    device = make_device("r200")
    poll = bytes.fromhex("BB00220000227E")
    frame = bytes.fromhex("BB02220011C9340030751FEB705C5904E3D50D703A76EF7E")
    assert answered(device, poll, EPC) == frame
    assert answered(device, poll) == bytes.fromhex("BB01FF000115167E")
    told = understood("r200", answered(device, poll, EPC, OTHER_EPC))
    assert told == [Tag(uid.hex().upper(), rssi=-55) for uid in (EPC, OTHER_EPC)]


def test_an_r200_talks_by_itself_for_as_many_polls_as_it_was_told_or_until_it_is_stopped() -> None:
    device = make_device("r200")
    talked = [device.talks]
    for command in ("BB002700032200024E7E", "BB00270003222710837E", "BB00280000287E"):
        said = answered(device, bytes.fromhex(command))
        talked.append(device.talks)
        assert said == (bytes.fromhex("BB0128000100 2A7E") if command == "BB00280000287E" else b"")
    assert talked == [False, True, True, False]
    answered(device, bytes.fromhex("BB002700032200024E7E"))
    told = understood("r200", b"".join(device.speak(lying).data for lying in ([EPC], [], [EPC])))
    assert told == [Tag(EPC.hex().upper(), rssi=-55), NoTag()]


def test_an_r200_answers_what_it_does_not_know_with_an_error_and_a_damaged_command_not_at_all() -> None:
    device = make_device("r200")
    assert understood("r200", answered(device, bytes.fromhex("BB00990000997E"))) == [ReaderError("17")]
    assert answered(device, bytes.fromhex("BB00220000237E")) == b""
    version = answered(device, bytes.fromhex("BB0003000100047E"))
    assert version == bytes.fromhex("BB01030010004D3130302032 3664426D2056312E30 92 7E")


@pytest.mark.parametrize(
    ("command", "lying", "answer"),
    [
        (b"050010\r", ["41A2B3C4"], b"000180200441A2B3C4\r"),
        (b"050010\r", ["41A2B3C4", "04416D412B0289"], b"000180200441A2B3C4\r"),
        (b"050010\r", [], b"0000\r"),
        (b"050004\r", ["04416D412B0289"], b"0000\r"),
        (b"0004FF\r", [], b"000754574E342F4231\r"),
        (b"0999\r", [], b"01\r"),
        (b"05x\r", [], b"05\r"),
        (b"0500", [], b""),
    ],
)
def test_a_twn4_answers_line_by_line(command: bytes, lying: list[str], answer: bytes) -> None:
    assert answered(make_device("twn4"), command, *map(bytes.fromhex, lying)) == answer


def test_a_uhfreader18_answers_an_inventory_with_each_tag() -> None:
    device = make_device("uhfreader18")
    inventory = bytes.fromhex("04FF011BB4")
    told = understood("uhfreader18", answered(device, b"\x00\xff" + inventory, EPC, OTHER_EPC))
    assert told == [Tag(EPC.hex().upper()), Tag(OTHER_EPC.hex().upper())]
    assert understood("uhfreader18", answered(device, inventory)) == [NoTag()]
    assert device.speak([EPC]).data == b""


def test_an_active_uhfreader18_talks_by_itself_and_beats_its_heart_while_there_is_no_tag() -> None:
    device = make_device("uhfreader18-active")
    assert device.speak([OTHER_EPC]).data == bytes.fromhex("1100EE002000708C2B380B2D00000000E056")
    beats = b"".join(device.speak([]).data for _ in range(50))
    assert beats == bytes.fromhex("560000000000") * 2
    assert understood("uhfreader18", beats) == [Heartbeat()] * 2
