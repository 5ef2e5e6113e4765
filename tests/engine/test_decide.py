"""Commands out of place: why they are refused, and that a refusal changes nothing."""

from collections.abc import Callable
from random import Random
from typing import get_args

import pytest

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import CardSet
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
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    Absence,
    Anchor,
    CloseCause,
    EntropyRevealed,
    EntropyWithheld,
    FixedSeed,
    LogSealed,
    SeatKind,
    SeatLeft,
    StopCause,
)
from hearts_engine.evolve import evolve
from hearts_engine.options import Moon, MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.seating import LONGEST_NAME
from hearts_engine.state import Phase
from hearts_engine.testing import (
    SECRET,
    Recording,
    open_game,
    play_at_random,
    play_script,
    random_choice,
    seated,
)

S0, S1, S2 = Seat(0), Seat(1), Seat(2)


def sit(seat: int, name: str = "Ann", commitment: bytes = b"") -> TakeSeat:
    return TakeSeat(Seat(seat), name, SeatKind.PERSON, commitment=commitment)


def seating() -> Recording:
    game = open_game(Rules())
    game.do(sit(0))
    return game


def entropy() -> Recording:
    game = open_game(Rules(), Anchor(bytes(32)))
    for seat in range(4):
        game.do(sit(seat, commitment=bytes(32) if seat < 2 else b""))
    game.do(FreezeSeats())
    return game


def dealing() -> Recording:
    return seated(Rules())


def passing() -> Recording:
    game = dealing()
    game.do(Deal(PACK))
    return game


def playing() -> Recording:
    game = passing()
    chance = Random(5)
    while game.state.phase is Phase.PASSING:
        game.do(random_choice(game.state, chance))
    return game


def showing() -> Recording:
    game = playing()
    chance = Random(5)
    while game.state.phase is Phase.PLAYING:
        game.do(random_choice(game.state, chance))
    return game


def centre() -> Recording:
    game = seated(Rules(pass_cycle=(Direction.SHUFFLE,)))
    game.do(Deal(PACK))
    while game.state.phase is Phase.PASSING:
        game.do(random_choice(game.state, Random(5)))
    return game


def moon() -> Recording:
    """Seat 0 holds all clubs and has taken every trick, so every heart and the queen."""
    game = seated(Rules(pass_cycle=(Direction.HOLD,), moon=Moon.CHOOSE))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    columns = zip(*hands, strict=True)
    play_script(game, hands, [], [card for column in columns for card in column])
    return game


def over() -> Recording:
    return play_at_random(Rules(target=20), Random(5))


def sealed() -> Recording:
    game = over()
    game.do(SealLog(bytes(64)))
    return game


PHASES: dict[Phase, Callable[[], Recording]] = {
    Phase.SEATING: seating,
    Phase.ENTROPY: entropy,
    Phase.DEALING: dealing,
    Phase.PASSING: passing,
    Phase.CENTRE: centre,
    Phase.PLAYING: playing,
    Phase.MOON: moon,
    Phase.SHOWING: showing,
    Phase.ENDED: over,
    Phase.SEALED: sealed,
}

AT_HOME: list[tuple[Command, Phase]] = [
    (sit(1), Phase.SEATING),
    (LeaveSeat(S0), Phase.SEATING),
    (FreezeSeats(), Phase.SEATING),
    (RevealEntropy(S0, bytes(32)), Phase.ENTROPY),
    (WithholdEntropy(S0), Phase.ENTROPY),
    (Deal(PACK), Phase.DEALING),
    (ChoosePass(S0, PACK[:3]), Phase.PASSING),
    (ShareCentre(PACK[:12]), Phase.CENTRE),
    (PlayCard(S0, PACK[0]), Phase.PLAYING),
    (ClaimRest(S0), Phase.PLAYING),
    (ChooseMoon(S0, MoonChoice.ADD), Phase.MOON),
    (ShowDeal(SECRET), Phase.SHOWING),
    (SealLog(bytes(64)), Phase.ENDED),
]
OVER = frozenset({Phase.ENDED, Phase.SEALED})
UNDER_WAY = frozenset(Phase) - OVER - {Phase.SEATING}
IN_SEVERAL: list[tuple[Command, frozenset[Phase]]] = [
    (MarkAway(S0, Absence.LEFT), UNDER_WAY),
    (MarkBack(S0), UNDER_WAY),
    (TakeOver(S0, "Zoe", SeatKind.PERSON), UNDER_WAY),
    (StopClocks(StopCause.HOST), UNDER_WAY),
    (StartClocks(), UNDER_WAY),
    (CloseGame(CloseCause.UNATTENDED, SECRET), frozenset(Phase) - OVER),
]
HOMES = [*((command, frozenset({home})) for command, home in AT_HOME), *IN_SEVERAL]


