"""Plain mode about the table and not the cards: what others say, who is there, what is ordered."""

from __future__ import annotations

from hearts_client.company import Company, chat_sentence
from hearts_client.ending import Ending
from hearts_client.news import Attending, Said
from hearts_client.orders import GiveOrder, GiveUpSeat, Order
from hearts_client.plain.writing import Write
from hearts_client.seatnames import SeatNames
from hearts_client.tablewords import AboutSeat, Misread, Mute, meant
from hearts_engine.view import SeatView


class TableTalk:
    """Who is there as far as one was told, and what one asks of the table."""

    def __init__(self, write: Write, order: GiveOrder | None) -> None:
        """``order`` is none where there is nobody to ask."""
        self._write = write
        self._order = order
        self.company = Company()
        self.leaving = False
        """Whether the seat is being given up, so that its stream may end at any moment."""

    @property
    def can_order(self) -> bool:
        """Whether the table can be asked for anything but cards."""
        return self._order is not None

    def hear(self, said: Said, view: SeatView | None) -> None:
        """Tell what somebody said, unless one does not want to hear it."""
        if self.company.hears(said):
            self._write(f"SAID {chat_sentence(said, view)}")

    def attend(self, now: Attending, view: SeatView | None) -> None:
        """Tell who has come and gone."""
        if view is not None:
            self.company, told = self.company.after(now, view)
            for notice in told:
                self._write(str(notice))

    async def do_about(self, about: AboutSeat, view: SeatView | None) -> None:
        """Do something about somebody."""
        if view is None:
            self._write("WAIT you are not at the table yet")
            return
        names = SeatNames.of(view)
        todo = meant(about, names)
        match todo:
            case Misread(sentence):
                self._write(f"UNKNOWN {sentence}")
            case Mute(seat, muted):
                self.company = self.company.with_muted(seat, view, muted=muted)
                self._write(f"{'MUTED' if muted else 'UNMUTED'} {names.name(seat)}")
            case _:
                await self.give(todo)

    async def give(self, order: Order) -> Ending | None:
        """Have the table do something; how that ends one's part, if it does."""
        if self._order is None:
            self._write("REFUSED there is nobody else at this table to do that for")
            return None
        self.leaving = isinstance(order, GiveUpSeat)
        refusal = await self._order(order)
        if refusal:
            self.leaving = False
            self._write(f"REFUSED {refusal}")
        return Ending.LEFT if self.leaving else None
