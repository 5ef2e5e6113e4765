"""How a deal came about, and every hand of it: behind the result of the deal."""

from __future__ import annotations

from hearts_client.cardnames import CardStyle, card_names
from hearts_client.dealcheck import DealCheck
from hearts_client.screen.boards import sentence_lines
from hearts_client.screen.lines import Line, line
from hearts_client.seatnames import SeatNames


def check_lines(
    check: DealCheck | None, names: SeatNames, style: CardStyle, columns: int
) -> list[Line]:
    """What was checked, what does not fit, and the hands as they were dealt."""
    if check is None:
        return sentence_lines("Nothing was revealed of this deal that could be checked", columns)
    lines = [line(f" How deal {check.deal} came about", "class:heading")]
    for fault in check.faults:
        lines += sentence_lines(f"NOT FAIR: {fault}", columns, "class:message")
    if not check.faults:
        lines += sentence_lines(_CLEAN if not check.dealing.fixed else "", columns, "class:prompt")
    lines += sentence_lines(str(check.dealing), columns)
    for seat in names.clockwise():
        hand = card_names(sorted(check.dealt.hands[seat]), style)
        lines += sentence_lines(f"{names.label(seat)}: {hand}", columns)
    if check.dealt.kitty:
        lines += sentence_lines(f"kitty: {card_names(check.dealt.kitty, style)}", columns)
    return lines


_CLEAN = (
    "Fair: its secret was fixed before the first deal, and what was mixed in is what had been"
    " committed to; dealt again, it gives your cards."
)