def refused(game: Recording, command: Command) -> Rejected:
    """The refusal of a command, which must leave no trace."""
    before = game.state, list(game.events)
    with pytest.raises(Rejected) as caught:
        game.do(command)
    assert (game.state, game.events) == before
    assert str(caught.value) == caught.value.message
    return caught.value


@pytest.mark.parametrize("phase", Phase)
def test_a_command_out_of_its_phase_is_refused_and_changes_nothing(phase: Phase) -> None:
    game = PHASES[phase]()
    assert game.state.phase is phase
    for command, homes in HOMES:
        if phase not in homes:
            assert refused(game, command).reason is Reason.WRONG_PHASE, command


def test_no_command_is_forgotten_here() -> None:
    assert {type(command) for command, _ in HOMES} == {*get_args(Command)} - {OpenGame}
    assert PHASES.keys() == set(Phase)


def test_before_a_game_is_opened_nothing_can_be_done() -> None:
    for command, _ in HOMES:
        with pytest.raises(Rejected, match="open a game first"):
            decide(None, command)


def test_a_game_is_opened_once() -> None:
    opening = OpenGame("game", "oak-1", Rules(), FixedSeed("test"), bytes(32))
    assert refused(seating(), opening).reason is Reason.WRONG_PHASE


def test_a_log_that_does_not_begin_with_its_opening_is_no_game() -> None:
    with pytest.raises(ValueError, match="the first event opens the game"):
        evolve(None, SeatLeft(S0))


@pytest.mark.parametrize("seat", [-1, 4, 10])
def test_a_seat_that_the_table_has_not_is_refused_by_name(seat: int) -> None:
    for game, command in (
        (seating(), sit(seat)),
        (seating(), LeaveSeat(Seat(seat))),
        (passing(), ChoosePass(Seat(seat), PACK[:3])),
    ):
        answer = refused(game, command)
        assert answer.reason is Reason.NO_SUCH_SEAT
        assert answer.message == f"seat {seat}: this table has seats 0 to 3"


def test_a_seat_is_taken_by_one_and_left_by_who_has_it() -> None:
    game = seating()
    assert refused(game, sit(0, "Bob")).reason is Reason.SEAT_OCCUPIED
    assert refused(game, LeaveSeat(S1)).reason is Reason.SEAT_EMPTY
    game.do(LeaveSeat(S0))
    game.do(sit(0, "Bob"))


@pytest.mark.parametrize("name", ["", "x" * (LONGEST_NAME + 1), "a\nb", "a\x1b[2J", "a\u202eb"])
def test_a_name_that_would_spoil_a_screen_is_refused(name: str) -> None:
    assert refused(seating(), sit(1, name)).reason is Reason.BAD_NAME


def test_only_a_house_bot_has_a_level_and_it_always_has_one() -> None:
    boast = TakeSeat(S1, "Ann", SeatKind.PERSON, bot="hard")
    assert refused(seating(), boast).reason is Reason.BAD_LEVEL
    for level in ("", "\x1b[2J", "x" * (LONGEST_NAME + 1)):
        house = TakeSeat(S1, "Ada", SeatKind.HOUSE, level)
        assert refused(seating(), house).reason is Reason.BAD_LEVEL


