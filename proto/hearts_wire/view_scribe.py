"""Views as bytes, where one follows another: what did not change is not written again."""

from __future__ import annotations

from hearts_engine.cards import Seat
from hearts_engine.view import SeatView
from hearts_proto.v1 import view_pb2 as pb
from hearts_wire.view_parts import DEAL, GAME, MOMENT, TRICKS, ViewPart


class ViewScribe:
    """Writes the views of one game, and remembers their parts."""

    def __init__(self) -> None:
        self._game = _Kept(GAME)
        self._tricks = _Kept(TRICKS)
        self._deals: dict[Seat | None, _Kept] = {}

    def bytes_of(self, view: SeatView) -> bytes:
        """A view as ``encode_view`` has it, as bytes."""
        deal = self._deals.get(view.seat)
        if deal is None:
            deal = self._deals[view.seat] = _Kept(DEAL)
        return (
            self._game.bytes_of(view)
            + deal.bytes_of(view)
            + self._tricks.bytes_of(view)
            + _written(MOMENT, view)
        )


class _Kept:
    """The bytes of a part, good for as long as it is made of the same."""

    __slots__ = ("_data", "_made_of", "_part")

    def __init__(self, part: ViewPart) -> None:
        self._part = part
        self._made_of: object = None
        self._data = b""

    def bytes_of(self, view: SeatView) -> bytes:
        made_of = self._part.made_of(view)
        if made_of != self._made_of:
            self._made_of, self._data = made_of, _written(self._part, view)
        return self._data


def _written(part: ViewPart, view: SeatView) -> bytes:
    into = pb.SeatView()
    part.write(into, view)
    return into.SerializeToString()
