"""How a house bot has its moon scored."""

from __future__ import annotations

from hearts_engine.events import GameEnded
from hearts_engine.options import MoonChoice
from hearts_engine.play import Outcome, Play, empty_play
from hearts_engine.scoring import Tally, end_of_game, score_deal
from hearts_engine.takings import takings
from hearts_engine.value import replace
from hearts_engine.view import SeatView


def better_moon(view: SeatView) -> MoonChoice:
    """The choice that wins the game, or else one that does not lose it.

    Where neither ends it, the seat that leads then adds, which hurries the end, and one that is
    behind subtracts, which puts it off; against each other seat both earn the same.
    """
    added, subtracted = (_prospect(view, choice) for choice in MoonChoice)
    return MoonChoice.ADD if added >= subtracted else MoonChoice.SUBTRACT


def _prospect(view: SeatView, choice: MoonChoice) -> int:
    """How good the game looks to this seat after the choice: more is better."""
    rules, seat = view.rules, view.seat
    if seat is None:
        raise ValueError("a spectator shoots no moon")
    taken = takings(_play_seen(view), rules)
    scored = score_deal(Tally(view.deal, taken, view.totals, rules), choice)
    ended = end_of_game(scored, rules)
    if ended is None:
        hurries = choice is MoonChoice.ADD
        return 1 if hurries == _leads_alone(scored.totals, seat) else 0
    return _worth_of_the_end(ended, seat)


def _leads_alone(totals: tuple[int, ...], seat: int) -> bool:
    return totals[seat] == min(totals) and totals.count(totals[seat]) == 1


def _worth_of_the_end(ended: GameEnded, seat: int) -> int:
    """More than any game that goes on, for who wins it alone; less than any, for who loses it."""
    place = ended.places[seat]
    if place > 1:
        return -place
    return 2 if ended.places.count(1) == 1 else 0


def _play_seen(view: SeatView) -> Play:
    """The tricks of the deal, and what else this seat knows it took."""
    outcome = Outcome(kitty_seat=view.kitty_seat, kitty=view.kitty, claimed=view.claimed)
    return replace(empty_play(view.rules.players), tricks=view.tricks, outcome=outcome)