def test_the_server_cannot_count_its_own_bots_among_those_with_a_say_in_the_deal() -> None:
    game = open_game(Rules(), Anchor(bytes(32)))
    house = TakeSeat(S1, "Ada", SeatKind.HOUSE, "easy", bytes(32))
    assert refused(game, house).reason is Reason.BAD_COMMITMENT


def test_nobody_commits_to_entropy_where_the_seed_is_fixed() -> None:
    answer = refused(seating(), sit(1, commitment=bytes(32)))
    assert answer.reason is Reason.BAD_COMMITMENT
    assert "seed is fixed" in answer.message


@pytest.mark.parametrize("size", [1, 31, 33])
def test_a_commitment_of_another_length_is_refused(size: int) -> None:
    game = open_game(Rules(), Anchor(bytes(32)))
    assert refused(game, sit(1, commitment=bytes(size))).reason is Reason.BAD_COMMITMENT


def test_names_may_be_in_any_script_up_to_their_length() -> None:
    game = seating()
    game.do(sit(1, "Zoë Ó Dálaigh"))
    game.do(sit(2, "x" * LONGEST_NAME))
    assert game.state.game.seats[1] is not None


def test_the_start_waits_for_every_seat_and_names_the_empty_ones() -> None:
    answer = refused(seating(), FreezeSeats())
    assert answer.reason is Reason.SEAT_EMPTY
    assert "1, 2, 3" in answer.message


def test_the_first_deal_waits_for_every_commitment_to_be_answered() -> None:
    game = entropy()
    assert game.state.awaited == (0, 1)
    assert refused(game, RevealEntropy(S2, bytes(32))).reason is Reason.ENTROPY_NOT_OWED
    assert refused(game, WithholdEntropy(Seat(9))).reason is Reason.ENTROPY_NOT_OWED
    assert game.do(RevealEntropy(S0, b"e" * 32)) == (EntropyRevealed(S0, b"e" * 32),)
    assert refused(game, RevealEntropy(S0, b"e" * 32)).reason is Reason.ENTROPY_NOT_OWED
    assert refused(game, Deal(PACK)).reason is Reason.WRONG_PHASE
    assert game.do(WithholdEntropy(S1)) == (EntropyWithheld(S1),)
    assert game.state.phase is Phase.DEALING


@pytest.mark.parametrize("deck", [PACK[:51], (*PACK, PACK[0]), (*PACK[:51], PACK[0]), ()], ids=len)
def test_a_deck_that_is_not_the_pack_is_refused(deck: tuple[Card, ...]) -> None:
    assert refused(dealing(), Deal(deck)).reason is Reason.BAD_DECK


def test_a_card_out_of_turn_is_refused_with_whose_turn_it_is() -> None:
    game = playing()
    turn = game.state.turn
    assert turn is not None
    for seat in range(4):
        if seat != turn:
            hand = game.state.play.hands[seat]
            answer = refused(game, PlayCard(Seat(seat), hand.lowest()))
            assert answer.reason is Reason.NOT_YOUR_TURN
            assert answer.message == f"it is the turn of seat {turn}"


def test_a_seat_that_does_not_exist_has_no_turn() -> None:
    assert refused(playing(), PlayCard(Seat(7), PACK[0])).reason is Reason.NOT_YOUR_TURN


def test_every_card_that_is_not_legal_is_refused_with_those_that_are() -> None:
    game = playing()
    chance = Random(8)
    while game.state.phase is Phase.PLAYING:
        seat, legal = game.state.play.trick.next_seat, game.state.play.legal
        for card in PACK:
            if card not in legal:
                answer = refused(game, PlayCard(seat, card))
                assert answer.legal == legal
                held = card in game.state.play.hands[seat]
                assert (answer.reason is Reason.CARD_NOT_HELD) != held
        game.do(random_choice(game.state, chance))


def test_only_the_log_of_an_ended_game_is_sealed() -> None:
    game = over()
    assert game.do(SealLog(b"s" * 64)) == (LogSealed(b"s" * 64),)
    assert game.state.awaited == ()
    assert refused(game, SealLog(b"s" * 64)).reason is Reason.WRONG_PHASE
