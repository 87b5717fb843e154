"""How a notice comes onto a round."""

import msgspec

from dealer_assist.game.round import REMARKS, Notice, NoticeKind, Round

replace = msgspec.structs.replace


def with_notice(now: Round, kind: NoticeKind, reader: str, detail: str) -> Round:
    notice = Notice(len(now.notices) + 1, kind, reader, len(now.draws), detail, is_open=kind not in REMARKS)
    return replace(now, notices=(*now.notices, notice))
