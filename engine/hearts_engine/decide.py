"""Commands become events, or a refusal. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from hearts_engine.attendance import attend, require_decider
from hearts_engine.cards import SEATS, Seat
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    CloseGame,
    Command,
    Deal,
    FreezeSeats,
    LeaveSeat,
    MarkAway,
    MarkBack,
    OpenGame,
    PlayCard,
    RevealEntropy,
    SealLog,
    ShareCentre,
    ShowDeal,
    StartClocks,
    StopClocks,
    TakeOver,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.dealing import choose_pass, deal, share_centre
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    Agent,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameOpened,
    HandShown,
    KittyShown,
    LogSealed,
    SeatLeft,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
)
from hearts_engine.playing import choose_moon, claim_rest, play_card
from hearts_engine.scoring import Tally, end_of_game, score_deal
from hearts_engine.seating import require_clocks, require_seat, require_welcome
from hearts_engine.state import Phase, State
from hearts_engine.takings import takings


def decide(state: State | None, command: Command) -> tuple[Event, ...]:
    """What this command makes happen.

    ``state`` is none before the game is opened. Raises ``Rejected`` when the rules do not allow
    the command now.
    """
    if state is None:
        return _open(command)
    match command:
        case PlayCard():
            require_decider(state.game.presence, command.seat, command.by)
            return play_card(state, command)
        case ChoosePass():
            require_decider(state.game.presence, command.seat, command.by)
            return tuple(choose_pass(state, command))
        case ClaimRest():
            require_decider(state.game.presence, command.seat, Agent.SEAT)
            return claim_rest(state, command)
        case ChooseMoon():
            require_decider(state.game.presence, command.seat, command.by)
            return tuple(choose_moon(state, command))
        case Deal():
            return tuple(deal(state, command))
        case ShareCentre():
            return tuple(share_centre(state, command))
        case ShowDeal():
            return tuple(_show(state, command))
        case TakeSeat():
            return _sit(state, command)
        case LeaveSeat():
            return _leave(state, command)
        case FreezeSeats():
            return _freeze(state)
        case RevealEntropy(seat, entropy):
            _require_owed(state, seat)
            return (EntropyRevealed(seat, entropy),)
        case WithholdEntropy(seat):
            _require_owed(state, seat)
            return (EntropyWithheld(seat),)
        case OpenGame():
            raise Rejected(Reason.WRONG_PHASE, "this game is open already")
        case MarkAway() | MarkBack() | TakeOver() | StopClocks() | StartClocks() | CloseGame():
            return attend(state, command)
        case SealLog(signature):
            _require(state, Phase.ENDED, "only the log of an ended game is sealed")
            return (LogSealed(signature),)
        case _:
            assert_never(command)


def _require(state: State, phase: Phase, sentence: str) -> None:
    if state.phase is not phase:
        raise Rejected(Reason.WRONG_PHASE, sentence)


def _require_owed(state: State, seat: Seat) -> None:
    _require(state, Phase.ENTROPY, "entropy is revealed between the start and the first deal")
    if seat not in state.game.owing:
        raise Rejected(Reason.ENTROPY_NOT_OWED, f"seat {seat} has no entropy left to reveal")


def _open(command: Command) -> tuple[Event, ...]:
    if not isinstance(command, OpenGame):
        raise Rejected(Reason.WRONG_PHASE, "open a game first")
    require_clocks(command.turn_seconds, command.bot_seconds)
    return (
        GameOpened(
            command.game_id,
            command.table,
            command.rules,
            command.source,
            command.public_key,
            command.versions,
            command.turn_seconds,
            command.bot_seconds,
            command.open_hands,
        ),
    )


def _sit(state: State, command: TakeSeat) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started, its seats are fixed")
    require_seat(command.seat, state.game.rules.players)
    if state.game.seats[command.seat] is not None:
        raise Rejected(Reason.SEAT_OCCUPIED, f"seat {command.seat} is taken, choose another")
    require_welcome(command, state.game.opened.source)
    return (SeatTaken(command.seat, command.name, command.kind, command.bot, command.commitment),)


def _leave(state: State, command: LeaveSeat) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started, its seats are fixed")
    require_seat(command.seat, state.game.rules.players)
    if state.game.seats[command.seat] is None:
        raise Rejected(Reason.SEAT_EMPTY, f"nobody sits on seat {command.seat}")
    return (SeatLeft(command.seat),)


def _freeze(state: State) -> tuple[Event, ...]:
    _require(state, Phase.SEATING, "the game has started already")
    empty = [str(seat) for seat, taken in enumerate(state.game.seats) if taken is None]
    if empty:
        raise Rejected(
            Reason.SEAT_EMPTY, f"fill seat {', '.join(empty)} first, with people or house bots"
        )
    return (SeatsFrozen(),)


def _show(state: State, command: ShowDeal) -> Iterator[Event]:
    _require(state, Phase.SHOWING, "a deal is shown when its play is over")
    rules, exchange, play = state.game.rules, state.exchange, state.play
    for seat, dealt, held in zip(SEATS, exchange.dealt, exchange.held, strict=False):
        yield HandShown(seat, dealt, held)
    if rules.kitty_size:
        yield KittyShown(exchange.kitty)
    yield SecretRevealed(exchange.deal, command.secret)
    tally = Tally(exchange.deal, takings(play, rules), state.game.totals, rules)
    scored = score_deal(tally, play.outcome.moon_choice)
    yield scored
    ended = end_of_game(scored, rules)
    if ended is not None:
        yield ended
